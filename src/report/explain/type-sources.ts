/** The sources of the instance types that an answer uses. */
import type { DescribedCatalogue } from "../../analyze/explain/pool-answer.ts";
import { printable } from "../terminal/printable.ts";

/**
 * `(instance types: Amazon EC2, all regions, 2026-08)`; several if hosted clusters have their own.
 *
 * @param catalogue for clusters without a catalogue of their own
 */
export function instanceTypesWords(
  asked: readonly { readonly catalogue?: DescribedCatalogue }[],
  catalogue: DescribedCatalogue,
): string {
  const all = asked.length === 0 ? [catalogue] : asked.map((one) => one.catalogue ?? catalogue);
  const words = new Set(all.map(({ source, date }) => `${source}, ${date}`));
  return `(instance types: ${printable([...words].join("; "))})`;
}
