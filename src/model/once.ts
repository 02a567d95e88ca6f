/** Builds things at their first use and keeps them, because a run may not need them. */

/** Building a schema costs more than using it once. */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => (built ??= { value: build() }).value;
}

/** One for each object, as long as somebody has it. */
export function oncePerObject<K extends object, T extends object>(build: (key: K) => T): (key: K) => T {
  const built = new WeakMap<K, T>();
  return (key) => {
    const known = built.get(key);
    if (known !== undefined) return known;
    const value = build(key);
    built.set(key, value);
    return value;
  };
}

/** One for each key. */
export function oncePer<K, T>(build: (key: K) => T): (key: K) => T {
  const built = new Map<K, T>();
  return (key) => {
    const value = built.has(key) ? built.get(key)! : build(key);
    built.set(key, value);
    return value;
  };
}
