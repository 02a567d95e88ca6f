/** Compares what Karpenter's disruption controller would do in random worlds with what anp says. */
import { askKarpenter, type CommandReply, type MethodReply } from "./ask-karpenter.ts";
import { disruptionWorldOf } from "./generate.ts";
import { methodsOf } from "./moves-by-anp.ts";
import type { DisruptionWorld } from "./world.ts";

export interface Compared {
  /** By method and decision, how many commands; by event, how many. */
  readonly counts: Readonly<Record<string, number>>;
  /** Each with its seed. */
  readonly differences: readonly string[];
  readonly said: ReadonlySet<string>;
}

/** @param first the seed of the first world; the others follow */
export async function compareMoves(count: number, first: number): Promise<Compared> {
  const counts: Record<string, number> = {};
  const add = (what: string, more = 1): void => {
    counts[what] = (counts[what] ?? 0) + more;
  };
  const differences: string[] = [];
  const said = new Set<string>();
  const worlds = Array.from({ length: count }, (_, at) => disruptionWorldOf(first + at));
  const replies = await askKarpenter(worlds);
  for (const [at, world] of worlds.entries()) {
    const theirs = replies[at]!;
    add(world.style);
    if (typeof theirs === "string") {
      differences.push(`seed ${world.seed}: Karpenter panics: ${theirs}`);
      continue;
    }
    for (const { method, candidates, commands, said: events } of theirs) {
      add(`${method}: candidates`, candidates.length);
      for (const {
        decision,
        candidates: { length },
      } of commands)
        add(`${method}: ${decision}${method === "multi-node" ? ` of ${length}` : ""}`);
      for (const message of Object.values(events).flat()) said.add(message);
    }
    const next = theirs.find(({ commands }) => commands.length > 0);
    add(`next: ${next?.method ?? "nothing"}`);
    const difference = differenceOf(world, theirs);
    if (difference !== undefined) differences.push(difference);
  }
  return { counts, differences, said };
}

export function differenceOf(world: DisruptionWorld, theirs: readonly MethodReply[]): string | undefined {
  let ours: readonly MethodReply[];
  try {
    ours = methodsOf(world);
  } catch (error) {
    return `seed ${world.seed}: anp: ${(error as Error).stack ?? String(error)}`;
  }
  const lines = theirs.flatMap((reply, at) => linesBetween(ours[at]!, reply));
  if (lines.length === 0) return undefined;
  const said = theirs.flatMap((reply) =>
    Object.entries(reply.said).map(([of, all]) => `  ${reply.method} on ${of}: ${all.join(" | ").slice(0, 300)}`),
  );
  return `seed ${world.seed} (${world.style}; ${world.features.join(", ")}):\n${lines.join("\n")}\n${said.join("\n")}`;
}

/** What only one of both decides. */
export function linesBetween(ours: MethodReply, theirs: MethodReply): string[] {
  const own = linesOf(ours);
  const other = linesOf(theirs);
  return [
    ...own.filter((line) => !other.includes(line)).map((line) => `anp:       ${line}`),
    ...other.filter((line) => !own.includes(line)).map((line) => `Karpenter: ${line}`),
  ];
}

function linesOf({ method, candidates, commands, error }: MethodReply): string[] {
  return [
    `${method} candidates: ${candidates.join(" ")}`,
    ...(error === undefined ? [] : [`${method}: it stops`]),
    ...commands.map((one) => lineOf(method, one)),
  ];
}

export function lineOf(
  method: string,
  { candidates, decision, replacements, savings, existing }: CommandReply,
): string {
  const claims = replacements.map(({ nodePool, pods, instanceTypes, zones, capacityTypes }) => {
    const types = instanceTypes === null || method === "static-drift" ? "" : instanceTypes.toSorted().join(" ");
    return method === "static-drift"
      ? ""
      : `${nodePool} for ${pods.join(" ")}: ${zones.join(" ")}; ${capacityTypes.join(" ")}; ${types}`;
  });
  const on = existing.map(({ node, pods }) => `${node} ${pods.join(" ")}`).toSorted();
  const money = method === "static-drift" || method === "drift" ? "" : `; saves ${savings.toFixed(5)}`;
  return `${method} ${decision} ${candidates.join(" ")} -> ${claims.toSorted().join(" + ")}${money}; on ${on.join(", ")}`;
}
