/** Converts a volume size such as `100G` to the next whole number of GiB. */
import { parseQuantity } from "./quantity.ts";

const NANO_GIB = 2n ** 30n * 10n ** 9n;

export interface WholeGiB {
  readonly size: number;
  /** Whether the size is exactly the same; it is for no number of G or T that EBS offers. */
  readonly exact: boolean;
}

/** GiB is the only unit of a wrapper. */
export function wholeGiB(text: string): WholeGiB {
  const nano = parseQuantity(text)?.nano ?? 0n;
  return { size: Number((nano + NANO_GIB - 1n) / NANO_GIB), exact: nano % NANO_GIB === 0n };
}
