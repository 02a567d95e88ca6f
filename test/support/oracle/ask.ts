/** Asks Karpenter itself: questions in, one reply for each out. */
import { askProgram } from "../go/ask-program.ts";

export interface Reply {
  readonly answer?: unknown;
  /** What Karpenter panicked with, on input that its validation would have refused. */
  readonly panic?: string;
}

/** @param questions objects with the `op` that the program knows them by */
export function askOracle(questions: readonly { readonly op: string }[]): Promise<Reply[]> {
  return askProgram("oracle", questions);
}
