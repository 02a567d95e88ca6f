/** Values of a label that tell two requirements on it apart, if any do. */
import { type Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import type { Requirement } from "../../../karpenter/requirements/requirement.ts";
import { MAX_INT64 } from "../../../model/int64.ts";
import { LABEL_VALUE } from "../../../model/labels.ts";
import { oncePerObject } from "../../../model/once.ts";
import { knownValues } from "../../explain/known-values.ts";
import { closedValues } from "../../explain/label-of-nodes.ts";
import type { LabelValue } from "./policy-terms.ts";

/** Those that instance types of the catalogue have; where it does not know them all, any that they could have. */
export function knownSamples(key: string, requirements: readonly Requirement[], catalogue: Catalogue): LabelValue[] {
  const presence = labelPresence(key, catalogue);
  const absent = presence === "always" ? [] : [undefined];
  const known = knownOf(catalogue).get(key);
  if (known !== undefined) return [...absent, ...known];
  const some = catalogue.labels.get(key)?.sets.flatMap(({ values }) => [...values]) ?? [];
  return [...absent, ...new Set([...some, ...anySamples(key, requirements)])];
}

/** Of values whatever: one of each range and list that the requirements speak of, and one that none speaks of. */
export function anySamples(key: string, requirements: readonly Requirement[]): string[] {
  const closed = closedValues(key);
  if (closed !== undefined) return [...closed];
  const listed = new Set(requirements.flatMap(({ values }) => [...values]));
  const bounds = requirements.flatMap(({ gte, lte }) => [
    ...(gte === undefined ? [] : [gte]),
    ...(lte === undefined ? [] : [lte + 1n]),
  ]);
  // Each begins a range; what is listed of it may be all numbers that are written the usual way.
  const starts = [...new Set([0n, ...bounds.filter((bound) => bound > 0n && bound <= MAX_INT64)])];
  const numbers = starts.flatMap((start) => [unlisted(start, listed), prefixed("0", String(start), listed)]);
  const all = new Set([...listed, "", prefixed("x", "other", listed), ...numbers]);
  return [...all].filter((value) => value.length <= 63 && LABEL_VALUE.test(value));
}

/** Not listed: with as many of the prefix as that takes. */
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

/** Values that a requirement lists and no instance type of the catalogue has, where a newer one could. */
export function newerSamples({ key, complement, values }: Requirement, catalogue: Catalogue): string[] {
  const known = knownOf(catalogue).get(key);
  if (complement || known === undefined || closedValues(key) !== undefined) return [];
  return [...values].filter((value) => !known.has(value));
}

const knownOf = oncePerObject((catalogue: Catalogue) => knownValues(catalogue));
