/** The size of a volume as the policy and the older wrapper write it, 75Gi, and in whole GiB. */
import * as z from "zod/mini";
import { parseQuantity } from "./quantity.ts";

const NANO_GIB = 2n ** 30n * 10n ** 9n;

/** EC2NodeClass accepts nothing else (docs/upstream/karpenter.md#root-volume). */
const VOLUME_SIZE = /^[1-9][0-9]*(Gi|G|Ti|T)$/;

/** A new schema for each caller. */
export const volumeSize = () =>
  z
    .string({ error: ({ input }) => (Number.isInteger(input) ? `write ${String(input)}Gi` : undefined) })
    .check(
      z.regex(VOLUME_SIZE, { error: "is not a volume size: a whole number above 0 with Gi, G, Ti or T, such as 75Gi" }),
    );

interface WholeGiB {
  readonly size: number;
  /** Whether the size is exactly the same; it is for no number of G or T that EBS offers. */
  readonly exact: boolean;
}

/** The next whole number of GiB of a size such as `100G`: GiB is the only unit of a wrapper. */
export function wholeGiB(text: string): WholeGiB {
  const nano = parseQuantity(text)?.nano ?? 0n;
  return { size: Number((nano + NANO_GIB - 1n) / NANO_GIB), exact: nano % NANO_GIB === 0n };
}
