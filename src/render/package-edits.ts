/** Computes how rendering changes a package: items to replace, remove and append. */
import type { FieldPath } from "../krm/places/field-path.ts";
import { fileNameOf } from "../krm/write/file-name.ts";
import {
  type PackagePlace,
  packagePlaceOf,
  pathInPackage,
  placeAnnotations,
} from "../krm/resource-list/package-item.ts";
import { groupOf, type Resource } from "../krm/places/resource.ts";
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
}

/**
 * See docs/krm-function.md#what-anp-does-with-the-items.
 *
 * @param resources of the list and of Lists among its items, because applying a List applies its content
 */
export function packageEdits(
  resources: readonly Resource[],
  objects: readonly KubeObject[],
  { dir, prune, items, paths, keepsFiles, isEarlier = isEarlierOutput }: PackageOptions,
): PackageEdits {
  const earlier = resources.filter(isEarlier);
  const rendered = new Map(objects.map((object) => [identityOf(object, object.metadata.name), object]));
  const replace = new Map<number, unknown>();
  const remove = new Set<number>();
  const inLists = new Map<number, Change[]>();
  const placed = new Set<string>();
  for (const item of earlier) {
    const identity = identityOf(item, item.name);
    const object = rendered.get(identity);
    // An object that the user moved keeps its place; a second copy is removed.
    const kept = placed.has(identity) ? undefined : object;
    placed.add(identity);
    if (object === undefined && !prune) continue;
    const place = Number(item.base[1]);
    const inner = item.base.slice(2);
    if (inner.length > 0) inLists.set(place, [...(inLists.get(place) ?? []), { path: inner, by: kept }]);
    else if (kept === undefined) remove.add(place);
    else replace.set(place, withPlace(kept, packagePlaceOf(item.value)));
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
