/** Plans a recorded round with anp, from objects as `anp plan --node-data` has them. */
import { explainClusters } from "../../../src/analyze/explain/explain.ts";
import { planDump } from "../../../src/analyze/plan/plan-dump.ts";
import { planPods } from "../../../src/analyze/plan/plan.ts";
import { clustersOf } from "../../../src/commands/input/load-clusters.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { loadFiles } from "../../../src/library/bundles-of-files.ts";
import type { Outcome } from "../plan-worlds/ask-karpenter.ts";
import { karpenterWith, outcomeOf, textOf } from "../plan-worlds/plan-by-anp.ts";
import { testSource } from "../source.ts";
import { catalogueOf } from "./catalogue-of-round.ts";
import { objectsOf } from "./objects-of-round.ts";
import type { Round, Start } from "./round.ts";

/** A live cluster is read with all of them. */
const STORAGE = ["PersistentVolumeClaim", "PersistentVolume", "StorageClass"];

/** @throws Error if anp does not plan, with the findings */
export function planRound(round: Round): Outcome {
  const { cluster, mode, input, nameOf } = inputOf(round);
  const answer = planPods(input, cluster, mode);
  if ("problem" in answer) throw new Error(answer.problem);
  const { nodeClaims, ...outcome } = outcomeOf(answer);
  return {
    ...outcome,
    nodeClaims: nodeClaims.map((claim) => ({ ...claim, instanceTypes: claim.instanceTypes.map(nameOf) })),
  };
}

/** @throws Error if a pool has findings */
export function inputOf(round: Start) {
  const { options, now } = round;
  const { catalogue, poolOf, nodeOf, nameOf } = catalogueOf(round);
  const objects = objectsOf(round);
  const pools = objects.filter(({ kind }) => kind === "NodePool");
  const gates = Object.entries(options.FeatureGates).map(([name, isOn]) => `,${name}=${isOn}`);
  const karpenter = karpenterWith(
    {
      minValuesPolicy: options.MinValuesPolicy,
      preferencePolicy: options.PreferencePolicy,
      ...options.SchedulerConfig?.podTopologySpread,
    },
    gates.join(""),
  );
  const loaded = clustersOf(loadFiles([{ path: "pools.yaml", text: textOf([...pools.map(poolOf), karpenter]) }], {}), {
    profile: "karpenter-1.15",
  });
  const [cluster] = explainClusters(
    loaded.clusters,
    () => catalogue,
    () => catalogue.prices,
    true,
  );
  if (cluster === undefined) throw new Error(`no plan: ${JSON.stringify(loaded.findings)}`);
  const rest = objects.filter(({ kind }) => kind !== "NodePool").map(nodeOf);
  const parsed = parseSources([testSource(textOf(rest), { file: "dump.yaml" })]);
  const { value, daemonSets } = planDump(parsed.value, [], { at: now, listed: STORAGE });
  return { cluster, mode: loaded.mode, input: { demands: daemonSets, dump: value }, nameOf };
}
