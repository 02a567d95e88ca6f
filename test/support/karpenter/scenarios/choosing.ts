/** Defines scenarios for the choice of a pool: weights, pod requirements, taints and resources. */
import { absent, COUNTS_LOST_VALUES, exists, gt, isIn, KEYS, notIn, type Scenario } from "./scenario.ts";

const { arch, capacity, category, cpu, gpus, kwokFamily, region, tier, zone } = KEYS;

export const CHOOSING: readonly Scenario[] = [
  {
    name: "weights",
    policy: [isIn(arch, "amd64")],
    pools: [
      { name: "weights-z-light", requirements: [], weight: 1 },
      { name: "weights-a-heavy", requirements: [isIn(category, "c")], weight: 50 },
    ],
    pods: [{ name: "weights", gets: { pool: "weights-a-heavy", types: 24 } }],
  },
  {
    name: "same-weight",
    policy: [isIn(arch, "amd64")],
    pools: [
      { name: "same-weight-a", requirements: [isIn(category, "c")] },
      { name: "same-weight-b", requirements: [isIn(category, "m")] },
    ],
    pods: [{ name: "same-weight", gets: { pool: "same-weight-b", types: 24 } }],
  },
  {
    name: "heavier-unsatisfiable",
    policy: [isIn(arch, "amd64")],
    pools: [
      { name: "heavier-light", requirements: [], weight: 1 },
      { name: "heavier-empty", requirements: [isIn(arch, "arm64")], weight: 50 },
    ],
    pods: [{ name: "heavier-unsatisfiable", gets: { pool: "heavier-light", types: 74 } }],
  },
  {
    name: "selectors",
    policy: [notIn(category, "g")],
    pools: [
      { name: "selectors-amd", requirements: [isIn(arch, "amd64")] },
      { name: "selectors-arm", requirements: [isIn(arch, "arm64")] },
    ],
    pods: [
      { name: "selectors-amd", nodeSelector: { [arch]: "amd64" }, gets: { pool: "selectors-amd", types: 72 } },
      { name: "selectors-arm", nodeSelector: { [arch]: "arm64" }, gets: { pool: "selectors-arm", types: 72 } },
      { name: "selectors-neither", nodeSelector: { [arch]: "s390x" }, gets: "nothing" },
    ],
  },
  {
    name: "selector-narrows",
    policy: [isIn(kwokFamily, "c", "m")],
    pools: [{ name: "selector-narrows", requirements: [] }],
    pods: [
      {
        name: "selector-narrows-c",
        nodeSelector: { [kwokFamily]: "c" },
        gets: { pool: "selector-narrows", types: 48 },
      },
      { name: "selector-narrows-s", nodeSelector: { [kwokFamily]: "s" }, gets: "nothing" },
    ],
  },
  {
    name: "custom-selector",
    policy: [isIn(tier, "gold", "silver")],
    pools: [{ name: "custom-selector", requirements: [notIn(category, "g")] }],
    pods: [
      {
        name: "custom-selector-silver",
        nodeSelector: { [tier]: "silver" },
        gets: { pool: "custom-selector", types: 144 },
      },
      { name: "custom-selector-bronze", nodeSelector: { [tier]: "bronze" }, gets: "nothing" },
    ],
  },
  {
    name: "affinity",
    policy: [isIn(zone, "test-zone-a", "test-zone-b")],
    pools: [{ name: "affinity", requirements: [] }],
    pods: [
      {
        name: "affinity-second-term",
        terms: [[isIn(zone, "test-zone-c")], [isIn(zone, "test-zone-b"), isIn(category, "s")]],
        gets: { pool: "affinity", types: 48 },
      },
      { name: "affinity-no-term", terms: [[isIn(zone, "test-zone-c")], [isIn(category, "x")]], gets: "nothing" },
    ],
  },
  {
    name: "unknown-to-pool",
    policy: [isIn(arch, "amd64")],
    pools: [{ name: "unknown-to-pool", requirements: [notIn(category, "g")] }],
    pods: [
      // Pods may ask for a well-known label that neither pool nor types have.
      {
        name: "unknown-region",
        nodeSelector: { [region]: "eu-central-1" },
        gets: { pool: "unknown-to-pool", types: 72 },
      },
      { name: "unknown-custom", nodeSelector: { "example.com/team": "a" }, gets: "nothing" },
    ],
  },
  {
    name: "absence-asked",
    policy: [],
    pools: [{ name: "absence-asked", requirements: [] }],
    pods: [
      {
        name: "absence-asked",
        terms: [[notIn("example.com/team", "a"), absent(gpus), gt(cpu, 64)]],
        gets: { pool: "absence-asked", types: 48 },
      },
      { name: "absence-asked-of-arch", terms: [[absent(arch)]], gets: "nothing" },
    ],
  },
  {
    name: "absence-against-policy",
    policy: [exists(tier)],
    pools: [{ name: "absence-against-policy", requirements: [] }],
    pods: [{ name: "absence-against-policy", terms: [[absent(tier)]], gets: "nothing" }],
  },
  {
    name: "pool-by-name",
    policy: [isIn(arch, "amd64")],
    pools: [
      { name: "pool-by-name-a", requirements: [isIn(category, "c")] },
      { name: "pool-by-name-b", requirements: [isIn(category, "m")] },
    ],
    pods: [
      {
        name: "pool-by-name-a",
        nodeSelector: { "karpenter.sh/nodepool": "pool-by-name-a" },
        gets: { pool: "pool-by-name-a", types: 24 },
      },
      { name: "pool-by-name-x", nodeSelector: { "karpenter.sh/nodepool": "pool-by-name-x" }, gets: "nothing" },
    ],
  },
  {
    name: "bypass-for-pods",
    policy: [isIn(tier, "gold")],
    pools: [{ name: "bypass-for-pods", requirements: [isIn(tier, "silver")] }],
    // The pool bypassed the policy, but no pod that asks for the label can use it.
    pods: [
      { name: "bypass-for-gold", nodeSelector: { [tier]: "gold" }, gets: "nothing" },
      { name: "bypass-for-silver", nodeSelector: { [tier]: "silver" }, gets: "nothing" },
      { name: "bypass-for-others", gets: { pool: "bypass-for-pods", types: 146 } },
    ],
    bypassed: true,
  },
  {
    name: "offerings",
    policy: [isIn(category, "g")],
    pools: [{ name: "offerings", requirements: [isIn(zone, "test-zone-a", "test-zone-b")] }],
    pods: [
      {
        name: "offerings-met",
        nodeSelector: { [zone]: "test-zone-a", [capacity]: "on-demand" },
        gets: { pool: "offerings", types: 2 },
      },
      { name: "offerings-crossed", nodeSelector: { [zone]: "test-zone-a", [capacity]: "spot" }, gets: "nothing" },
    ],
  },
  {
    name: "taints",
    policy: [],
    pools: [
      {
        name: "taints",
        requirements: [],
        taints: [{ key: "example.com/reserved", value: "yes", effect: "NoSchedule" }],
      },
    ],
    pods: [
      { name: "taints-none", gets: "nothing" },
      {
        name: "taints-other-value",
        tolerations: [{ key: "example.com/reserved", operator: "Equal", value: "no", effect: "NoSchedule" }],
        gets: "nothing",
      },
      {
        name: "taints-exists",
        tolerations: [{ key: "example.com/reserved", operator: "Exists" }],
        gets: { pool: "taints", types: 146 },
      },
    ],
  },
  {
    name: "taint-preferred",
    policy: [],
    pools: [
      { name: "taint-preferred", requirements: [], taints: [{ key: "example.com/old", effect: "PreferNoSchedule" }] },
    ],
    pods: [{ name: "taint-preferred", gets: { pool: "taint-preferred", types: 146 } }],
  },
  {
    name: "preferences",
    policy: [isIn(zone, "test-zone-a")],
    pools: [{ name: "preferences", requirements: [notIn(category, "g")] }],
    pods: [{ name: "preferences-kept", prefers: [[isIn(category, "c")]], gets: { pool: "preferences", types: 48 } }],
  },
  {
    name: "preferences-lost",
    policy: [isIn(zone, "test-zone-a")],
    pools: [{ name: "preferences-lost", requirements: [notIn(category, "g")] }],
    pods: [
      {
        name: "preferences-lost",
        prefers: [[isIn(zone, "test-zone-b")]],
        gets: { pool: "preferences-lost", types: 144 },
      },
    ],
  },
  {
    name: "preference-over-weight",
    policy: [],
    pools: [
      { name: "preferred-light", requirements: [isIn(category, "c")], weight: 1 },
      { name: "preferred-heavy", requirements: [isIn(category, "m")], weight: 50 },
    ],
    pods: [
      {
        name: "preference-over-weight",
        prefers: [[isIn(category, "c")]],
        gets: { pool: "preferred-light", types: 48 },
      },
    ],
  },
  {
    name: "min-values-narrowed",
    policy: [isIn(zone, "test-zone-a", "test-zone-b")],
    pools: [
      { name: "min-values-narrowed", requirements: [{ ...isIn(zone, "test-zone-a", "test-zone-b"), minValues: 2 }] },
    ],
    // Karpenter counts all zones of the types; the API server counts those in the NodeClaim.
    pods: [{ name: "min-values-narrowed", nodeSelector: { [zone]: "test-zone-a" }, gets: "nothing" }],
  },
  {
    name: "min-values-refused-heavier",
    policy: [isIn(zone, "test-zone-a")],
    pools: [
      { name: "refused-light", requirements: [], weight: 1 },
      { name: "refused-heavy", requirements: [{ ...exists(zone), minValues: 2 }], weight: 50 },
    ],
    // A Karpenter that has chosen the heavier pool retries it forever, because the API server refuses its NodeClaim.
    pods: [
      {
        name: "min-values-refused-heavier",
        gets: COUNTS_LOST_VALUES ? "nothing" : { pool: "refused-light", types: 146 },
      },
    ],
  },
];
