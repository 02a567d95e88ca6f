/** Rules: label values and instance types that the catalogue does not have. */
import { ZONE } from "../../../model/requirements/label-keys.ts";
import { counted, someOf } from "../../../krm/values/counted.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { type Catalogue, INSTANCE_TYPE } from "../../../karpenter/catalogue/catalogue.ts";
import { admitsAbsence } from "../../../karpenter/requirements/requirement.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";
import { entriesOf, placeOfValue, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { isOfNamesOnly, knownValues, unknownValues } from "../../explain/lone-entries.ts";
import { nearestValues } from "../../explain/suggestions.ts";

export function valueUnknown(cluster: ExplainedCluster): Finding[] {
  const { catalogue } = cluster.knownTypes.filter;
  const known = knownValues(catalogue);
  const nearest = nearestValues(catalogue);
  return entriesOf(cluster).flatMap((entry) => {
    const { key, complement } = entry.requirement;
    // Excluding an unknown value is harmless, unless another value was meant.
    const missing = unknownValues(entry.requirement, known);
    const existing = missing.filter((value) => isOfNamesOnly(catalogue, key, value));
    const unknown = missing.filter(
      (value) => !existing.includes(value) && (!complement || nearest(key, value) !== undefined),
    );
    const findings = complement ? [] : notInCatalogue(entry, existing, catalogue);
    const [first] = unknown;
    if (first === undefined) return [...findings, ...noZone(entry, cluster)];
    const what = key === INSTANCE_TYPE ? "is called" : `has ${key}`;
    const message = `${subjectOf(entry)}: no instance type ${what} ${someOf(unknown, SHOWN)}${consequence(entry, unknown)}`;
    const meant = [...new Set(unknown.slice(0, SHOWN).flatMap((value) => nearest(key, value) ?? []))];
    const asOf = cluster.knownTypes.typesUnknown ? [] : [`the catalogue is of ${catalogue.date}`];
    const didYouMean = meant.length === 0 ? [] : [`did you mean ${meant.join(", ")}?`];
    const hint = [...didYouMean, ...asOf].join(" ") || undefined;
    const found = findingAt("value-unknown", entry.place.resource, placeOfValue(entry, first), { message, hint });
    return [...findings, found];
  });
}

const SHOWN = 5;

/** As zones of other clouds are written: `us-east-1-a` for `us-east-1a`. */
const WITH_HYPHEN = /^([a-z]{2}(?:-[a-z]{2,12}){1,2}-\d)-([a-z])$/;

/** The catalogue of all regions has no zones. */
function noZone(entry: PoolRequirement, { provider }: ExplainedCluster): Finding[] {
  const { requirement, place } = entry;
  if (requirement.key !== ZONE || !["aws", "eks-auto"].includes(provider.name)) return [];
  const wrong = [...requirement.values].filter((value) => WITH_HYPHEN.test(value));
  const [first] = wrong;
  if (first === undefined) return [];
  const message = `${subjectOf(entry)}: AWS has no zone ${someOf(wrong, SHOWN)}${consequence(entry, wrong)}`;
  const meant = wrong.slice(0, SHOWN).map((value) => value.replace(WITH_HYPHEN, "$1$2"));
  const hint = `did you mean ${meant.join(", ")}?`;
  return [findingAt("value-unknown", place.resource, placeOfValue(entry, first), { message, hint })];
}

/** @param existing values of instance types of which the catalogue has only the names */
function notInCatalogue(entry: PoolRequirement, existing: readonly string[], { date }: Catalogue): Finding[] {
  const [first] = existing;
  if (first === undefined) return [];
  const { key } = entry.requirement;
  const what = key === INSTANCE_TYPE ? "" : `${key} `;
  const message = `${subjectOf(entry)}: the catalogue of ${date} does not have ${what}${someOf(existing, SHOWN)}, so whether they meet the other entries is unknown`;
  const hint = "give a catalogue of your region with --catalogue";
  return [findingAt("value-unknown", entry.place.resource, placeOfValue(entry, first), { message, hint })];
}

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
