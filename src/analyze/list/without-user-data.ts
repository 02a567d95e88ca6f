/** Karpenter's objects without user data, for somebody's eyes. */

type PlainObject = Readonly<Record<string, unknown>>;

/** kubectl keeps there the whole object as it was applied. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** With the names of those that had some. */
export function withoutUserData(objects: readonly PlainObject[]): { objects: PlainObject[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const kept = objects.map((object) => {
    const spec = plain(object["spec"]);
    const metadata = plain(object["metadata"]);
    const annotations = plain(metadata["annotations"]);
    const applied = annotations[LAST_APPLIED];
    const inSpec = Object.hasOwn(spec, "userData");
    const inApplied = typeof applied === "string" && applied.includes("userData");
    if (!inSpec && !inApplied) return object;
    leftOut.push(String(metadata["name"]));
    return {
      ...object,
      ...(inApplied ? { metadata: { ...metadata, annotations: without(annotations, LAST_APPLIED) } } : {}),
      ...(inSpec ? { spec: without(spec, "userData") } : {}),
    };
  });
  return { objects: kept, leftOut };
}

function plain(value: unknown): PlainObject {
  return typeof value === "object" && value !== null ? (value as PlainObject) : {};
}

function without(object: PlainObject, key: string): PlainObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
