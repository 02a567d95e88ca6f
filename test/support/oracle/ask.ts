/** Sends questions to Karpenter's own code and returns one reply for each. */
import { askProgram } from "../go/ask-program.ts";
import { type KarpenterVersion, programOfKarpenter } from "../go/programs.ts";

export interface Reply {
  readonly answer?: unknown;
  /** Karpenter's panic, on input that its validation would have refused. */
  readonly panic?: string;
}

/** @param questions objects with an `op` that the program knows */
export function askOracle(
  questions: readonly { readonly op: string }[],
  karpenter: KarpenterVersion = "1.14",
): Promise<Reply[]> {
  return askProgram(programOfKarpenter("oracle", karpenter), questions);
}
