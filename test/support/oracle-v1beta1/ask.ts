/** Asks Karpenter 1.0.8 itself: questions in, one reply for each out. */
import type { KarpenterVersion } from "../../../src/karpenter/conversion/convert-object.ts";
import type { Fields } from "../../../src/karpenter/conversion/plain-fields.ts";
import { askProgram } from "../go/ask-program.ts";

export type Question =
  /** What its webhook makes of an object. */
  | {
      readonly op: "convert";
      readonly to: KarpenterVersion;
      readonly object: Fields;
      readonly nodePools: readonly Fields[];
    }
  /** An object as it would write it itself. */
  | { readonly op: "read"; readonly object: Fields };

export interface Reply {
  readonly object?: Fields;
  readonly error?: string;
  readonly panic?: string;
}

export function askConversionOracle(questions: readonly Question[]): Promise<Reply[]> {
  return askProgram("oracle-v1beta1", questions);
}
