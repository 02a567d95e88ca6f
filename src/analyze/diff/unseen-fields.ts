/** Notes on fields of wrappers that cannot be compared, because only one side has the wrapper. */
import { formatFieldPath } from "../../krm/field-path.ts";
import type { ClusterPair } from "./side-cluster.ts";
import { changedFields } from "./compare-fields.ts";
import type { SideObject } from "./side-object.ts";
import { compareValues } from "./compare-values.ts";
import { idOf } from "../../model/kube-object.ts";

/** One note for each object. */
export function unseenFields(pairs: readonly ClusterPair[]): string[] {
  return pairs.flatMap(({ old, now }) => {
    const before = new Map(old.objects.map((one) => [idOf(one.object), one]));
    return now.objects.flatMap((one) => {
      const other = before.get(idOf(one.object));
      return other === undefined ? [] : noteOf(one, other);
    });
  });
}

function noteOf(one: SideObject, other: SideObject): string[] {
  if ((one.written === undefined) === (other.written === undefined)) return [];
  const { object, written } = one.written === undefined ? other : one;
  const fields = changedFields(compareValues(object, written, object.kind));
  if (fields.length === 0) return [];
  const paths = fields.map(({ newPath, oldPath }) => formatFieldPath(newPath ?? oldPath ?? [])).join(", ");
  const { kind, metadata } = object;
  const worst = kind === "EC2NodeClass" ? ", which may replace all nodes" : "";
  const unknown = `it is unknown whether ${paths} ${fields.length === 1 ? "changes" : "change"}${worst}`;
  return [`${kind} ${metadata.name}: only one side has the wrapper, so ${unknown}`];
}
