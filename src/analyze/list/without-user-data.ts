/** Removes user data from objects before they are printed, because it may hold a token. */
import { isLastAppliedAnnotation } from "../../model/objects/without-server-fields.ts";

type PlainObject = Readonly<Record<string, unknown>>;

/** `leftOut` has the names of the objects that had user data. */
export function withoutUserData(objects: readonly PlainObject[]): { objects: PlainObject[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const shown = objects.map((object) => {
    const spec = plain(object["spec"]);
    const metadata = plain(object["metadata"]);
    const annotations = plain(metadata["annotations"]);
    const inSpec = Object.hasOwn(spec, "userData");
    const hasCopy = ([key, value]: readonly [string, unknown]): boolean =>
      isLastAppliedAnnotation(key) &&
      (String(value).includes("userData") || (inSpec && !String(value).startsWith("{")));
    const kept = Object.entries(annotations).filter((entry) => !hasCopy(entry));
    const inCopies = kept.length < Object.keys(annotations).length;
    if (!inSpec && !inCopies) return object;
    leftOut.push(String(metadata["name"]));
    return {
      ...object,
      ...(inCopies ? { metadata: { ...metadata, annotations: Object.fromEntries(kept) } } : {}),
      ...(inSpec ? { spec: without(spec, "userData") } : {}),
    };
  });
  return { objects: shown, leftOut };
}

function plain(value: unknown): PlainObject {
  return typeof value === "object" && value !== null ? (value as PlainObject) : {};
}

function without(object: PlainObject, key: string): PlainObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
