/** `blockDeviceMappings` of a wrapper: the EBS volumes of a node. */
import * as z from "zod/mini";
import { withFieldCount, withKeywords } from "../schema/keywords.ts";
import { type Rule, withRule, withRules } from "../schema/rule.ts";

export const VOLUME_TYPES = ["Standard", "IO1", "IO2", "GP2", "SC1", "ST1", "GP3"] as const;

/**
 * The largest size that the CRD accepts. EC2NodeClass accepts less (59000Gi), which is checked on the rendered object.
 */
export const MAX_VOLUME_SIZE_GIB = 65_536;

const text = (max: number) =>
  z.optional(z.string().check(z.minLength(1, { abort: true }), z.maxLength(max, { abort: true })));

/** The fields that both dialects write in the same way. */
export const ebsShape = {
  iops: z.optional(withKeywords(z.int(), { format: "int64" })),
  throughput: z.optional(withKeywords(z.int(), { format: "int64" })),
  kmsKeyID: text(2048),
  snapshotID: text(256),
};

export const volumeSizeGiB = withKeywords(z.int().check(z.minimum(1), z.maximum(MAX_VOLUME_SIZE_GIB)), {
  format: "int64",
});

export const deviceName = text(256);

const ebs = withRule(
  withFieldCount(
    z.strictObject({
      deleteOnTermination: z.optional(z.enum(["Delete", "Retain"])),
      encrypted: z.optional(z.enum(["Encrypted", "Unencrypted"])),
      ...ebsShape,
      volumeSizeGiB: z.optional(volumeSizeGiB),
      volumeType: z.optional(z.enum(VOLUME_TYPES)),
    }),
    { min: 1 },
  ),
  {
    cel: "has(self.snapshotID) || has(self.volumeSizeGiB)",
    message: "the volume has no size",
    hint: "add volumeSizeGiB, or the snapshotID it is made from",
    test: ({ snapshotID, volumeSizeGiB: size }) => snapshotID !== undefined || size !== undefined,
  },
);

const mapping = withFieldCount(
  z.strictObject({ deviceName, rootVolume: z.optional(z.enum(["RootVolume", "NotRootVolume"])), ebs: z.optional(ebs) }),
  { min: 1 },
);

/** At most one mapping is the root volume. @param flag how the kind marks it */
export function oneRootVolume(flag: string | boolean): Rule<readonly { readonly rootVolume?: unknown }[]> {
  const literal = typeof flag === "string" ? `'${flag}'` : String(flag);
  return {
    cel: `self.filter(x, has(x.rootVolume) && x.rootVolume == ${literal}).size() <= 1`,
    message: "a second root volume: only one mapping can be it",
    hint: "keep the flag rootVolume on one mapping",
    test: (mappings) => mappings.filter(({ rootVolume }) => rootVolume === flag).length <= 1,
    at: (mappings) => [mappings.findLastIndex(({ rootVolume }) => rootVolume === flag), "rootVolume"],
  };
}

/** As in docs/upstream/hypershift.md#openshiftec2nodeclass. */
export const blockDeviceMappings = withRules(
  withKeywords(z.array(mapping).check(z.minLength(1, { abort: true }), z.maxLength(50, { abort: true })), {
    "x-kubernetes-list-type": "atomic",
  }),
  [oneRootVolume("RootVolume")],
);
