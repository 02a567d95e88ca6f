/** Karpenter's `--scheduler-config`: the topology spread of pods without one of their own. */
import { valueIn } from "../../krm/builds/whole-file.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";

/** Topology spread constraints without selectors. */
export type DefaultSpread = readonly Fields[];

/** `ParseSchedulerConfiguration` (options.go). Undefined for what Karpenter does not start with. */
export function parseSchedulerConfig(text: string): DefaultSpread | undefined {
  if (text === "") return [];
  const config = valueIn({ file: "", folder: "", text, explicit: false, trusted: false, config: false });
  if (!hasOnly(config, ["podTopologySpread"])) return undefined;
  const spread = config["podTopologySpread"] ?? {};
  if (!hasOnly(spread, ["defaultConstraints"])) return undefined;
  const constraints = spread["defaultConstraints"] ?? [];
  if (!Array.isArray(constraints) || !constraints.every(isConstraint)) return undefined;
  const kinds = new Set(
    constraints.map(({ topologyKey, whenUnsatisfiable }) => `${String(topologyKey)} ${String(whenUnsatisfiable)}`),
  );
  return kinds.size < constraints.length ? undefined : constraints;
}

function hasOnly(value: unknown, names: readonly string[]): value is Fields {
  return isFields(value) && Object.keys(value).every((name) => names.includes(name));
}

const CONSTRAINT = [
  "maxSkew",
  "topologyKey",
  "whenUnsatisfiable",
  "minDomains",
  "nodeAffinityPolicy",
  "nodeTaintsPolicy",
];

/** `validateDefaultConstraint`. */
function isConstraint(value: unknown): value is Fields {
  if (!hasOnly(value, CONSTRAINT)) return false;
  const { maxSkew, topologyKey, whenUnsatisfiable } = value;
  return (
    Number.isSafeInteger(maxSkew) &&
    (maxSkew as number) > 0 &&
    typeof topologyKey === "string" &&
    topologyKey !== "" &&
    (whenUnsatisfiable === "DoNotSchedule" || whenUnsatisfiable === "ScheduleAnyway")
  );
}
