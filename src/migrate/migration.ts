/** Defines the options and the result of a migration. */
import type { ObjectEdit } from "../krm/edit/rewrite-sources.ts";
import type { FieldPath } from "../krm/places/field-path.ts";
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import type { FindingCode } from "../krm/findings/finding-codes.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { KarpenterKind, KarpenterVersion } from "../karpenter/conversion/karpenter-type.ts";
import type { Profile } from "../model/crds/profile.ts";
import type { Fields } from "../krm/values/fields.ts";

export interface MigrateOptions {
  readonly to: KarpenterVersion;
  /** Convert as Karpenter's conversion webhook does, with the annotations for the conversion back. */
  readonly compat: boolean;
  /** The Karpenter that v1 objects are for. */
  readonly profile: Profile;
}

/** An object of Karpenter as read. */
export interface KarpenterObject {
  readonly resource: Resource;
  readonly kind: KarpenterKind;
  readonly version: KarpenterVersion;
}

/** A field of the input with text that another object takes over. */
export interface FieldPlace {
  readonly resource: Resource;
  readonly path: FieldPath;
}

export interface MigratedObject {
  readonly value: Fields;
  /** The former place of its kubelet settings, if they were in another object. */
  readonly kubeletFrom?: FieldPlace | undefined;
}

export interface Migration extends MigratedObject {
  readonly resource: Resource;
  /** Node classes that were split off from it. */
  readonly split: readonly MigratedObject[];
}

/** A finding about a field of the object; its name precedes the message. */
export function noteOn(
  resource: Resource,
  code: FindingCode,
  path: FieldPath,
  message: string,
  hint?: string,
): Finding {
  return findingAt(code, resource, path, { message: `${describeResource(resource)}${message}`, hint });
}

/** The migration as an edit of the object's source text. */
export function editOf({ resource, split, ...own }: Migration): ObjectEdit {
  const path = resource.kind === "NodePool" ? ["spec", "template", "spec", "kubelet"] : ["spec", "kubelet"];
  const carrying = ({ value, kubeletFrom: from }: MigratedObject) =>
    from === undefined ? { value } : { value, carried: { path, from } };
  return { resource, ...carrying(own), added: split.map(carrying) };
}
