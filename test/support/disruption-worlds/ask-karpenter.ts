/** Runs Karpenter's own disruption controller on worlds. */
import type { Method } from "../../../src/analyze/moves/next-command.ts";
import { askProgram } from "../go/ask-program.ts";
import { objectsOf } from "../plan-worlds/ask-karpenter.ts";
import type { DisruptionWorld } from "./world.ts";

/** What a method would do if those before it did nothing. Nodes and pods are names; pods `namespace/name`. */
export interface MethodReply {
  readonly method: Method;
  readonly candidates: readonly string[];
  readonly commands: readonly CommandReply[];
  /** By node or pool, what events say. */
  readonly said: Readonly<Record<string, readonly string[]>>;
  /** The controller stops at it. */
  readonly error?: string;
}

export interface CommandReply {
  readonly candidates: readonly string[];
  readonly decision: string;
  readonly replacements: readonly {
    readonly nodePool: string;
    readonly pods: readonly string[];
    readonly instanceTypes: readonly string[] | null;
    readonly capacityTypes: readonly string[];
    readonly zones: readonly string[];
  }[];
  /** An hour. */
  readonly savings: number;
  readonly existing: readonly { readonly node: string; readonly pods: readonly string[] }[];
}

/** For each world what each method would do, or Karpenter's panic. */
export async function askKarpenter(worlds: readonly DisruptionWorld[]): Promise<(readonly MethodReply[] | string)[]> {
  const replies = await askProgram<{ readonly methods?: readonly MethodReply[]; readonly panic?: string }>(
    "oracle-scheduler-by-name",
    worlds.map((world) => ({
      op: "disruption",
      objects: objectsOf(world),
      types: world.types,
      options: world.options,
      now: world.now,
      gates: world.gates,
      inOrder: true,
    })),
  );
  return replies.map(({ methods = [], panic }) => panic ?? methods);
}
