/** Until when and for which shards requests may go out: known to all threads at once. */

/** As the main thread sets it. */
export interface SharedFence {
  readonly buffer: SharedArrayBuffer;
  /** By the clock of `performance.now()` here; -Infinity lets nothing out any more. */
  readonly setUntil: (milliseconds: number) => void;
  readonly setShard: (shard: number, isOpen: boolean) => void;
  /** Whether all that changes in the management cluster is told. */
  readonly setTold: (isTold: boolean) => void;
}

/** As a thread that works sees it. */
export interface SeenFence {
  readonly isOpen: (shard: number) => boolean;
  /** Nothing may go out, for any shard. */
  readonly isShut: () => boolean;
  readonly isTold: () => boolean;
}

const NS_PER_MS = 1e6;
const UNTIL_BYTES = 8;
const FIRST_SHARD = UNTIL_BYTES + Int32Array.BYTES_PER_ELEMENT;
const NEVER = 0n;
const ALWAYS = 2n ** 63n - 1n;

/** Shut, until something is set. @param shards how many there are */
export function sharedFence(shards: number): SharedFence {
  const buffer = new SharedArrayBuffer(FIRST_SHARD + shards * Int32Array.BYTES_PER_ELEMENT);
  const { until, told, open } = cellsOf(buffer);
  return {
    buffer,
    setUntil: (milliseconds) => void Atomics.store(until, 0, momentOf(milliseconds)),
    setTold: (isTold) => void Atomics.store(told, 0, Number(isTold)),
    setShard: (shard, isOpen) => void Atomics.store(open, shard, Number(isOpen)),
  };
}

/** Asked right before each request: a thread that stood still, or whose main thread does, finds it shut in time. */
export function seenFence(buffer: SharedArrayBuffer): SeenFence {
  const { until, told, open } = cellsOf(buffer);
  const isTold = (): boolean => Atomics.load(told, 0) === 1;
  const isShut = (): boolean => process.hrtime.bigint() >= Atomics.load(until, 0);
  return { isShut, isTold, isOpen: (shard) => Atomics.load(open, shard) === 1 && !isShut() };
}

function cellsOf(buffer: SharedArrayBuffer) {
  return {
    until: new BigInt64Array(buffer, 0, 1),
    told: new Int32Array(buffer, UNTIL_BYTES, 1),
    open: new Int32Array(buffer, FIRST_SHARD),
  };
}

/**
 * Each thread counts `performance.now()` from its own start; `hrtime` is one clock for all. It is asked first: who is
 * stopped between the two comes out too early, and never too late.
 */
function momentOf(milliseconds: number): bigint {
  if (milliseconds === -Infinity) return NEVER;
  if (milliseconds === Infinity) return ALWAYS;
  return process.hrtime.bigint() + BigInt(Math.floor((milliseconds - performance.now()) * NS_PER_MS));
}
