/** What a process of fake guest clusters can be asked to do. */

/** What a guest has at the start. */
export interface GuestFill {
  readonly pools: number;
  /** Each wrapper has an annotation of 250 kB. */
  readonly annotated: boolean;
  /** Before each answer; null never answers. */
  readonly delayMs: number | null;
}

export interface LoggedWrite {
  readonly guest: string;
  /** `PATCH /apis/karpenter.sh/v1/nodepools/web` */
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly token: string;
}

/** Of the process's own event loop, in milliseconds. */
export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

type Eventually<Value> = Value | Promise<Value>;

export interface FarmTable {
  /** With a certificate of 127.0.0.1 and its key, for all of them. */
  readonly open: (tls: { readonly cert: string; readonly key: string }) => Eventually<void>;
  /** Out comes its port. */
  readonly add: (name: string, fill: GuestFill) => Eventually<number>;
  readonly setTokens: (name: string, tokens: readonly string[]) => Eventually<void>;
  /** What it answers ends a process that was started with ending-guest.ts; null ends that. */
  readonly setEnds: (name: string, ends: "passes" | "watches" | null) => Eventually<void>;
  /** A user changes the wrapper `web` of each, one after another over this time. */
  readonly change: (names: readonly string[], overMs: number) => Eventually<void>;
  /** How long each pool `web` took to follow, since the last `change`, and whose has not. */
  readonly reactions: () => Eventually<{
    readonly milliseconds: readonly number[];
    readonly missing: readonly string[];
    readonly lag: Lag;
  }>;
  /** Changes those wrappers again and again; no names end it. */
  readonly beat: (names: readonly string[], everyMs: number) => Eventually<void>;
  /** Of each guest where they differ: wrappers whose pool is not there or says something else, and pools without one. */
  readonly unlike: () => Eventually<Readonly<Record<string, readonly string[]>>>;
  readonly writes: () => Eventually<readonly LoggedWrite[]>;
  readonly counts: () => Eventually<Readonly<Record<string, { readonly requests: number; readonly watches: number }>>>;
}

export interface FarmRequest {
  readonly id: number;
  readonly method: keyof FarmTable;
  readonly args: readonly unknown[];
}

export type FarmAnswer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });
