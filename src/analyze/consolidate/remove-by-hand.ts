/** What comes of the pods of nodes that someone drains, and what holds the drain. */
import { idOf } from "../../karpenter/consolidation/remove-nodes.ts";
import { planRound } from "../plan/plan-round.ts";
import { worldWithout } from "../../karpenter/consolidation/remove-nodes.ts";
import { podsHolding } from "../disrupt/node-blockers.ts";
import type { ChangingCluster } from "./changing-cluster.ts";
import { describeNode, describeOutcome, savings } from "./describe-moves.ts";
import type { MovesAnswer } from "./moves-answer.ts";

/** All at once. Karpenter launches nodes for pods that have no room elsewhere. */
export function removeByHand(changing: ChangingCluster, names: readonly string[]): NonNullable<MovesAnswer["removal"]> {
  const { nodeOf, cluster, world } = changing.disruption;
  const own = [...nodeOf].filter(([{ life }]) => names.includes(life.name));
  const before = new Set(cluster.pending.map(idOf));
  const removed = own.map(([, node]) => describeNode(node, cluster));
  const held = own.flatMap(([state]) =>
    podsHolding(state, world.at).map(({ message }) => ({ node: state.life.name, why: message })),
  );
  const lost = own.flatMap(([{ life }]) =>
    life.pods.flatMap(({ name, reschedulable, owned }) => (reschedulable && !owned ? [name] : [])),
  );
  const change = describeOutcome(changing.remove(names), cluster);
  const now = changing.disruption;
  const { unplaced } = planRound({ world: worldWithout(now.cluster, [], undefined), targets: now.targets });
  return {
    removed,
    ...change,
    unplaced: unplaced.flatMap((one) =>
      before.has(idOf(one.pod)) ? [] : [{ pod: idOf(one.pod), why: now.withoutNode(one).why }],
    ),
    held,
    lost,
    saves: savings(removed, change.started),
  };
}
