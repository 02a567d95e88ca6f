/** Rules: label values and instance types that the catalogue does not have. */
import { counted, someOf } from "../../../krm/values/counted.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { INSTANCE_TYPE } from "../../../karpenter/catalogue/catalogue.ts";
import { admitsAbsence } from "../../../karpenter/requirements/requirement.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";
import { entriesOf, placeOfValue, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { knownValues, unknownValues } from "../../explain/lone-entries.ts";
import { nearestValues } from "../../explain/suggestions.ts";

export function valueUnknown(cluster: ExplainedCluster): Finding[] {
  const { catalogue } = cluster.knownTypes.filter;
  const known = knownValues(catalogue);
  const nearest = nearestValues(catalogue);
  return entriesOf(cluster).flatMap((entry) => {
    const { key, complement } = entry.requirement;
    // Excluding an unknown value is harmless, unless another value was meant.
    const unknown = unknownValues(entry.requirement, known).filter(
      (value) => !complement || nearest(key, value) !== undefined,
    );
    const [first] = unknown;
    if (first === undefined) return [];
    const what = key === INSTANCE_TYPE ? "is called" : `has ${key}`;
    const message = `${subjectOf(entry)}: no instance type ${what} ${someOf(unknown, SHOWN)}${consequence(entry, unknown)}`;
    const meant = unknown.slice(0, SHOWN).flatMap((value) => nearest(key, value) ?? []);
    const asOf = cluster.knownTypes.typesUnknown ? [] : [`the catalogue is of ${catalogue.date}`];
    const didYouMean = meant.length === 0 ? [] : [`did you mean ${meant.join(", ")}?`];
    const hint = [...didYouMean, ...asOf].join(" ") || undefined;
    return [findingAt("value-unknown", entry.place.resource, placeOfValue(entry, first), { message, hint })];
  });
}

const SHOWN = 5;

/** Once for all pools of a provider. */
export function typesUnknown({ knownTypes, pools, provider }: ExplainedCluster): Finding[] {
  const [first, ...others] = pools;
  if (knownTypes.typesUnknown !== true || first === undefined) return [];
  const all = `${describeResource(first.wrapper)}${others.length === 0 ? "" : ` and ${counted(others.length, "other pool")}`}`;
  const message = `${all}: anp knows no instance types of ${provider.title}, so it finds only entries that contradict each other`;
  const hint = "--catalogue FILE supplies its instance types";
  return [findingAt("types-unknown", first.wrapper, CLASS_REF, { message, hint })];
}

const CLASS_REF = ["spec", "template", "spec", "nodeClassRef"];

function consequence({ requirement }: PoolRequirement, unknown: readonly string[]): string {
  if (requirement.complement) return ", so the entry does not exclude what was meant";
  if (unknown.length < requirement.values.size || admitsAbsence(requirement)) return "";
  return ", so the entry leaves none";
}
