/** Sorts as Go's sort.Slice does: equal elements keep the order that its algorithm gives them. */

type Less = (a: number, b: number) => boolean;

const MAX_INSERTION = 12;
const SHORTEST_NINTHER = 50;
const MAX_SWAPS = 12;
const MAX_STEPS = 5;
const SHORTEST_SHIFTING = 50;

type Hint = "unknown" | "increasing" | "decreasing";

/**
 * `pdqsort_func` of Go 1.26 (src/sort/zsortfunc.go), step by step. It is not stable, and Karpenter's order of NodeClaims
 * with equally many pods depends on it (docs/upstream/karpenter.md#order-of-nodeclaims).
 *
 * @param isLess compares two elements
 */
export function goSort<T>(list: T[], isLess: (a: T, b: T) => boolean): void {
  sorterOf(list, isLess).sort(0, list.length, bitLength(list.length));
}

/**
 * The same, for a list that is sorted but for one element: without a walk through it in nearly all cases.
 *
 * @param at the place of the element
 */
export function goSortMoved<T>(list: T[], at: number, isLess: (a: T, b: T) => boolean): void {
  if (list.length < SHORTEST_SHIFTING || !sorterOf(list, isLess).startsByShifting(list.length))
    return goSort(list, isLess);
  const moved = list[at]!;
  const isLarger = (other: number): boolean => isLess(moved, list[other]!);
  const isSmaller = (other: number): boolean => isLess(list[other]!, moved);
  // It passes elements that are equal to it neither forwards nor back.
  const place =
    at > 0 && isLarger(at - 1)
      ? firstOf(0, at, isLarger)
      : firstOf(at + 1, list.length, (other) => !isSmaller(other)) - 1;
  if (place === at) return;
  list.splice(at, 1);
  list.splice(place, 0, moved);
}

/** @param holds false up to a place, and true from it on */
function firstOf(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sorterOf<T>(list: T[], isLess: (a: T, b: T) => boolean): Sorter {
  const less: Less = (a, b) => isLess(list[a]!, list[b]!);
  const swap = (a: number, b: number): void => {
    const kept = list[a]!;
    list[a] = list[b]!;
    list[b] = kept;
  };
  return new Sorter(less, swap);
}

/** `bits.Len`. */
function bitLength(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

class Sorter {
  readonly #less: Less;
  readonly #swap: (a: number, b: number) => void;
  #swaps = 0;

  constructor(less: Less, swap: (a: number, b: number) => void) {
    this.#less = less;
    this.#swap = swap;
  }

  /** Whether `sort` first tries to shift few elements. */
  startsByShifting(length: number): boolean {
    const [, hint] = this.#choosePivot(0, length);
    return hint === "increasing";
  }

  sort(from: number, to: number, allowed: number): void {
    let [a, b, limit] = [from, to, allowed];
    let wasBalanced = true;
    let wasPartitioned = true;
    for (;;) {
      const length = b - a;
      if (length <= MAX_INSERTION) return this.#insertionSort(a, b);
      if (limit === 0) return this.#heapSort(a, b);
      if (!wasBalanced) {
        this.#breakPatterns(a, b);
        limit--;
      }
      let [pivot, hint] = this.#choosePivot(a, b);
      if (hint === "decreasing") {
        this.#reverse(a, b);
        pivot = b - 1 - (pivot - a);
        hint = "increasing";
      }
      if (wasBalanced && wasPartitioned && hint === "increasing" && this.#partialInsertionSort(a, b)) return;
      if (a > 0 && !this.#less(a - 1, pivot)) {
        a = this.#partitionEqual(a, b, pivot);
        continue;
      }
      const [mid, alreadyPartitioned] = this.#partition(a, b, pivot);
      wasPartitioned = alreadyPartitioned;
      const [left, right] = [mid - a, b - mid];
      const threshold = Math.floor(length / 8);
      if (left < right) {
        wasBalanced = left >= threshold;
        this.sort(a, mid, limit);
        a = mid + 1;
      } else {
        wasBalanced = right >= threshold;
        this.sort(mid + 1, b, limit);
        b = mid;
      }
    }
  }

  #insertionSort(a: number, b: number): void {
    for (let i = a + 1; i < b; i++) for (let j = i; j > a && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
  }

  #siftDown(low: number, high: number, first: number): void {
    let root = low;
    for (;;) {
      let child = 2 * root + 1;
      if (child >= high) return;
      if (child + 1 < high && this.#less(first + child, first + child + 1)) child++;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  #heapSort(a: number, b: number): void {
    const high = b - a;
    for (let i = Math.floor((high - 1) / 2); i >= 0; i--) this.#siftDown(i, high, a);
    for (let i = high - 1; i >= 0; i--) {
      this.#swap(a, a + i);
      this.#siftDown(0, i, a);
    }
  }

  #partition(a: number, b: number, pivot: number): readonly [mid: number, already: boolean] {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    while (i <= j && this.#less(i, a)) i++;
    while (i <= j && !this.#less(j, a)) j--;
    if (i > j) {
      this.#swap(j, a);
      return [j, true];
    }
    this.#swap(i, j);
    i++;
    j--;
    for (;;) {
      while (i <= j && this.#less(i, a)) i++;
      while (i <= j && !this.#less(j, a)) j--;
      if (i > j) break;
      this.#swap(i, j);
      i++;
      j--;
    }
    this.#swap(j, a);
    return [j, false];
  }

  #partitionEqual(a: number, b: number, pivot: number): number {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (;;) {
      while (i <= j && !this.#less(a, i)) i++;
      while (i <= j && this.#less(a, j)) j--;
      if (i > j) return i;
      this.#swap(i, j);
      i++;
      j--;
    }
  }

  #partialInsertionSort(a: number, b: number): boolean {
    let i = a + 1;
    for (let step = 0; step < MAX_STEPS; step++) {
      while (i < b && !this.#less(i, i - 1)) i++;
      if (i === b) return true;
      if (b - a < SHORTEST_SHIFTING) return false;
      this.#swap(i, i - 1);
      if (i - a >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (b - i >= 2) for (let j = i + 1; j < b && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  /** `xorshift`, seeded by the length. */
  #breakPatterns(a: number, b: number): void {
    const length = b - a;
    if (length < 8) return;
    let random = BigInt(length);
    const mask = BigInt(2 ** bitLength(length) - 1);
    const middle = a + Math.floor(length / 4) * 2;
    for (let at = middle - 1; at <= middle + 1; at++) {
      random = BigInt.asUintN(64, random ^ (random << 13n));
      random ^= random >> 7n;
      random = BigInt.asUintN(64, random ^ (random << 17n));
      let other = Number(random & mask);
      if (other >= length) other -= length;
      this.#swap(at, a + other);
    }
  }

  #choosePivot(a: number, b: number): [pivot: number, hint: Hint] {
    const length = b - a;
    this.#swaps = 0;
    const quarter = Math.floor(length / 4);
    let [i, j, k] = [a + quarter, a + quarter * 2, a + quarter * 3];
    if (length >= 8) {
      if (length >= SHORTEST_NINTHER) {
        i = this.#median(i - 1, i, i + 1);
        j = this.#median(j - 1, j, j + 1);
        k = this.#median(k - 1, k, k + 1);
      }
      j = this.#median(i, j, k);
    }
    if (this.#swaps === 0) return [j, "increasing"];
    return [j, this.#swaps === MAX_SWAPS ? "decreasing" : "unknown"];
  }

  #median(first: number, second: number, third: number): number {
    let [a, b, c] = [first, second, third];
    [a, b] = this.#ordered(a, b);
    [b, c] = this.#ordered(b, c);
    [a, b] = this.#ordered(a, b);
    return b;
  }

  #ordered(a: number, b: number): [number, number] {
    if (!this.#less(b, a)) return [a, b];
    this.#swaps++;
    return [b, a];
  }

  #reverse(a: number, b: number): void {
    for (let [i, j] = [a, b - 1]; i < j; i++, j--) this.#swap(i, j);
  }
}
