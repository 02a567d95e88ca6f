/** Builds values at their first use and keeps them, because a run may not need them. */

/** Building a schema costs more than using it once. */
export function memoize<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => (built ??= { value: build() }).value;
}

/** One value for each object, for the lifetime of the object. */
export function memoizeByObject<K extends object, T extends object | string>(build: (key: K) => T): (key: K) => T {
  const built = new WeakMap<K, T>();
  return (key) => {
    const known = built.get(key);
    if (known !== undefined) return known;
    const value = build(key);
    built.set(key, value);
    return value;
  };
}

/** One value for each key. */
export function memoizeByKey<K, T>(build: (key: K) => T): (key: K) => T {
  const built = new Map<K, T>();
  return (key) => {
    const value = built.has(key) ? built.get(key)! : build(key);
    built.set(key, value);
    return value;
  };
}

/** One value for each pair of objects, for the lifetime of both. */
export function memoizeByPair<K extends object, L extends object, T extends object>(
  build: (first: K, second: L) => T,
): (first: K, second: L) => T {
  const built = memoizeByObject((first: K) => memoizeByObject((second: L) => build(first, second)));
  return (first, second) => built(first)(second);
}
