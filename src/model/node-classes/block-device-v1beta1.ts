/** `blockDeviceMappings` of OpenshiftEC2NodeClass v1beta1, and its form in v1. */
import * as z from "zod/mini";
import type { Words } from "../../krm/findings/finding.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { withFieldCount } from "../schema/keywords.ts";
import { volumeSize, wholeGiB } from "../values/volume-size.ts";
import { deviceName, ebsShape, MAX_VOLUME_SIZE_GIB, VOLUME_TYPES, volumeSizeGiB } from "./block-device.ts";
import type { OpenshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

export interface Conversion<T> {
  readonly spec: T;
  /** Fields with another path in the output than in the input. */
  readonly moves: readonly { readonly from: FieldPath; readonly to: FieldPath }[];
  readonly problems: readonly Problem[];
}

/** Words that follow the name of the field at `path`. */
interface Problem extends Words {
  readonly path: FieldPath;
}

export function givenTwice(parent: FieldPath, old: string, now: string): Problem {
  return { path: [...parent, old], message: `is the old name of ${now}, which is given too`, hint: `keep ${now} only` };
}

/** A flag that was a boolean first and became one of two words. */
const flag = (yes: string, no: string) =>
  z.optional(z.union([z.boolean(), z.enum([yes, no])], { error: `write ${yes} or ${no}` }));

const LOWER_CASE = VOLUME_TYPES.map((type) => type.toLowerCase());

const ebs = () =>
  withFieldCount(
    z.strictObject({
      deleteOnTermination: flag("Delete", "Retain"),
      encrypted: flag("Encrypted", "Unencrypted"),
      ...ebsShape,
      volumeSize: z.optional(volumeSize()),
      volumeSizeGiB: z.optional(volumeSizeGiB),
      volumeType: z.optional(z.enum([...VOLUME_TYPES, ...LOWER_CASE])),
    }),
    { min: 1 },
  ).check(
    z.refine(
      ({ snapshotID, volumeSize, volumeSizeGiB: size }) =>
        snapshotID !== undefined || volumeSize !== undefined || size !== undefined,
      {
        error: "the volume has no size",
        params: { hint: "add volumeSizeGiB, or the snapshotID it is made from" },
      },
    ),
  );

const mapping = () =>
  withFieldCount(
    z.strictObject({ deviceName, rootVolume: flag("RootVolume", "NotRootVolume"), ebs: z.optional(ebs()) }),
    { min: 1 },
  );

const isRoot = (value: unknown): boolean => value === true || value === "RootVolume";

/** In either of the dialects (docs/upstream/hypershift.md#the-two-dialects-of-v1beta1). */
export const dialectBlockDevices = () =>
  z.array(mapping()).check(
    z.maxLength(50),
    z.superRefine((mappings, context) => {
      const roots = mappings.flatMap(({ rootVolume }, index) => (isRoot(rootVolume) ? [index] : []));
      if (roots.length < 2) return;
      const params = { hint: "keep the flag rootVolume on one mapping" };
      context.addIssue({
        code: "custom",
        message: "a second root volume: only one mapping can be it",
        path: [roots.at(-1) ?? 0, "rootVolume"],
        params,
      });
    }),
  );

type Mapping = z.output<ReturnType<typeof mapping>>;
type Ebs = z.output<ReturnType<typeof ebs>>;
type V1Mapping = NonNullable<OpenshiftEC2NodeClassSpec["blockDeviceMappings"]>[number];
type V1Ebs = NonNullable<V1Mapping["ebs"]>;

export function toV1BlockDevices(mappings: readonly Mapping[], path: FieldPath): Conversion<V1Mapping[]> {
  const converted = mappings.map((one, index) => toV1Mapping(one, [...path, index]));
  return {
    spec: converted.map(({ spec }) => spec),
    moves: converted.flatMap(({ moves }) => moves),
    problems: converted.flatMap(({ problems }) => problems),
  };
}

function toV1Mapping({ deviceName: name, rootVolume, ebs: volume }: Mapping, path: FieldPath): Conversion<V1Mapping> {
  const converted = volume === undefined ? undefined : toV1Ebs(volume, [...path, "ebs"]);
  const spec: V1Mapping = {
    ...(name === undefined ? {} : { deviceName: name }),
    ...(rootVolume === undefined ? {} : { rootVolume: isRoot(rootVolume) ? "RootVolume" : "NotRootVolume" }),
    ...(converted === undefined ? {} : { ebs: converted.spec }),
  };
  return { spec, moves: converted?.moves ?? [], problems: converted?.problems ?? [] };
}

function toV1Ebs(volume: Ebs, path: FieldPath): Conversion<V1Ebs> {
  const { deleteOnTermination, encrypted, volumeSize, volumeType, ...same } = volume;
  const spec: V1Ebs = {
    ...same,
    ...(deleteOnTermination === undefined
      ? {}
      : {
          deleteOnTermination: deleteOnTermination === true || deleteOnTermination === "Delete" ? "Delete" : "Retain",
        }),
    ...(encrypted === undefined
      ? {}
      : { encrypted: encrypted === true || encrypted === "Encrypted" ? "Encrypted" : "Unencrypted" }),
    ...(volumeType === undefined ? {} : { volumeType: v1VolumeType(volumeType) }),
  };
  if (volumeSize === undefined) return { spec, moves: [], problems: [] };
  const moves = [{ from: [...path, "volumeSize"], to: [...path, "volumeSizeGiB"] }];
  if (same.volumeSizeGiB !== undefined)
    return { spec, moves, problems: [givenTwice(path, "volumeSize", "volumeSizeGiB")] };
  const size = v1Size(volumeSize);
  if (typeof size === "number") return { spec: { ...spec, volumeSizeGiB: size }, moves, problems: [] };
  return { spec, moves, problems: [{ path: [...path, "volumeSize"], ...size }] };
}

function v1VolumeType(type: string): V1Ebs["volumeType"] {
  return VOLUME_TYPES.find((known) => known.toLowerCase() === type.toLowerCase());
}

/** The size in GiB, or why v1 cannot express it. */
function v1Size(text: string): number | Omit<Problem, "path"> {
  const { size, exact } = wholeGiB(text);
  if (size > MAX_VOLUME_SIZE_GIB)
    return { message: `is ${text}, above the ${MAX_VOLUME_SIZE_GIB} GiB that the API takes` };
  if (exact) return size;
  const message = `is ${text}, which is not a whole number of GiB, the only unit of v1`;
  return { message, hint: `write volumeSizeGiB: ${size} (the next larger size)` };
}
