/** Why the nodes that are left stay, by reason. */
import { blockersOf } from "../disrupt/blockers.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import type { MovesAnswer } from "./moves-answer.ts";
import { removalOf } from "../moves/removal-of.ts";
import type { Disruption } from "../moves/running-cluster.ts";

type Staying = MovesAnswer["staying"][number];

/** The most frequent first. */
export function stayingNodes(disruption: Disruption): Staying[] {
  const { nodeOf } = disruption;
  const all = [...nodeOf.keys()].map((state) => ({ node: state.life.name, ...whyStays(state, disruption) }));
  return [...Map.groupBy(all, ({ code }) => code)]
    .map(([code, own]) => ({ code, message: own[0]!.message, nodes: own.map(({ node }) => node).toSorted() }))
    .toSorted((a, b) => b.nodes.length - a.nodes.length || (a.code < b.code ? -1 : 1));
}

/** What holds a node that is not empty; the first, as Karpenter reports it. */
function whyStays(state: NodeState, disruption: Disruption): Pick<Staying, "code" | "message"> {
  const { world, nodeNamed } = disruption;
  const blockers = blockersOf(state, "Underutilized", world);
  const first = blockers.find(({ code }) => code !== "empty") ?? blockersOf(state, "Empty", world)[0];
  if (first !== undefined && blockers.length > 0) return { code: first.code, message: first.message };
  const candidate = nodeNamed(state.life.name);
  if (candidate === undefined) return { code: "pool-not-found", message: "its NodePool is not among the input" };
  const { code, message } = removalOf(disruption, candidate);
  return { code, message };
}
