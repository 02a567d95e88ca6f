/** Runs Karpenter's own provisioner on worlds. */
import { askProgram } from "../go/ask-program.ts";
import { type Manifest, ownersOf, pendingPods, type World } from "./world.ts";

/** What a plan decides, of Karpenter or of anp. Pods are `namespace/name`. */
export interface Outcome {
  readonly nodeClaims: readonly PlannedClaim[];
  readonly existing: readonly { readonly node: string; readonly pods: readonly string[] }[];
  /** Pods without a node, and why. */
  readonly errors: Readonly<Record<string, string>>;
  /** Of a plan of anp: its sums over ties. */
  readonly range?: Range;
}

export interface Range {
  readonly nodes: Between;
  readonly placed: Between;
  /** Null if a price is not known. */
  readonly hourly: Between | null;
  /** Whether Karpenter does not go beyond it. */
  readonly complete: boolean;
}

interface Between {
  readonly least: number;
  readonly most: number;
}

export interface PlannedClaim {
  readonly nodePool: string;
  readonly pods: readonly string[];
  /** The cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly requests: Readonly<Record<string, string>>;
  /** An hour, of the cheapest offering. */
  readonly price: number;
}

/** One of the distinct outcomes of many runs. */
export interface KarpentersOutcome extends Outcome {
  readonly count: number;
}

interface Reply {
  readonly outcomes?: readonly KarpentersOutcome[];
  readonly panic?: string;
}

/** For each world the distinct outcomes, or Karpenter's panic. */
export async function askKarpenter(
  worlds: readonly World[],
  runs: number,
): Promise<(readonly KarpentersOutcome[] | string)[]> {
  return await ask("oracle-scheduler", worlds, runs);
}

/**
 * The outcome of a Karpenter that takes the first by name where domains are equally good, and lists objects in the order
 * of the world, or its panic. Where many such choices follow each other, few runs of Karpenter have the same outcome.
 */
export async function askKarpenterByName(worlds: readonly World[]): Promise<(KarpentersOutcome | string)[]> {
  const answers = await ask("oracle-scheduler-by-name", worlds, 1);
  return answers.map((answer) => (typeof answer === "string" ? answer : answer[0]!));
}

async function ask(
  program: "oracle-scheduler" | "oracle-scheduler-by-name",
  worlds: readonly World[],
  runs: number,
): Promise<(readonly KarpentersOutcome[] | string)[]> {
  const replies = await askProgram<Reply>(
    program,
    worlds.map((world) => ({
      objects: objectsOf(world),
      types: world.types,
      options: world.options,
      runs,
      inOrder: program === "oracle-scheduler-by-name",
    })),
  );
  return replies.map(({ outcomes = [], panic }) => panic ?? outcomes);
}

/** All objects of a world, as they are in a cluster. */
export function objectsOf(world: World): Manifest[] {
  const pods = pendingPods(world).map((pod, at): Manifest => {
    const { metadata } = pod as { metadata: Manifest };
    // Pods with the same requests are tried in the order of their UIDs, and anp takes the order of its input.
    return { ...pod, metadata: { ...metadata, uid: String(at).padStart(9, "0") } };
  });
  // Pods of files come first in anp, too.
  return [...world.pools, ...world.daemons, ...pods, ...ownersOf(world), ...world.cluster];
}
