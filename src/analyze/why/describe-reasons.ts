/** The blockers of a node by reason, as answers have them. */
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { type Blocker, LEAVING_REASONS } from "../disrupt/blocker.ts";
import { blockersOf } from "../disrupt/blockers.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import type { DisruptionWorld } from "../disrupt/world.ts";
import type { WhyAnswer } from "./why-answer.ts";

export type DescribedBlocker = WhyAnswer["reasons"][number]["blockers"][number];

export function describeReasons(node: NodeState, world: DisruptionWorld): WhyAnswer["reasons"] {
  return LEAVING_REASONS.map((reason) => {
    const blockers = blockersOf(node, reason, world).map(describeBlocker);
    return { reason, disruptable: blockers.length === 0, blockers, removal: null };
  });
}

export function describeBlocker({ code, message, resource, until, change }: Blocker): DescribedBlocker {
  return { code, message, resource, until: until === undefined ? null : formatRfc3339(until), change: change ?? null };
}
