/** Sample values of a label on which two requirements may differ. */
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import type { Requirement } from "../../../karpenter/requirements/requirement.ts";
import { MAX_INT64 } from "../../../model/values/int64.ts";
import { LABEL_VALUE } from "../../../model/requirements/labels.ts";
import { knownValues } from "../../explain/lone-entries.ts";
import { closedValues } from "../../explain/label-of-nodes.ts";
import type { LabelValue } from "./policy-terms.ts";

/** The values of the catalogue; if it does not know all, also arbitrary values. */
export function knownSamples(key: string, requirements: readonly Requirement[], catalogue: Catalogue): LabelValue[] {
  const presence = labelPresence(key, catalogue);
  const absent = presence === "always" ? [] : [undefined];
  const known = knownValues(catalogue).get(key);
  if (known !== undefined) return [...absent, ...known];
  const some = catalogue.labels.get(key)?.sets.flatMap(({ values }) => [...values]) ?? [];
  return [...absent, ...new Set([...some, ...anySamples(key, requirements)])];
}

/** Arbitrary values: one for each range and list of the requirements, and one outside all of them. */
export function anySamples(key: string, requirements: readonly Requirement[]): string[] {
  const closed = closedValues(key);
  if (closed !== undefined) return [...closed];
  const listed = new Set(requirements.flatMap(({ values }) => [...values]));
  const bounds = requirements.flatMap(({ gte, lte }) => [
    ...(gte === undefined ? [] : [gte]),
    ...(lte === undefined ? [] : [lte + 1n]),
  ]);
  // Each number begins a range. The requirements may list all of its numbers, so a spelling with a leading 0 is added.
  const starts = [...new Set([0n, ...bounds.filter((bound) => bound > 0n && bound <= MAX_INT64)])];
  const numbers = starts.flatMap((start) => [unlisted(start, listed), prefixed("0", String(start), listed)]);
  const all = new Set([...listed, "", prefixed("x", "other", listed), ...numbers]);
  return [...all].filter((value) => value.length <= 63 && LABEL_VALUE.test(value));
}

/** Repeats the prefix until the value is not listed. */
function prefixed(prefix: string, value: string, listed: ReadonlySet<string>): string {
  const longer = `${prefix}${value}`;
  return listed.has(longer) ? prefixed(prefix, longer, listed) : longer;
}

/** The first number from `start` on that is not listed. */
function unlisted(start: bigint, listed: ReadonlySet<string>): string {
  let number = start;
  while (listed.has(String(number))) number++;
  return String(number);
}

/** Listed values that no instance type of the catalogue has, but a newer one may have. */
export function newerSamples({ key, complement, values }: Requirement, catalogue: Catalogue): string[] {
  const known = knownValues(catalogue).get(key);
  if (complement || known === undefined || closedValues(key) !== undefined) return [];
  return [...values].filter((value) => !known.has(value));
}
