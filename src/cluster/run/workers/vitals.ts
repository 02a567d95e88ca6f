/** What a worker says of itself without a message: that its loop turns, and its memory. */

const BEATS = 0;
const HEAP_MIB = 1;
const OUTSIDE_MIB = 2;
const IS_OVER = 3;
const CELLS = 4;

const MIB = 1024 * 1024;

/** Of a worker that runs. */
export interface Vitals {
  readonly beats: () => number;
  /** Objects and strings, which its limit is for, and what stands outside of the heap, such as buffers. */
  readonly heapMiB: () => number;
  readonly outsideMiB: () => number;
  /** It sends nothing more, whenever it goes on. */
  readonly end: () => void;
  readonly isOver: () => boolean;
  readonly beat: (heapBytes: number, outsideBytes: number) => void;
}

export function newVitals(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
}

export function vitalsOf(buffer: SharedArrayBuffer): Vitals {
  const cells = new Int32Array(buffer);
  const read = (cell: number) => (): number => Atomics.load(cells, cell);
  return {
    beats: read(BEATS),
    heapMiB: read(HEAP_MIB),
    outsideMiB: read(OUTSIDE_MIB),
    end: () => void Atomics.store(cells, IS_OVER, 1),
    isOver: () => Atomics.load(cells, IS_OVER) === 1,
    beat: (heapBytes, outsideBytes) => {
      Atomics.store(cells, HEAP_MIB, Math.ceil(heapBytes / MIB));
      Atomics.store(cells, OUTSIDE_MIB, Math.ceil(outsideBytes / MIB));
      Atomics.add(cells, BEATS, 1);
    },
  };
}
