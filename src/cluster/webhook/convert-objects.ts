/** Converts all objects of a review, or reports the first one that cannot be converted. */
import type { Refusal } from "../../karpenter/conversion/malformed-field.ts";
import { convertAsWebhook } from "../../karpenter/conversion/convert-object.ts";
import { karpenterType, type KarpenterVersion } from "../../karpenter/conversion/karpenter-type.ts";
import { type Fields, fieldsOf } from "../../krm/values/fields.ts";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { groupOf } from "../../krm/places/resource.ts";
import type { Review, ReviewResult } from "./conversion-review.ts";
import { inSlices } from "../waiting/in-parallel.ts";

/** NodePools in version v1, by name. */
export type Pools = ReadonlyMap<string, Fields>;

export async function convertObjects({ objects, desiredAPIVersion }: Review, pools: Pools): Promise<ReviewResult> {
  const converted: string[] = [];
  const refused = await inSlices(objects, (object) => {
    const one = convert(object, desiredAPIVersion, pools);
    if ("problem" in one) return one;
    converted.push(JSON.stringify(one.value));
    return undefined;
  });
  return refused ?? { converted };
}

/** The pools of NodeClaims that are converted to v1, for their expireAfter. Each once. */
export function neededPools({ objects, desiredAPIVersion }: Review): readonly string[] {
  if (!desiredAPIVersion.endsWith("/v1")) return [];
  const names = objects.flatMap((object) => {
    const type = karpenterType(object);
    return type?.kind === "NodeClaim" && type.version === "v1beta1" ? (poolNameOf(object) ?? []) : [];
  });
  return [...new Set(names)];
}

function convert(
  object: Fields,
  desired: string,
  pools: Pools,
): { readonly value: Fields } | { readonly problem: string } {
  const { apiVersion, kind } = object;
  const name = nameOf(object);
  const type = karpenterType(object);
  if (type === undefined)
    return { problem: `${name} of ${String(apiVersion)} cannot be converted: anp converts Karpenter's kinds only` };
  const to = (["v1beta1", "v1"] as const).find((version) => desired === `${groupOf(String(apiVersion))}/${version}`);
  if (to === undefined)
    return { problem: `${String(kind)} cannot be converted to ${desired}: there are v1beta1 and v1` };
  const pool = type.kind === "NodeClaim" ? pools.get(poolNameOf(object) ?? "") : undefined;
  const result = convertAsWebhook(object, to, { pool });
  if ("refusal" in result) return { problem: `${name} cannot be converted to ${to}: ${wordsOf(result.refusal, to)}` };
  return { value: withOwnMetadata(result.value, object) };
}

/** A conversion may change labels and annotations only: the API server refuses other changes of metadata. */
function withOwnMetadata(value: Fields, { metadata }: Fields): Fields {
  const { labels: _labels, annotations: _annotations, ...own } = (metadata ?? {}) as Fields;
  const { labels, annotations } = fieldsOf(value["metadata"]);
  const changing = {
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...value, metadata: { ...own, ...changing } };
}

function wordsOf(refusal: Refusal, to: KarpenterVersion): string {
  if ("annotation" in refusal)
    return `the annotation ${refusal.annotation} is not the JSON that a conversion writes; remove it`;
  if ("alias" in refusal) return `amiSelectorTerms has an alias that ${to} has no amiFamily for`;
  return `${formatFieldPath(refusal.path)} must be ${refusal.wanted}`;
}

function nameOf({ kind, metadata }: Fields): string {
  const name = fieldsOf(metadata)["name"];
  return `${typeof kind === "string" ? kind : "an object without a kind"}${typeof name === "string" ? ` ${name}` : ""}`;
}

function poolNameOf({ metadata }: Fields): string | undefined {
  const name = fieldsOf(fieldsOf(metadata)["labels"])["karpenter.sh/nodepool"];
  return typeof name === "string" ? name : undefined;
}
