/** Finds whole manifests in fields of objects, such as those of Crossplane, kro and Kyverno. */
import {
  EACH,
  type FieldPath,
  type FieldPattern,
  parseFieldPath,
  valueAt,
  valuesAt,
} from "../../krm/places/field-path.ts";
import { holdsOurs } from "../../krm/findings/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { type Fields, fieldsOf, isFields, listOf } from "../../krm/values/fields.ts";

/** A manifest in a field of an object. */
export interface EmbeddedObject {
  /** In the object that embeds it. */
  readonly path: FieldPath;
  /** A field that the embedding tool writes later holds a placeholder. */
  readonly value: unknown;
}

/** By group and kind (docs/upstream/hosts.md#objects-that-embed-manifests). */
const HOLDERS: Readonly<Record<string, readonly FieldPattern[]>> = {
  "kubernetes.crossplane.io/Object": [["spec", "forProvider", "manifest"]],
  "kubernetes.m.crossplane.io/Object": [["spec", "forProvider", "manifest"]],
  "apiextensions.crossplane.io/Composition": [
    ["spec", "resources", EACH],
    ["spec", "pipeline", EACH, "input", "resources", EACH],
  ],
  "kro.run/ResourceGraphDefinition": [["spec", "resources", EACH, "template"]],
  "kyverno.io/ClusterPolicy": [["spec", "rules", EACH, "generate"]],
  "kyverno.io/Policy": [["spec", "rules", EACH, "generate"]],
  "helm.toolkit.fluxcd.io/HelmRelease": [["spec", "values"]],
  "argoproj.io/Application": [
    ["spec", "source", "helm", "valuesObject"],
    ["spec", "sources", EACH, "helm", "valuesObject"],
  ],
};

/** The manifests that an object holds as fields; a list among them is one value. */
export function embeddedObjects({ apiVersion, kind, value }: Resource): EmbeddedObject[] {
  const id = `${groupOf(apiVersion)}/${kind}`;
  if (!Object.hasOwn(HOLDERS, id)) return [];
  const found = HOLDERS[id]!.flatMap((pattern) => valuesAt(value, pattern));
  return found.flatMap(({ path, value: held }): EmbeddedObject[] => {
    if (kind === "Object") return ofReferences(held, path, listOf(valueAt(value, ["spec", "references"])));
    if (kind === "Composition") return baseOf(held, path, value);
    if (kind.endsWith("Policy")) return generatedBy(held, path);
    if (kind === "HelmRelease" || kind === "Application") return manifestsWithin(held, path);
    return [{ path, value: held }];
  });
}

/** What Crossplane composes: an `Object` with a manifest in it, after patches of the composition. */
function baseOf(resource: unknown, path: FieldPath, composition: unknown): EmbeddedObject[] {
  const { base, patches } = fieldsOf(resource);
  if (base === undefined) return [];
  // Sets of patches stand beside the resources that use them.
  const sets = listOf(valueAt(composition, [...path.slice(0, -2), "patchSets"]));
  const all = listOf(patches).flatMap((patch) => {
    const { type, patchSetName } = fieldsOf(patch);
    if (type !== "PatchSet") return [patch];
    return sets.flatMap((set) => (fieldsOf(set)["name"] === patchSetName ? listOf(fieldsOf(set)["patches"]) : []));
  });
  return all.length > MOST_PATCHES ? [] : [{ path: [...path, "base"], value: withPatched(base, all, ofComposition) }];
}

/** Values of charts that install what they are given have manifests anywhere, as objects or as texts. */
function manifestsWithin(value: unknown, path: FieldPath): EmbeddedObject[] {
  if (typeof value === "string") return holdsOurs(value) ? [{ path, value }] : [];
  if (Array.isArray(value)) return value.flatMap((one: unknown, at) => manifestsWithin(one, [...path, at]));
  if (!isFields(value)) return [];
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion === "string" && typeof kind === "string" && isFields(metadata)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, one]) => manifestsWithin(one, [...path, key]));
}

/** Kyverno takes type and name from the rule, and the rest from `data`. */
function generatedBy(generate: unknown, path: FieldPath): EmbeddedObject[] {
  const { apiVersion, kind, name, data } = fieldsOf(generate);
  if (!isFields(data)) return [];
  const metadata = { name, ...fieldsOf(data["metadata"]) };
  return [{ path: [...path, "data"], value: { apiVersion, kind, ...data, metadata } }];
}

/** More are not written by hand. */
const MOST_PATCHES = 1000;

/** A field of one object that the value of a field of another is written to. */
interface Patched {
  readonly from: unknown;
  readonly to: unknown;
}

/** Patches to the composite change nothing here. */
function ofComposition(patch: Fields): Patched | undefined {
  const { type = "FromCompositeFieldPath", fromFieldPath, toFieldPath = fromFieldPath } = patch;
  return /^(?:Combine)?To/.test(String(type)) ? undefined : { from: fromFieldPath, to: toFieldPath };
}

function ofReferences(manifest: unknown, path: FieldPath, references: readonly unknown[]): EmbeddedObject[] {
  const patchedBy = ({ patchesFrom, toFieldPath }: Fields): Patched => {
    const from = fieldsOf(patchesFrom)["fieldPath"];
    return { from, to: toFieldPath ?? from };
  };
  return references.length > MOST_PATCHES ? [] : [{ path, value: withPatched(manifest, references, patchedBy) }];
}

/** The value with a placeholder in each field that patches write, as nothing here knows what they write. */
function withPatched(
  value: unknown,
  patches: readonly unknown[],
  patchedBy: (patch: Fields) => Patched | undefined,
): unknown {
  const held = { value: structuredClone(value) };
  for (const patch of patches) {
    const { from, to } = patchedBy(fieldsOf(patch)) ?? {};
    const path = typeof to === "string" ? parseFieldPath(to) : undefined;
    if (path !== undefined) setAt(held, ["value", ...path], `\${${nameOf(from)}}`);
  }
  return held.value;
}

function nameOf(from: unknown): string {
  return typeof from === "string" && /^[\w.[\]/-]+$/.test(from) ? from : "patched";
}

/** Sets the value at a path; mappings on the way are made, and entries of lists are not. */
function setAt(whole: object, path: FieldPath, text: string): void {
  let at: object = whole;
  for (const [depth, step] of path.entries()) {
    if (typeof step === "number" ? !Array.isArray(at) || step >= at.length : Array.isArray(at)) return;
    const isLast = depth === path.length - 1;
    const next: unknown = Object.hasOwn(at, step) ? (at as Record<string | number, unknown>)[step] : undefined;
    if (!isLast && typeof next === "object" && next !== null) {
      at = next;
      continue;
    }
    if (!isLast && next !== undefined) return;
    const value: unknown = isLast ? text : {};
    // A key may be `__proto__`.
    Object.defineProperty(at, step, { value, enumerable: true, writable: true, configurable: true });
    if (!isLast) at = value as object;
  }
}
