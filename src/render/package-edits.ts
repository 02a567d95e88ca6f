/** What rendering does to a package: its items and the rendered objects in, which items go, change and come out (DESIGN.md 3.5). */
import { type PackagePlace, packagePlaceOf, pathInPackage, placeAnnotations } from "../krm/package-item.ts";
import { groupOf, type Resource } from "../krm/resource.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { type Role, roleOf } from "../model/role.ts";

export interface PackageEdits {
  /** By the item's place in the list. */
  readonly replace: ReadonlyMap<number, KubeObject>;
  readonly remove: ReadonlySet<number>;
  readonly append: readonly KubeObject[];
}

export interface PackageOptions {
  /** The folder of the package that new objects go to. */
  readonly dir: string;
  /** Whether what has lost its wrapper goes. */
  readonly prune: boolean;
  /** The path of each item of the list in the package, also of what is no object. */
  readonly paths: readonly (string | undefined)[];
  /** Whether the host keeps items in files, so that new ones need a place. */
  readonly keepsFiles: boolean;
}

/** @param items what stands in the list itself, each with its place; what stands in a List of it is nobody's to change */
export function packageEdits(
  items: ReadonlyMap<number, Resource>,
  objects: readonly KubeObject[],
  { dir, prune, paths, keepsFiles }: PackageOptions,
): PackageEdits {
  const earlier = [...items].filter(([, item]) => roleOf(item) === ("earlier-output" satisfies Role));
  const rendered = new Map(objects.map((object) => [identityOf(object, object.metadata.name), object]));
  const replace = new Map<number, KubeObject>();
  const remove = new Set<number>();
  const placed = new Set<string>();
  for (const [place, item] of earlier) {
    const identity = identityOf(item, item.name);
    const object = rendered.get(identity);
    // What the user moved stays where it is; a second copy of it goes.
    if (object !== undefined && !placed.has(identity))
      replace.set(place, withPlace(object, packagePlaceOf(item.value)));
    else if (prune || object !== undefined) remove.add(place);
    placed.add(identity);
  }
  const taken = new Set(paths.filter((_path, place) => !remove.has(place)));
  const append = [...rendered]
    .filter(([identity]) => !placed.has(identity))
    .map(([, object]) => withPlace(object, keepsFiles ? newPlace(object, dir, taken) : undefined));
  return { replace, remove, append };
}

function identityOf({ apiVersion, kind }: { apiVersion: string; kind: string }, name: string): string {
  return `${groupOf(apiVersion)}/${kind}/${name}`;
}

/** A host refuses two items in one place, so another object's file is left to it. */
function newPlace(object: KubeObject, dir: string, taken: ReadonlySet<string | undefined>): PackagePlace {
  const name = `${object.kind.toLowerCase()}-${object.metadata.name}`;
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
