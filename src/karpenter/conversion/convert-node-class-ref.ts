/** Converts the node class reference of a pool or claim between v1beta1 and v1. */
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { goJson, parsed } from "./convert-kubelet.ts";
import { isReference } from "./malformed-field.ts";
import { type Fields, fieldsOf, isFields } from "../../krm/values/fields.ts";

/** Defaults of Karpenter on AWS (docs/upstream/karpenter.md#nodepools-of-v1beta1). */
const DEFAULT = { kind: "EC2NodeClass", group: KARPENTER_AWS_GROUP };

/** `{kind, name, apiVersion}` to `{group, kind, name}`; without a reference Karpenter writes an empty one. */
export function refToV1(ref: unknown): Fields {
  if (!isFields(ref)) return { group: "", kind: "", name: "" };
  const { apiVersion, kind, name = "", ...rest } = fieldsOf(ref);
  const text = typeof apiVersion === "string" ? apiVersion : "";
  return { ...rest, group: text === "" ? DEFAULT.group : text.split("/")[0], kind: given(kind) ?? DEFAULT.kind, name };
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
