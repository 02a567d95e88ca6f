/** What a random world may have beside NodePools with requirements, and pods that request CPU and memory. */
export const FEATURES = [
  "selectors",
  "terms",
  "taints",
  "weights",
  "containers",
  "devices",
  "storage",
  "unavailable",
  "preferences",
  "preferNoSchedule",
  "daemons",
  "limits",
  "minValues",
  "spread",
  "podAffinity",
  "antiAffinity",
  "hostPorts",
  "nodes",
  "deletingNodes",
  "volumes",
  "immediateVolumes",
  "volumeLimits",
  "reserved",
  "bestEffort",
  "ignorePreferences",
  "passedOver",
  "buffers",
  "defaultSpread",
] as const;

export type Feature = (typeof FEATURES)[number];

/** Features that have to work on each other: a part of the worlds has one of these sets for certain. */
export const COMBINATIONS: readonly (readonly Feature[])[] = [
  ["spread", "taints"],
  ["spread", "selectors", "terms"],
  ["spread", "preferences"],
  ["spread", "nodes"],
  ["spread", "deletingNodes", "nodes"],
  ["antiAffinity", "limits"],
  ["antiAffinity", "nodes"],
  ["podAffinity", "spread"],
  ["podAffinity", "nodes", "taints"],
  ["minValues", "reserved"],
  ["minValues", "spread"],
  ["minValues", "bestEffort"],
  ["minValues", "limits"],
  ["limits", "weights"],
  ["limits", "nodes"],
  ["hostPorts", "nodes"],
  ["hostPorts", "daemons"],
  ["daemons", "taints", "selectors"],
  ["daemons", "nodes"],
  ["preferences", "preferNoSchedule", "taints"],
  ["preferences", "ignorePreferences", "spread", "podAffinity"],
  ["reserved", "limits", "weights"],
  ["reserved", "preferences"],
  ["volumes", "spread"],
  ["volumes", "nodes"],
  ["volumes", "nodes", "volumeLimits"],
  ["volumes", "immediateVolumes"],
  ["volumes", "antiAffinity"],
  ["unavailable", "spread"],
  ["devices", "weights", "taints"],
  ["buffers", "nodes"],
  ["buffers", "spread"],
  ["buffers", "limits", "preferences"],
  ["defaultSpread", "taints"],
  ["defaultSpread", "spread"],
  ["defaultSpread", "nodes", "deletingNodes"],
  ["defaultSpread", "antiAffinity", "limits"],
  ["defaultSpread", "preferences", "ignorePreferences"],
  ["defaultSpread", "buffers"],
];

/** What `anp plan` does not reckon with, and says so. */
const NOT_PLANNED: readonly Feature[] = ["immediateVolumes"];

/** `ANP_FEATURES=selectors,taints` allows only these, `ANP_FEATURES=` none, and without it a world may have all that anp plans. */
export function allowedFeatures(): readonly Feature[] {
  const given = process.env["ANP_FEATURES"];
  if (given === undefined) return FEATURES.filter((feature) => !NOT_PLANNED.includes(feature));
  const names = given.split(",").filter((name) => name !== "");
  const unknown = names.filter((name) => !FEATURES.includes(name as Feature));
  if (unknown.length > 0)
    throw new Error(`ANP_FEATURES: no feature ${unknown.join(", ")}; there are ${FEATURES.join(", ")}`);
  return names as Feature[];
}
