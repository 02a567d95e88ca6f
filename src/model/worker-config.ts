/** The threads of a watch that finds its clusters: how many, and how much memory each may have. */
import * as z from "zod/mini";

const MOST_WORKERS = 64;
const LEAST_MIB = 64;

const MIB_OF = { Mi: 1, Gi: 1024 } as const;

/** MiB; undefined for what is no such memory. */
export function parseMemory(text: string): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,5})(Mi|Gi)$/.exec(text) ?? [];
  const mib = Number(number) * MIB_OF[unit as keyof typeof MIB_OF];
  return mib >= LEAST_MIB ? mib : undefined;
}

export const workers = () =>
  z.strictObject({
    /** As many as processors and at most 4 when left out; 0: the main thread does all. */
    count: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_WORKERS))),
    /** Of each; a share of the container's when left out. */
    memory: z.optional(
      z.string().check(
        z.refine((value) => parseMemory(value) !== undefined, {
          error: `is no memory of a worker: write such as 256Mi or 1Gi, and ${LEAST_MIB}Mi or more`,
        }),
      ),
    ),
  });
