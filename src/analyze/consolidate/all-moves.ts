/** All moves that Karpenter would make, one after the other, until it takes no node any more. */
import { INSTANCE_TYPE } from "../../karpenter/catalogue/catalogue.ts";
import type { Command } from "../../karpenter/consolidation/cluster.ts";
import { CAPACITY_TYPE, NODE_POOL, ZONE } from "../../model/requirements/label-keys.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import type { ChangingCluster, Outcome } from "./changing-cluster.ts";
import { commandsOf, type Method, METHODS } from "../moves/next-command.ts";
import type { Disruption } from "../moves/running-cluster.ts";

export interface Move {
  readonly method: Method;
  readonly command: Command;
  readonly outcome: Outcome;
}

export interface AllMoves {
  readonly moves: readonly Move[];
  /**
   * Why there is no other move: nothing is found, no pool may get nodes, the last moves would come again and again, or anp
   * looks no further.
   */
  readonly stops: "settled" | "no-pools" | "circle" | "too-many";
  /** With `circle`, how many of the last moves come again. */
  readonly again: number;
}

/** More moves than these are not looked for. */
export const MOST_MOVES = 1000;

/**
 * `Reconcile` (pkg/controllers/disruption/controller.go), again and again: each command is carried out before the next one
 * is looked for.
 *
 * @param cluster one in which nothing is under way; afterwards, the one in which nothing moves any more
 */
export function allMoves(cluster: ChangingCluster, most = MOST_MOVES): AllMoves {
  const moves: Move[] = [];
  const seen = new Map([[identityOf(cluster.disruption), 0]]);
  while (moves.length < most) {
    const next = nextCommands(cluster.disruption);
    if (typeof next === "string") return { moves, stops: next, again: 0 };
    const { method, commands } = next;
    moves.push(...commands.map((command) => ({ method, command, outcome: cluster.carryOut(command) })));
    const identity = identityOf(cluster.disruption);
    const before = seen.get(identity);
    if (before !== undefined) return { moves, stops: "circle", again: moves.length - before };
    seen.set(identity, moves.length);
  }
  return { moves, stops: "too-many", again: 0 };
}

/** Equal for clusters whose nodes are alike but for their names: a sum of hashes, since clusters are large. */
function identityOf({ nodeOf }: Disruption): string {
  let [one, other] = [0, 0];
  for (const state of nodeOf.keys()) {
    const hashes = hashesOf(state);
    one = (one + hashes[0]) % 2 ** 48;
    other = (other + hashes[1]) % 2 ** 48;
  }
  return `${String(nodeOf.size)} ${String(one)} ${String(other)}`;
}

const hashesOf = memoizeByObject(({ labels, life, drifted }: NodeState): readonly [number, number] => {
  const own = [NODE_POOL, INSTANCE_TYPE, ZONE, CAPACITY_TYPE].map((key) => labels[key] ?? "");
  const text = [...own, drifted === undefined ? "" : "drifted", ...life.pods.map(({ name }) => name).toSorted()].join(
    " ",
  );
  let [one, other] = [7, 11];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = (one * 31 + code) % 2 ** 42;
    other = (other * 257 + code) % (2 ** 42 - 11);
  }
  return [one, other];
});

/** The commands of the first method that has any. */
export function nextCommands(
  disruption: Disruption,
): { readonly method: Method; readonly commands: readonly Command[] } | "settled" | "no-pools" {
  for (const method of METHODS) {
    const commands = commandsOf(method, disruption);
    if (commands === "no-pools") return commands;
    if (commands.length > 0) return { method, commands };
  }
  return "settled";
}
