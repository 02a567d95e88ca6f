/** Compares all moves in random worlds with what Karpenter's disruption controller would do after each of them. */
import { MOST_MOVES, nextCommands } from "../../../src/analyze/consolidate/all-moves.ts";
import type { ChangingCluster, Outcome } from "../../../src/analyze/consolidate/changing-cluster.ts";
import { placedPod } from "../../../src/analyze/consolidate/started-node.ts";
import { isReschedulable } from "../../../src/analyze/nodes/held-pod.ts";
import { textAt } from "../../../src/krm/places/text-at.ts";
import { type Manifest, pendingPods } from "../plan-worlds/world.ts";
import { askKarpenter, type MethodReply } from "./ask-karpenter.ts";
import { differenceOf, lineOf } from "./compare.ts";
import { changingClusterOf } from "./disruption-of-world.ts";
import { disruptionWorldOf } from "./generate.ts";
import { gatesOf, replyOf } from "./moves-by-anp.ts";
import type { DisruptionWorld } from "./world.ts";

export interface ComparedSequences {
  /** By method, how many moves; by number of moves, how many worlds. */
  readonly counts: Readonly<Record<string, number>>;
  readonly differences: readonly string[];
}

interface Sequence {
  readonly world: DisruptionWorld;
  readonly cluster: ChangingCluster;
  readonly moves: number;
}

/** Circles are cut here. */
const MOST = Math.min(MOST_MOVES, 15);

/** @param first the seed of the first world; the others follow */
export async function compareSequences(count: number, first: number): Promise<ComparedSequences> {
  const counts: Record<string, number> = {};
  const add = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const differences: string[] = [];
  let left = Array.from({ length: count }, (_, at) => begin(disruptionWorldOf(first + at)));
  while (left.length > 0) {
    const replies = await askKarpenter(left.map(({ world }) => world));
    left = left.flatMap((sequence, at): Sequence[] => {
      const { world, moves } = sequence;
      const theirs = replies[at]!;
      const found = typeof theirs === "string" ? theirs : compareNext(sequence, theirs);
      if (typeof found === "string") differences.push(`after ${moves} moves, seed ${world.seed}: ${found}`);
      if (typeof found === "string" || found.method === undefined || moves >= MOST) {
        add(`${moves} moves`);
        return [];
      }
      add(found.method);
      return [found.next];
    });
  }
  return { counts, differences };
}

/** What is under way has ended, and `consolidateAfter` is over. */
function begin(given: DisruptionWorld): Sequence {
  const waiting = pendingPods(given).map(unscheduled);
  const world = { ...given, workloads: [], cluster: [...given.cluster.map(ofSettled), ...waiting] };
  const cluster = changingClusterOf(world, gatesOf(world), Date.parse(world.now));
  const going = new Set(cluster.disruption.cluster.going.map(({ name }) => name));
  for (const object of world.cluster)
    if (object["kind"] === "NodeClaim" && textAt(object, ["metadata", "deletionTimestamp"]) !== undefined)
      going.add(nodeOfClaim(object));
  return { world: changed(world, going, cluster.finish()), cluster, moves: 0 };
}

function nodeOfClaim(claim: Manifest): string {
  const name = textAt(claim, ["metadata", "name"])!;
  return textAt(claim, ["status", "nodeName"]) ?? name.replace("claim-", "");
}

/** A NodeClaim whose `consolidateAfter` is over; other objects as they are. */
function ofSettled(object: Manifest): Manifest {
  if (object["kind"] !== "NodeClaim") return object;
  const { lastPodEventTime: _, ...status } = object["status"] as Manifest & { conditions: readonly Manifest[] };
  const conditions = status.conditions.map((one) => {
    if (one["type"] === "Consolidatable") return { ...one, status: "True" };
    return one["type"] === "Initialized" ? { ...one, lastTransitionTime: "2026-10-01T00:00:00Z" } : one;
  });
  return { ...object, status: { ...status, conditions } };
}

function unscheduled(pod: Manifest): Manifest {
  const { deletionTimestamp: _, finalizers: __, ...metadata } = pod["metadata"] as Manifest;
  const { nodeName: ___, ...spec } = pod["spec"] as Manifest;
  const uid = metadata["uid"] ?? metadata["name"];
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }];
  return { ...pod, metadata: { ...metadata, uid }, spec, status: { phase: "Pending", conditions } };
}

/** The objects after nodes have gone and what came of it. */
function changed(world: DisruptionWorld, gone: ReadonlySet<string>, { started, arrived }: Outcome): DisruptionWorld {
  const nodeOf = new Map(
    [...arrived].flatMap(([node, pods]) =>
      pods.map(({ shape, name }) => [`${shape.namespace}/${name}`, node] as const),
    ),
  );
  const cluster = world.cluster.flatMap((object): Manifest[] => {
    const name = textAt(object, ["metadata", "name"]) ?? "";
    if (object["kind"] === "Node") return gone.has(name) ? [] : [object];
    if (object["kind"] === "NodeClaim") return gone.has(nodeOfClaim(object)) ? [] : [object];
    if (object["kind"] !== "Pod") return [object];
    const now = nodeOf.get(`${textAt(object, ["metadata", "namespace"]) ?? "default"}/${name}`);
    if (now !== undefined) return [placedPod(object, now)];
    if (!gone.has(textAt(object, ["spec", "nodeName"]) ?? "")) return [object];
    return isReschedulable(object) ? [unscheduled(object)] : [];
  });
  const fresh = started.flatMap(({ objects }) => objects.map(ofSettled));
  return { ...world, cluster: [...cluster, ...fresh] };
}

function compareNext(
  { world, cluster, moves }: Sequence,
  theirs: readonly MethodReply[],
): string | { readonly method: string | undefined; readonly next: Sequence } {
  const reread = differenceOf(world, theirs);
  if (reread !== undefined) return `the dump read again: ${reread}`;
  const next = nextCommands(cluster.disruption);
  const reply = theirs.find(({ commands, error }) => commands.length > 0 || error !== undefined);
  if (typeof next === "string")
    return reply?.commands.length === 0 || reply === undefined
      ? { method: undefined, next: { world, cluster, moves } }
      : `anp stops (${next}), Karpenter: ${linesOf(reply).join("\n")}`;
  const ours = next.commands.map((one) => lineOf(next.method, replyOf(one, cluster.disruption.cluster)));
  const others = reply === undefined ? [] : linesOf(reply);
  if (ours.toSorted().join("\n") !== others.toSorted().join("\n"))
    return `anp:       ${ours.join("\n")}\nKarpenter: ${others.join("\n")}`;
  const after = next.commands.reduce((now, command) => {
    const gone = new Set(command.candidates.map(({ node }) => node.name));
    return changed(now, gone, cluster.carryOut(command));
  }, world);
  return { method: next.method, next: { world: after, cluster, moves: moves + next.commands.length } };
}

function linesOf({ method, commands }: MethodReply): string[] {
  return commands.map((one) => lineOf(method, one));
}
