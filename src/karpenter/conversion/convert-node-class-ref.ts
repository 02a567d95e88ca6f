/** Converts the node class reference of a pool or claim between v1beta1 and v1. */
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { goJson, parsed } from "./convert-kubelet.ts";
import { isReference } from "./malformed-field.ts";
import { type Fields, fieldsOf, isFields } from "../../krm/values/fields.ts";

/** The node classes of a provider, which a reference without group or kind means. */
export interface ClassKind {
  readonly group: string;
  /** Undefined if unknown. */
  readonly kind: string | undefined;
}

const OF_AWS: ClassKind = { kind: "EC2NodeClass", group: KARPENTER_AWS_GROUP };

/**
 * `{kind, name, apiVersion}` to `{group, kind, name}`; without a reference Karpenter writes an empty one.
 *
 * @param meant the node classes of its provider (docs/upstream/karpenter.md#nodepools-of-v1beta1)
 */
export function refToV1(ref: unknown, meant: ClassKind = OF_AWS): Fields {
  if (!isFields(ref)) return { group: "", kind: "", name: "" };
  const { apiVersion, kind, name = "", ...rest } = fieldsOf(ref);
  const text = typeof apiVersion === "string" ? apiVersion : "";
  const group = text === "" ? meant.group : text.split("/")[0];
  return fieldsOf({ ...rest, group, kind: given(kind) ?? meant.kind, name });
}

/** The original reference, which the conversion back needs. */
export function refJson(ref: unknown): string {
  if (!isFields(ref)) return "null";
  const { kind, name = "", apiVersion } = fieldsOf(ref);
  return goJson({ kind: given(kind), name, apiVersion: given(apiVersion) });
}

/**
 * @param annotation takes precedence over the reference, even if the reference has another name by now
 * @returns undefined if the annotation is not JSON, which makes Karpenter's conversion fail
 */
export function refToV1beta1(ref: unknown, annotation: string | undefined): Fields | undefined {
  if (!isFields(ref)) return { name: "" };
  if (annotation === undefined) {
    const { kind, name = "" } = fieldsOf(ref);
    return fieldsOf({ kind: given(kind), name });
  }
  const value = parsed(annotation);
  if (value !== null && (!isFields(value) || !isReference(value))) return undefined;
  const { kind, name = "", apiVersion } = fieldsOf(value);
  return fieldsOf({ kind: given(kind), name, apiVersion: given(apiVersion) });
}

function given(value: unknown): unknown {
  return value === "" ? undefined : value;
}
