/** The file of a ResourceList's item, by the annotations of kpt and kustomize. */
import { HYPERSHIFT_KARPENTER_GROUP } from "../findings/known-kinds.ts";
import { valueAt } from "../places/field-path.ts";

/**
 * Each fact has two names, and a host refuses an item with different values: both are written, the newer is read first.
 */
const PATHS = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"] as const;
const INDEXES = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"] as const;
/** `kpt fn render` gives paths relative to the package of an item, which may be a package within the package. */
const PACKAGE = "internal.config.kubernetes.io/package-path";

const OF_HOSTS = /^(?:internal\.config\.kubernetes\.io\/|(?:kustomize\.)?config\.k8s\.io\/id$)/;

/** Annotations by which hosts follow an item through functions; no host leaves them in what is applied. */
export function isHostAnnotation(annotation: string): boolean {
  return OF_HOSTS.test(annotation) || [...PATHS, ...INDEXES].some((name) => name === annotation);
}

export const LOCAL_CONFIG = "config.kubernetes.io/local-config";

export interface PackagePlace {
  /** Relative to the item's package, with `/`. */
  readonly path: string;
  /** The index in its file. */
  readonly index: number;
  /** The folder of its package, if the host names it. */
  readonly packagePath?: string;
}

/**
 * In bytes, the limit of systems for a path. Each folder on it may govern, so a long path takes much more memory than
 * its bytes.
 */
export const PATH_MAX = 4096;

export function isTooLong({ path, packagePath = "" }: PackagePlace): boolean {
  return Buffer.byteLength(path) + Buffer.byteLength(packagePath) > PATH_MAX;
}

/** Undefined for an item without a file. The annotations are those of docs/upstream/hosts.md#places-of-items. */
export function packagePlaceOf(item: unknown): PackagePlace | undefined {
  const path = firstText(item, PATHS);
  if (path === undefined) return undefined;
  const index = Number(firstText(item, INDEXES) ?? "0");
  const packagePath = firstText(item, [PACKAGE]);
  return {
    path,
    index: Number.isSafeInteger(index) && index >= 0 ? index : 0,
    ...(packagePath === undefined ? {} : { packagePath }),
  };
}

export function placeAnnotations({ path, index, packagePath }: PackagePlace): Record<string, string> {
  return Object.fromEntries([
    ...PATHS.map((name) => [name, path] as const),
    ...INDEXES.map((name) => [name, String(index)] as const),
    ...(packagePath === undefined ? [] : [[PACKAGE, packagePath] as const]),
  ]);
}

export function isLocalConfig(item: unknown): boolean {
  return valueAt(item, ["metadata", "annotations", LOCAL_CONFIG]) === "true";
}

/** The path without `.` and `..`; undefined if it leads out of the package. */
export function pathInPackage(path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/**
 * Each item's path relative to the outermost package; undefined for one without a path or with an untrusted one: a rule
 * must not count as the provider's because its file says so.
 */
export function packagePaths(items: readonly unknown[]): (string | undefined)[] {
  const places = items.map(packagePlaceOf);
  // A host that keeps files gives each of their items a path. If a rule or wrapper has none (kustomize), the paths of
  // others are annotations of their authors.
  const isOfFile = (item: unknown) =>
    String(valueAt(item, ["apiVersion"])).startsWith(`${HYPERSHIFT_KARPENTER_GROUP}/`);
  if (items.some((item, index) => places[index] === undefined && isOfFile(item))) return items.map(() => undefined);
  // Only a host that names packages passes the Kptfile of each; any other package name is the user's own annotation.
  const kptfiles = places.filter((place, index) => place?.path === "Kptfile" && isKptfile(items[index]));
  const named = kptfiles.length > 0 && kptfiles.every((place) => place?.packagePath !== undefined);
  const root = named
    ? kptfiles.map((place) => place!.packagePath!).toSorted((a, b) => a.length - b.length)[0]
    : undefined;
  return places.map((place) => {
    if (place === undefined) return undefined;
    const { path, packagePath } = place;
    if (packagePath === undefined || packagePath === root) return pathInPackage(path);
    if (root === undefined || !packagePath.startsWith(`${root}/`)) return undefined;
    const own = pathInPackage(path);
    return own === undefined ? undefined : `${packagePath.slice(root.length + 1)}/${own}`;
  });
}

function isKptfile(item: unknown): boolean {
  return valueAt(item, ["kind"]) === "Kptfile";
}

function firstText(item: unknown, names: readonly string[]): string | undefined {
  return names
    .map((name) => valueAt(item, ["metadata", "annotations", name]))
    .find((value) => typeof value === "string");
}
