/** How long a cluster waits whose worker ended, and who ended one by itself. */
import { AFTER_CUT_MS } from "../end-work.ts";

export interface Suspects {
  /** Its worker ended: it did that, or another one. */
  readonly suspect: (namespace: string) => void;
  /** A worker ended that had no other cluster. */
  readonly convict: (namespace: string) => void;
  /** It was tried, and nothing happened. Should it be found guilty again, it waits for longer all the same. */
  readonly acquit: (namespace: string) => void;
  readonly isSuspect: (namespace: string) => boolean;
  /** Of late. */
  readonly wasGuilty: (namespace: string) => boolean;
  /** Milliseconds until it may be tried. */
  readonly waitMs: (namespace: string) => number;
}

interface Accused {
  /** Workers that ended with it alone. */
  readonly ends: number;
  readonly until: number;
  readonly isSuspect: boolean;
}

const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

/** Whoever has been well for so long begins anew. */
export const FORGOTTEN_MS = 60 * 60_000;

/** @param now milliseconds of a clock that only goes on */
export function suspects(now: () => number): Suspects {
  const known = new Map<string, Accused>();
  const accuse = (namespace: string, more: number): void => {
    for (const [other, { until }] of known) if (now() - until > FORGOTTEN_MS) known.delete(other);
    const ends = (known.get(namespace)?.ends ?? 0) + more;
    known.set(namespace, { ends, until: now() + waitAfter(ends), isSuspect: true });
  };
  return {
    suspect: (namespace) => accuse(namespace, 0),
    convict: (namespace) => accuse(namespace, 1),
    acquit: (namespace) => {
      const one = known.get(namespace);
      if (one !== undefined) known.set(namespace, { ...one, until: now(), isSuspect: false });
    },
    isSuspect: (namespace) => known.get(namespace)?.isSuspect === true,
    wasGuilty: (namespace) => (known.get(namespace)?.ends ?? 0) > 0,
    waitMs: (namespace) => Math.max(0, (known.get(namespace)?.until ?? 0) - now()),
  };
}

/** Whoever is found guilty of nothing waits no longer than what was under way takes to end, however often. */
function waitAfter(ends: number): number {
  return ends === 0 ? AFTER_CUT_MS : Math.min(FIRST_MS * 2 ** (ends - 1), LONGEST_MS);
}
