/** How long a cluster waits that was worked on when its worker ended. */
import { AFTER_CUT_MS } from "../end-work.ts";

export interface Suspects {
  /** It was in a pass when its worker ended. */
  readonly accuse: (namespace: string) => void;
  /** It was tried by itself, and nothing happened. Should it happen again, it waits for longer all the same. */
  readonly acquit: (namespace: string) => void;
  readonly isSuspect: (namespace: string) => boolean;
  /** Milliseconds until it may be tried by itself. */
  readonly waitMs: (namespace: string) => number;
}

interface Accused {
  /** Workers in a row that ended with it. */
  readonly ends: number;
  readonly until: number;
  readonly isSuspect: boolean;
}

/** The first time it may have been another one: it waits no longer than what was under way takes to end. */
const FIRST_AGAIN_MS = 15_000;
const LONGEST_MS = 10 * 60_000;

/** Whoever has been well for so long begins anew. */
const FORGOTTEN_MS = 60 * 60_000;

/** @param now milliseconds of a clock that only goes on */
export function suspects(now: () => number): Suspects {
  const known = new Map<string, Accused>();
  return {
    accuse: (namespace) => {
      for (const [other, { until }] of known) if (now() - until > FORGOTTEN_MS) known.delete(other);
      const ends = (known.get(namespace)?.ends ?? 0) + 1;
      known.set(namespace, { ends, until: now() + waitAfter(ends), isSuspect: true });
    },
    acquit: (namespace) => {
      const one = known.get(namespace);
      if (one !== undefined) known.set(namespace, { ...one, until: now(), isSuspect: false });
    },
    isSuspect: (namespace) => known.get(namespace)?.isSuspect === true,
    waitMs: (namespace) => Math.max(0, (known.get(namespace)?.until ?? 0) - now()),
  };
}

function waitAfter(ends: number): number {
  return ends === 1 ? AFTER_CUT_MS : Math.min(FIRST_AGAIN_MS * 2 ** (ends - 1), LONGEST_MS);
}
