/** Sends questions to Karpenter 1.0.8's own code and returns one reply for each. */
import type { KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import type { Fields } from "../../../src/krm/values/fields.ts";
import { askProgram } from "../go/ask-program.ts";

export type Question =
  /** Its webhook's conversion of an object. */
  | {
      readonly op: "convert";
      readonly to: KarpenterVersion;
      readonly object: Fields;
      readonly nodePools: readonly Fields[];
    }
  /** An object as Karpenter would write it. */
  | { readonly op: "read"; readonly object: Fields };

export interface Reply {
  readonly object?: Fields;
  readonly error?: string;
  readonly panic?: string;
}

export function askConversionOracle(questions: readonly Question[]): Promise<Reply[]> {
  return askProgram("oracle-v1beta1", questions);
}
