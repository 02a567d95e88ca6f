/** What migrating makes of the input: what changes, into what, and what comes beside it. */
import type { ObjectEdit } from "../krm/edit/rewrite-sources.ts";
import type { FieldPath } from "../krm/field-path.ts";
import { findingAt, type Finding } from "../krm/finding.ts";
import type { FindingCode } from "../krm/finding-codes.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import type { KarpenterKind, KarpenterVersion } from "../karpenter/conversion/convert-object.ts";
import type { Fields } from "../karpenter/conversion/plain-fields.ts";

/** One of Karpenter's objects as read. */
export interface KarpenterObject {
  readonly resource: Resource;
  readonly kind: KarpenterKind;
  readonly version: KarpenterVersion;
}

/** A field of the input whose text another object takes over. */
export interface FieldPlace {
  readonly resource: Resource;
  readonly path: FieldPath;
}

export interface MigratedObject {
  readonly value: Fields;
  /** Where its kubelet settings stood before, when they stood in another object. */
  readonly kubeletFrom?: FieldPlace | undefined;
}

export interface Migration extends MigratedObject {
  readonly resource: Resource;
  /** Node classes that were split off from it. */
  readonly split: readonly MigratedObject[];
}

/** A finding about a field of the object, with the object's name before its words. */
export function noteOn(
  resource: Resource,
  code: FindingCode,
  path: FieldPath,
  message: string,
  hint?: string,
): Finding {
  return findingAt(code, resource, path, { message: `${describeResource(resource)}${message}`, hint });
}

/** As a change to the text that the object stands in. */
export function editOf({ resource, split, ...own }: Migration): ObjectEdit {
  const path = resource.kind === "NodePool" ? ["spec", "template", "spec", "kubelet"] : ["spec", "kubelet"];
  const carrying = ({ value, kubeletFrom: from }: MigratedObject) =>
    from === undefined ? { value } : { value, carried: { path, from } };
  return { resource, ...carrying(own), added: split.map(carrying) };
}
