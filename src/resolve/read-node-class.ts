/** Reads a node class wrapper of any version as v1, with the place of each field as written. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { type FieldPath, movedPath, quotedField, startsWithPath } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import {
  openshiftEC2NodeClassSchema,
  type OpenshiftEC2NodeClassSpec,
} from "../model/node-classes/openshift-ec2-node-class.ts";
import {
  fromV1beta1,
  openshiftEC2NodeClassV1beta1Schema,
} from "../model/node-classes/openshift-ec2-node-class-v1beta1.ts";
import { MOVED_OF_CLASS_WRAPPER } from "../model/schema/moved-fields.ts";
import { validate } from "../model/schema/validate.ts";
import type { Place } from "./origin.ts";

export interface NodeClassWrapper {
  readonly wrapper: Resource;
  readonly spec: OpenshiftEC2NodeClassSpec;
  /** The place of a field of the v1 spec in the wrapper as written. */
  placeOf(path: FieldPath): Place;
}

interface Move {
  readonly from: FieldPath;
  readonly to: FieldPath;
}

const CODES = {
  code: "wrapper-invalid",
  unknownField: "unknown-field",
  moved: MOVED_OF_CLASS_WRAPPER,
} as const;

/** Undefined if the wrapper is invalid. */
export function readNodeClass(wrapper: Resource): Outcome<NodeClassWrapper | undefined> {
  if (wrapper.apiVersion.endsWith("/v1beta1")) return readV1beta1(wrapper);
  const { value, findings } = validate(openshiftEC2NodeClassSchema, wrapper, CODES);
  return { value: value === undefined ? undefined : nodeClass(wrapper, value.spec, []), findings };
}

/**
 * No server serves v1beta1 any more, but repositories still contain it in two dialects
 * (docs/upstream/hypershift.md#the-two-dialects-of-v1beta1).
 */
function readV1beta1(wrapper: Resource): Outcome<NodeClassWrapper | undefined> {
  const outcome = validate(openshiftEC2NodeClassV1beta1Schema(), wrapper, CODES);
  if (outcome.value === undefined) return { value: undefined, findings: outcome.findings };
  const { spec, moves, problems } = fromV1beta1(outcome.value.spec);
  const subject = describeResource(wrapper);
  const findings: Finding[] = [
    ...outcome.findings,
    ...problems.map(({ path, message, hint }) => {
      const words = { message: `${subject}: ${quotedField(["spec", ...path])} ${message}`, hint };
      return findingAt("wrapper-invalid", wrapper, ["spec", ...path], words);
    }),
    findingAt("old-dialect", wrapper, ["apiVersion"], {
      message: `${subject} is v1beta1, which no server serves any more; it is read as v1`,
      hint: "write apiVersion: karpenter.hypershift.openshift.io/v1 with the fields of v1",
    }),
  ];
  return { value: problems.length > 0 ? undefined : nodeClass(wrapper, spec, moves), findings };
}

function nodeClass(wrapper: Resource, spec: OpenshiftEC2NodeClassSpec, moves: readonly Move[]): NodeClassWrapper {
  const placeOf = (path: FieldPath): Place => {
    const move = moves.find(({ to }) => startsWithPath(path, to));
    const written = move === undefined ? path : movedPath(path, move.to, move.from);
    return { resource: wrapper, path: ["spec", ...written] };
  };
  return { wrapper, spec, placeOf };
}
