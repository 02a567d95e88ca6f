/** Plans the pods that a Karpenter with the kwok provider has launched NodeClaims for. */
import { type ExplainedCluster, explainClusters } from "../../../src/analyze/explain/explain.ts";
import { describeClaim, podOf } from "../../../src/analyze/plan/describe-claim.ts";
import { planDump } from "../../../src/analyze/plan/plan-dump.ts";
import { planWorld } from "../../../src/analyze/plan/plan-world.ts";
import { clustersOf } from "../../../src/commands/input/load-clusters.ts";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { solve } from "../../../src/karpenter/solver/solve.ts";
import type { SolverWorld } from "../../../src/karpenter/solver/world.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { loadFiles } from "../../../src/library/bundles-of-files.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { forKwok } from "../karpenter/pools.ts";
import type { Outcome } from "../plan-worlds/ask-karpenter.ts";
import type { World } from "../plan-worlds/world.ts";
import { testSource } from "../source.ts";

/** As `anp plan POOLS --node-data DUMP --catalogue FILE` reads them. @param objects of the cluster */
export function solverWorld(world: World, objects: readonly KubernetesObject[], catalogue: Catalogue): SolverWorld {
  const pools = world.pools.map((pool) => forKwok(pool as KubernetesObject));
  const loaded = clustersOf(loadFiles([{ path: "pools.yaml", text: textOf(pools) }], {}), {
    profile: "karpenter-1.15",
  });
  const [cluster] = explainClusters(loaded.clusters, catalogue, () => catalogue.prices, true);
  const { value: resources } = parseSources([testSource(textOf(objects), { file: "dump.yaml" })]);
  const { value: dump, daemonSets } = planDump(resources, [], { at: Date.now() });
  return planWorld({ demands: daemonSets, dump }, cluster as ExplainedCluster).world;
}

export function planned(world: SolverWorld): Outcome {
  const { claims, existing, unplaced } = solve(world);
  const nameOf = (pod: Parameters<typeof podOf>[0]): string => Object.values(podOf(pod)).join("/");
  return {
    nodeClaims: claims.map((claim) => {
      const { price, ...described } = describeClaim(claim, world.filter.catalogue);
      return { ...described, pods: claim.pods.map(nameOf), price: price?.hourly ?? 0 };
    }),
    existing: [...existing].map(([node, pods]) => ({ node, pods: pods.map(nameOf) })),
    errors: Object.fromEntries(
      unplaced.map(({ pod, refusals }) => [nameOf(pod), refusals.map(({ why }) => why).join(", ")]),
    ),
  };
}

function textOf(objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join("\n---\n");
}
