/** Plans the pods of a world with anp, from objects as text as its users have them. */
import { explainClusters } from "../../../src/analyze/explain/explain.ts";
import type { PlanAnswer } from "../../../src/analyze/plan/plan-answer.ts";
import { planDump } from "../../../src/analyze/plan/plan-dump.ts";
import { planPods } from "../../../src/analyze/plan/plan.ts";
import { type PlanWorld, planWorld } from "../../../src/analyze/plan/plan-world.ts";
import { readPods } from "../../../src/analyze/pods/read-pods.ts";
import { clustersOf } from "../../../src/commands/input/load-clusters.ts";
import { readCatalogue } from "../../../src/karpenter/catalogue/read-catalogue.ts";
import { storageOf } from "../../../src/karpenter/scheduling/pod-volumes.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import type { Resource } from "../../../src/krm/places/resource.ts";
import { loadFiles } from "../../../src/library/bundles-of-files.ts";
import { testSource } from "../source.ts";
import type { Outcome } from "./ask-karpenter.ts";
import { type Manifest, podsOf, type Workload, type World } from "./world.ts";

/** @throws Error if anp does not plan, with the findings */
export function planOf(world: World): Outcome {
  const { cluster, mode, ...input } = inputOf(world);
  const answer = planPods(input, cluster, mode);
  if ("problem" in answer) throw new Error(answer.problem);
  return outcomeOf(answer);
}

/** What the scheduler starts from. */
export function solverWorldOf(world: World): PlanWorld {
  const { cluster, demands, others, dump } = inputOf(world);
  return planWorld({ demands, others, dump }, cluster);
}

/** @param gates of Karpenter beside CapacityBuffer, such as `,StaticCapacity=true` */
export function inputOf(world: World, gates = "", at = NOW) {
  const loaded = clustersOf(
    loadFiles(
      [{ path: "pools.yaml", text: textOf([nodeClassOf(world), ...world.pools, karpenterWith(world.options, gates)]) }],
      {},
    ),
    {
      profile: "karpenter-1.15",
    },
  );
  const types = readCatalogue(catalogueText(world), "world");
  if ("problem" in types) throw new Error(types.problem.message);
  const { catalogue } = types;
  const [cluster] = explainClusters(loaded.clusters, catalogue, () => catalogue.prices, true);
  if (cluster === undefined) throw new Error(`no plan: ${JSON.stringify(loaded.findings)}`);
  const asked = resourcesOf(
    "pods.yaml",
    world.workloads.flatMap((one) => manifestsOf(one, world.options.defaultConstraints !== undefined)),
  );
  const objects = resourcesOf("dump.yaml", [...world.daemons, ...world.cluster]);
  const { value, daemonSets } = planDump(objects, [], { at });
  const demands = [...readPods(asked, storageOf([...asked, ...objects])).value, ...daemonSets];
  return { cluster, demands, others: asked, dump: value, mode: loaded.mode };
}

/** What a plan decides. */
export function outcomeOf(answer: PlanAnswer): Outcome {
  const { nodes, placed, hourly, range } = answer.summary;
  return {
    range: range ?? {
      nodes: only(nodes),
      placed: only(placed),
      hourly: hourly === null ? null : only(hourly),
      complete: true,
    },
    nodeClaims: answer.nodeClaims.map(({ pods, price, ...claim }) => ({
      ...claim,
      pods: pods.map(nameOf),
      price: price?.hourly ?? 0,
    })),
    existing: answer.existing.map(({ node, pods }) => ({ node, pods: pods.map(nameOf) })),
    errors: Object.fromEntries(
      answer.unplaced.map(({ attempts, why, ...pod }) => [
        nameOf(pod),
        [why, ...attempts.map((attempt) => `${attempt.nodePool}: ${attempt.why}`)].join("; "),
      ]),
    ),
  };
}

function only(one: number) {
  return { least: one, most: one };
}

/** After the objects of the worlds were made. */
const NOW = Date.UTC(2026, 10, 1);

function resourcesOf(file: string, objects: readonly Manifest[]): readonly Resource[] {
  return parseSources([testSource(textOf(objects), { file })]).value;
}

function nameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** A stream of documents. */
export function textOf(objects: readonly Manifest[]): string {
  return objects.map((object) => JSON.stringify(object)).join("\n---\n");
}

function catalogueText({ types }: World): string {
  return JSON.stringify({ schemaVersion: 1, source: "world", date: "2026-11", instanceTypes: types });
}

/** A workload of several pods is a Deployment, unless its owner would make a difference. */
function manifestsOf(workload: Workload, hasDefaults: boolean): Manifest[] {
  const { name, namespace, replicas, template, owner } = workload;
  if (owner === undefined && (replicas === 1 || hasDefaults)) return podsOf(workload);
  return [
    {
      apiVersion: "apps/v1",
      kind: owner?.kind === "StatefulSet" ? "StatefulSet" : "Deployment",
      metadata: { name, namespace },
      spec: { replicas, selector: { matchLabels: owner?.matchLabels ?? { app: name } }, template },
    },
  ];
}

/** Its nodes have the resources of the catalogue, and are in its reservations. */
function nodeClassOf({ types }: World): Manifest {
  const isReserved = types.some(({ offerings }) => offerings.some((one) => one.reservationCapacity !== undefined));
  return {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name: "default" },
    spec: {
      role: "nodes",
      amiSelectorTerms: [{ alias: "al2023@latest" }],
      subnetSelectorTerms: [{ tags: { nodes: "yes" } }],
      securityGroupSelectorTerms: [{ tags: { nodes: "yes" } }],
      ...(isReserved ? { capacityReservationSelectorTerms: [{ tags: { nodes: "yes" } }] } : {}),
    },
  };
}

/** Karpenter's own Deployment, with its options. */
export function karpenterWith(options: World["options"], gates = ""): Manifest {
  const {
    minValuesPolicy = "Strict",
    preferencePolicy = "Respect",
    capacityBuffer = false,
    defaultConstraints,
  } = options;
  const env = [
    { name: "MIN_VALUES_POLICY", value: minValuesPolicy },
    { name: "PREFERENCE_POLICY", value: preferencePolicy },
    { name: "FEATURE_GATES", value: `CapacityBuffer=${capacityBuffer}${gates}` },
    ...(defaultConstraints === undefined
      ? []
      : [{ name: "SCHEDULER_CONFIG", value: JSON.stringify({ podTopologySpread: { defaultConstraints } }) }]),
  ];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "karpenter", namespace: "kube-system" },
    spec: { template: { spec: { containers: [{ name: "controller", env }] } } },
  };
}
