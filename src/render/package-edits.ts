/** Computes how rendering changes a package: items to replace, remove and append. */
import type { FieldPath } from "../krm/places/field-path.ts";
import { fileNameOf } from "../krm/write/file-name.ts";
import {
  isHostAnnotation,
  type PackagePlace,
  packagePlaceOf,
  pathInPackage,
  placeAnnotations,
} from "../krm/resource-list/package-item.ts";
import { groupOf, type Resource } from "../krm/places/resource.ts";
import { sameValue } from "../krm/values/canonical.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { type Role, roleOf } from "../model/objects/role.ts";

export interface PackageEdits {
  /** By the item's place in the list. */
  readonly replace: ReadonlyMap<number, unknown>;
  readonly remove: ReadonlySet<number>;
  readonly append: readonly KubeObject[];
}

export interface PackageOptions {
  /** The folder of the package for new objects. */
  readonly dir: string;
  /** Whether objects without a wrapper are removed. */
  readonly prune: boolean;
  /** The items of the list as given, including those that are not objects. */
  readonly items: readonly unknown[];
  /** The path of each of them in the package. */
  readonly paths: readonly (string | undefined)[];
  /** Whether the host stores items in files, so that new items need a path. */
  readonly keepsFiles: boolean;
  /** Recognizes output of an earlier run; by default rendered objects. */
  readonly isEarlier?: (item: Resource) => boolean;
  /** Recognizes objects of users that rendering changes, such as a NodePool with the policy's entries. */
  readonly isEdited?: (item: Resource) => boolean;
}

/**
 * See docs/krm-function.md#what-anp-does-with-the-items.
 *
 * @param resources of the list and of Lists among its items, because applying a List applies its content
 */
export function packageEdits(
  resources: readonly Resource[],
  objects: readonly KubeObject[],
  { dir, prune, items, paths, keepsFiles, isEarlier = isEarlierOutput, isEdited = () => false }: PackageOptions,
): PackageEdits {
  const edited = new Set(resources.filter(isEdited));
  // The user's own object keeps its place; output of the wrapper that it replaces is removed.
  const present = [...edited, ...resources.filter((item) => isEarlier(item) && !edited.has(item))];
  const rendered = new Map(objects.map((object) => [identityOf(object, object.metadata.name), object]));
  const replace = new Map<number, unknown>();
  const remove = new Set<number>();
  const inLists = new Map<number, Change[]>();
  const placed = new Set<string>();
  for (const item of present) {
    const identity = identityOf(item, item.name);
    const made = rendered.get(identity);
    const object = made !== undefined && edited.has(item) ? asEdited(item, made) : made;
    // An object that the user moved keeps its place; a second copy is removed.
    const kept = placed.has(identity) ? undefined : object;
    placed.add(identity);
    if ((object === undefined && !prune) || (edited.has(item) && sameValue(kept, item.value))) continue;
    const place = Number(item.base[1]);
    const inner = item.base.slice(2);
    if (inner.length > 0) inLists.set(place, [...(inLists.get(place) ?? []), { path: inner, by: kept }]);
    else if (kept === undefined) remove.add(place);
    else replace.set(place, edited.has(item) ? kept : withPlace(kept, packagePlaceOf(item.value)));
  }
  for (const [place, changes] of inLists) {
    const list = changedList(items[place], changes);
    if (list === undefined) remove.add(place);
    else replace.set(place, list);
  }
  const taken = new Set(paths.filter((_path, place) => !remove.has(place)));
  const append = [...rendered]
    .filter(([identity]) => !placed.has(identity))
    .map(([, object]) => withPlace(object, keepsFiles ? newPlace(object, dir, taken) : undefined));
  return { replace, remove, append };
}

/** With the annotations of the host, and in the order in which its author wrote it. */
function asEdited({ value }: Resource, object: KubeObject): KubeObject {
  const { metadata } = value as unknown as KubeObject;
  const ofHost = Object.entries(metadata.annotations ?? {}).filter(([key]) => isHostAnnotation(key));
  if (ofHost.length === 0) return inOrderOf(object, value) as KubeObject;
  const annotations = { ...object.metadata.annotations, ...Object.fromEntries(ofHost) };
  return inOrderOf({ ...object, metadata: { ...object.metadata, annotations } }, value) as KubeObject;
}

function inOrderOf(value: unknown, like: unknown): unknown {
  if (!isMapping(value) || !isMapping(like)) return value;
  const keys = [...Object.keys(like).filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(keys)].map((key) => [key, inOrderOf(value[key], like[key])]));
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEarlierOutput(item: Resource): boolean {
  return roleOf(item) === ("earlier-output" satisfies Role);
}

/** A change of an object in a List; undefined removes it. */
interface Change {
  /** Path in the List: `["items", 3]`, longer in a nested List. */
  readonly path: FieldPath;
  readonly by: KubeObject | undefined;
}

/** Undefined if the list becomes empty. */
function changedList(list: unknown, changes: readonly Change[]): unknown {
  const { items, ...rest } = list as { readonly items: readonly unknown[] };
  const byIndex = Map.groupBy(changes, ({ path }) => path[1]);
  const left = items.flatMap((item, index) => {
    const own = byIndex.get(index);
    if (own === undefined) return [item];
    const [first] = own;
    const by =
      first!.path.length === 2
        ? first!.by
        : changedList(
            item,
            own.map(({ path, ...one }) => ({ ...one, path: path.slice(2) })),
          );
    return by === undefined ? [] : [by];
  });
  return left.length === 0 ? undefined : { ...rest, items: left };
}

function identityOf({ apiVersion, kind }: { apiVersion: string; kind: string }, name: string): string {
  return `${groupOf(apiVersion)}/${kind}/${name}`;
}

/** A host refuses two items with one path, so paths of other objects are not reused. */
function newPlace(object: KubeObject, dir: string, taken: ReadonlySet<string | undefined>): PackagePlace {
  const name = fileNameOf(object).replace(/\.yaml$/, "");
  const start = pathInPackage(`${dir}/${name}`) ?? name;
  for (let copy = 1; ; copy++) {
    const path = copy === 1 ? `${start}.yaml` : `${start}-${copy}.yaml`;
    if (!taken.has(path)) return { path, index: 0 };
  }
}

function withPlace(object: KubeObject, place: PackagePlace | undefined): KubeObject {
  if (place === undefined) return object;
  const annotations = { ...placeAnnotations(place), ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
