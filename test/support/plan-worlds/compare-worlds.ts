/** Compares anp's plans with Karpenter's on many random worlds, and makes a world small on which they differ. */
import { askKarpenter, askKarpenterByName, type Outcome } from "./ask-karpenter.ts";
import { beyondRange, differenceOf } from "./compare.ts";
import { allowedFeatures, type Feature } from "./features.ts";
import { worldOf } from "./generate.ts";
import { planOf } from "./plan-by-anp.ts";
import { shrink } from "./shrink.ts";
import type { World } from "./world.ts";

/** Karpenter chooses at random where one of these counts. */
const WITH_TIES: readonly Feature[] = ["spread", "podAffinity", "antiAffinity", "defaultSpread"];
const RUNS = 50;
/** Without ties, each run has the same outcome. */
const FEW_RUNS = 5;
/** Worlds in memory at once. */
const CHUNK = 250;
/** Making a world small takes half a minute. */
const MOST_SHRUNK = 3;

export interface Compared {
  /** By feature, how many worlds have it. */
  readonly counts: Readonly<Record<string, number>>;
  readonly pods: number;
  readonly nodeClaims: number;
  /** Pods on nodes that are there. */
  readonly onNodes: number;
  readonly unplaced: number;
  /** Worlds with several outcomes in Karpenter's runs, and those of them where anp's plan is one of the outcomes. */
  readonly several: number;
  readonly amongSeveral: number;
  /** Those of them where Karpenter cannot go beyond the range of the plan. */
  readonly complete: number;
  /** The others where a run of Karpenter goes beyond it. */
  readonly beyond: number;
  /** Each with its seed. */
  readonly differences: readonly string[];
}

/** @param first the seed of the first world; the others follow */
export async function compareWorlds(count: number, first: number): Promise<Compared> {
  const allowed = allowedFeatures();
  const sums = { pods: 0, nodeClaims: 0, onNodes: 0, unplaced: 0, several: 0, amongSeveral: 0, complete: 0, beyond: 0 };
  const counts: Record<string, number> = {};
  const differing: { readonly world: World; readonly difference: string }[] = [];
  for (let from = 0; from < count; from += CHUNK) {
    const worlds = Array.from({ length: Math.min(CHUNK, count - from) }, (_, at) =>
      worldOf(first + from + at, allowed),
    );
    const byName = await askKarpenterByName(worlds);
    const runs = await runsOf(worlds);
    for (const [at, world] of worlds.entries()) {
      for (const feature of world.features) counts[feature] = (counts[feature] ?? 0) + 1;
      const theirs = byName[at]!;
      const all = runs[at]!;
      if (typeof theirs === "string" || typeof all === "string") {
        differing.push({ world, difference: `Karpenter panics: ${String(theirs)} ${String(all)}` });
        continue;
      }
      const ours = tryPlan(world);
      const difference = typeof ours === "string" ? ours : differenceOf(world, ours, [theirs]);
      if (difference !== undefined) differing.push({ world, difference });
      add(sums, theirs);
      const isAmong = typeof ours !== "string" && differenceOf(world, ours, all) === undefined;
      if (all.length > 1) {
        sums.several++;
        if (isAmong) sums.amongSeveral++;
        const outside = typeof ours === "string" ? undefined : beyondRange(ours, all);
        const isComplete = typeof ours !== "string" && ours.range?.complete === true;
        if (isComplete) sums.complete++;
        if (outside !== undefined && !isComplete) sums.beyond++;
        if (outside !== undefined && isComplete) differing.push({ world, difference: outside });
      } else if (!isAmong && difference === undefined) {
        differing.push({ world, difference: "Karpenter's only outcome is another one than with ties by name" });
      }
    }
  }
  const differences: string[] = [];
  for (const [at, { world, difference }] of differing.entries())
    differences.push(at < MOST_SHRUNK ? await smallest(world) : `seed ${world.seed}:\n${difference}`);
  return { counts, ...sums, differences };
}

function add(sums: { pods: number; nodeClaims: number; onNodes: number; unplaced: number }, outcome: Outcome): void {
  const { nodeClaims, existing, errors } = outcome;
  const podsIn = (all: readonly { readonly pods: readonly string[] }[]): number =>
    all.reduce((sum, { pods }) => sum + pods.length, 0);
  sums.pods += podsIn(nodeClaims);
  sums.nodeClaims += nodeClaims.length;
  sums.onNodes += podsIn(existing);
  sums.unplaced += Object.keys(errors).length;
}

/** Many runs only where outcomes may differ. */
async function runsOf(worlds: readonly World[]): ReturnType<typeof askKarpenter> {
  const hasTies = ({ features }: World): boolean => WITH_TIES.some((feature) => features.includes(feature));
  const some = worlds.filter(hasTies);
  const others = worlds.filter((world) => !hasTies(world));
  const answers = new Map<World, Awaited<ReturnType<typeof askKarpenter>>[number]>();
  for (const [part, runs] of [
    [some, RUNS],
    [others, FEW_RUNS],
  ] as const) {
    const replies = await askKarpenter(part, runs);
    for (const [at, world] of part.entries()) answers.set(world, replies[at]!);
  }
  return worlds.map((world) => answers.get(world)!);
}

/** The plan, or why there is none. */
function tryPlan(world: World): Outcome | string {
  try {
    return planOf(world);
  } catch (error) {
    return `anp: ${(error as Error).stack ?? String(error)}`;
  }
}

/** A small world on which the two differ, as text. */
async function smallest(world: World): Promise<string> {
  const small = await shrink(world, async (worlds) => {
    const theirs = await askKarpenterByName(worlds);
    return worlds.map((one, at) => differs(one, theirs[at]!));
  });
  const [theirs] = await askKarpenterByName([small]);
  const ours = tryPlan(small);
  const difference =
    typeof ours === "string" || typeof theirs === "string" ? String(ours) : differenceOf(small, ours, [theirs!]);
  return described(small, difference ?? "");
}

function differs(world: World, theirs: Outcome | string): boolean {
  const ours = tryPlan(world);
  if (typeof ours === "string" || typeof theirs === "string") return false;
  return differenceOf(world, ours, [{ ...theirs, count: 1 }]) !== undefined;
}

function described({ seed, features, ...world }: World, difference: string): string {
  const types = world.types.map(({ name, offerings }) => ({ name, offerings: offerings.length }));
  return `seed ${seed} (${features.join(", ")}):\n${difference}\n${JSON.stringify({ ...world, types }, undefined, 1)}`;
}
