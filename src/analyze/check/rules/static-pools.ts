/** Rules: static pools that get no nodes, never replace them, or that ROSA does not support. */
import { nodeLimitOf } from "../../../karpenter/disruption/node-limit.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { roomOf } from "../../running/node-lifetime.ts";

/** See docs/upstream/karpenter.md#static-pools. */
export function staticCapacityOff({ explanations }: ExplainedCluster): Finding[] {
  return explanations.flatMap(({ pool: { wrapper }, noNodes }) =>
    noNodes
      .filter(({ code }) => code === "static-capacity-off")
      .map(({ code, place: { resource, path }, message, hint }) =>
        findingAt(code, resource, path, { message: `${describeResource(wrapper)}: ${message}`, hint }),
      ),
  );
}

/** Drift of a static pool waits for room under its node limit, which never comes (docs/upstream/karpenter.md#static-pools). */
export function staticNeverRolls({ explanations, knownTypes: { karpenter } }: ExplainedCluster): Finding[] {
  const terminatesFirst = karpenter?.gates.has("TerminateFirstDrift") ?? false;
  return explanations.flatMap(({ pool: { wrapper, replicas, spec }, noNodes }) => {
    const limit = nodeLimitOf(spec.limits, "Soft");
    if (replicas === undefined || replicas === 0 || limit === undefined || limit.nodes === 0) return [];
    const room = roomOf({ limit, replicas, terminatesFirst }, Math.min(replicas, limit.nodes));
    if (room === undefined || room > 0 || noNodes.some(({ code }) => code === "static-capacity-off")) return [];
    const message = `${describeResource(wrapper)} keeps ${replicas} nodes within a limit of ${limit.nodes}: Karpenter launches a replacement first, and has no room for one, so it never replaces a drifted node`;
    const hint = "raise limits.nodes above replicas, or turn on the feature gate TerminateFirstDrift (Karpenter 1.15)";
    return [findingAt("static-never-rolls", wrapper, ["spec", "limits", "nodes"], { message, hint })];
  });
}

/** See docs/upstream/hypershift.md#rosa and docs/upstream/karpenter.md#static-pools. */
export function rosaReplicas({ pools }: ExplainedCluster): Finding[] {
  return pools
    .filter(({ replicas }) => replicas !== undefined)
    .map(({ wrapper }) => {
      const message = `${describeResource(wrapper)} has a fixed number of nodes: ROSA does not support it, and its Karpenter launches no nodes for the pool`;
      const hint = "make a pool without spec.replicas: Karpenter then launches the nodes that pods need";
      return findingAt("rosa-replicas", wrapper, ["spec", "replicas"], { message, hint });
    });
}
