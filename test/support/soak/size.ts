/** How much a soak test tries: other cases each time, or in the short form fewer ones and always the same. */
import { seedOf } from "../property/seed.ts";

export const isShort = process.env["ANP_SOAK"] === "short";

export function casesOf(whole: number, short: number): number {
  return isShort ? short : whole;
}

export function soakSeed(suite: string): number {
  return seedOf(`${suite}, soak`, isShort ? 20_261_123 : Date.now() % 2 ** 31);
}
