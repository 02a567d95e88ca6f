/** Rules: entries that no instance type can meet, and bounds in a wrong unit that all meet. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { atoi } from "../../../model/values/int64.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { formatRequirement, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import { entriesOf, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { knownValues, isReportedByRendering, isUnmatchable } from "../../explain/lone-entries.ts";

/** Such as `Lt 0`, bounds beyond every instance type, or the absence of a label that all types have. */
export function requirementUnmatchable(cluster: ExplainedCluster): Finding[] {
  const { filter } = cluster.knownTypes;
  const known = knownValues(filter.catalogue);
  return entriesOf(cluster).flatMap((entry) => {
    const { requirement, place } = entry;
    const { key, lte } = requirement;
    if (!isUnmatchable(requirement, filter)) return [];
    if (cluster.pools.length > 0 && isReportedByRendering(requirement, filter)) return [];
    const negative = lte !== undefined && lte < 0n;
    const what = `\`${formatRequirement(requirement)}\` on ${key}`;
    const message = negative
      ? `${subjectOf(entry)}: ${what} matches nothing, because no value is below 0`
      : `${subjectOf(entry)}: ${what} matches no instance type`;
    const hint = rangeOf(requirement, known.get(key) ?? new Set());
    return [findingAt("requirement-unmatchable", place.resource, place.path, { message, hint })];
  });
}

function rangeOf({ key, gte, lte }: Requirement, values: ReadonlySet<string>): string {
  if (gte === undefined && lte === undefined) return `every instance type has ${key}`;
  const range = rangeAmong(values);
  if (range === undefined) return "remove the entry, or correct the number";
  const bound = lte ?? gte!;
  const meant = meantBy(key, bound, range);
  return `instance types have ${range.least} to ${range.most}${meant === undefined ? "" : ` ${meant.unit}: ${meant.words}`}`;
}

interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

function rangeAmong(values: ReadonlySet<string>): Range | undefined {
  const numbers = [...values].map(atoi).flatMap(({ value, valid }) => (valid ? [value] : []));
  if (numbers.length === 0) return undefined;
  const [first, ...others] = numbers as [bigint, ...bigint[]];
  const least = others.reduce((a, b) => (a < b ? a : b), first);
  const most = others.reduce((a, b) => (a > b ? a : b), first);
  return { least, most };
}

const MEMORY = { unit: "MiB", larger: "GiB", factor: 1024n };
const BANDWIDTH = { unit: "Mbps", larger: "Gbps", factor: 1000n };

/** The units of labels, by the name after the domain (docs/upstream/karpenter.md#units-of-labels). */
const UNITS: ReadonlyMap<string, typeof MEMORY> = new Map([
  ["instance-memory", MEMORY],
  ["instance-gpu-memory", MEMORY],
  ["sku-memory", MEMORY],
  ["instance-network-bandwidth", BANDWIDTH],
  ["instance-ebs-bandwidth", BANDWIDTH],
]);

/** The number that was most likely meant: in the larger unit, the bound is among the values. 1 and less mean any. */
function meantBy(key: string, bound: bigint, { least, most }: Range): { unit: string; words: string } | undefined {
  const units = UNITS.get(key.slice(key.indexOf("/") + 1));
  if (units === undefined || bound <= 1n) return undefined;
  const { unit, larger, factor } = units;
  const scaled = bound * factor;
  return scaled <= least || scaled > most ? undefined : { unit, words: `${bound} ${larger} is ${scaled}` };
}

/** The memory of the VM sizes of Azure, which anp does not know one by one. */
const OF_AZURE: Range = { least: 512n, most: 33_554_432n };
const OF_UNKNOWN: ReadonlyMap<string, Range> = new Map([
  ["karpenter.azure.com/sku-memory", OF_AZURE],
  ["kubernetes.azure.com/sku-memory", OF_AZURE],
]);

/** A lower bound that every instance type with the label meets, in a unit that is too small. */
export function boundWithoutEffect(cluster: ExplainedCluster): Finding[] {
  const { filter, typesUnknown } = cluster.knownTypes;
  const known = knownValues(filter.catalogue);
  return entriesOf(cluster).flatMap((entry) => {
    const { key, gte, lte } = entry.requirement;
    if (gte === undefined || lte !== undefined || labelPresence(key, filter.catalogue) === "custom") return [];
    const range = typesUnknown === true ? OF_UNKNOWN.get(key) : rangeAmong(known.get(key) ?? new Set());
    if (range === undefined || gte > range.least) return [];
    const meant = meantBy(key, gte, range);
    if (meant === undefined) return [];
    const what = `\`${formatRequirement(entry.requirement)}\` on ${key}`;
    const message = `${subjectOf(entry)}: ${what} rules out no instance type: the label counts ${meant.unit}, and none has less than ${range.least}`;
    return [findingAt("bound-without-effect", entry.place.resource, entry.place.path, { message, hint: meant.words })];
  });
}
