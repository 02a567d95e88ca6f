/** The objects of a hosted cluster before and after in, what changed out: each change with its fields and what it does to nodes. */
import { type FieldPath, formatFieldPath, valueAt } from "../krm/field-path.ts";
import type { Resource } from "../krm/resource.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { fileLineOf } from "../krm/location.ts";
import { type ChangedField, changedFields } from "./compare-fields.ts";
import { type IgnoreRule, isIgnoredField } from "./compare-ignore.ts";
import { compareValues, type Difference } from "./compare-values.ts";
import { type Effect, worstEffect } from "./change-effect.ts";
import { judgeEC2NodeClass } from "./change-node-class.ts";
import { judgeNodePool } from "./change-node-pool.ts";

/** An object of one side, and where each of its fields came from, if anybody wrote it. */
export interface SideObject {
  readonly object: KubeObject;
  readonly placeOf: (path: FieldPath) => { readonly resource: Resource; readonly path: FieldPath } | undefined;
}

export interface FieldChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly effect: Effect;
  /** Where the new side says so; the line only where lines mean something. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export interface ObjectChange {
  readonly resource: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly action: "added" | "removed" | "changed";
  readonly effect: Effect;
  readonly fields: readonly FieldChange[];
  /** What is shown of a changed object. */
  readonly difference: Difference;
  /** Undefined where the side has no such object. */
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** In the order of the new side, what is gone before it by its name; nothing for objects that are the same. */
export function compareObjects(
  from: readonly SideObject[],
  to: readonly SideObject[],
  ignored: readonly IgnoreRule[] = [],
): ObjectChange[] {
  const old = new Map(from.map((one) => [idOf(one.object), one]));
  const now = new Map(to.map((one) => [idOf(one.object), one]));
  const usedClasses = classesOf(to);
  const ids = [...new Set([...now.keys(), ...old.keys()])].toSorted(inOrderOfKinds);
  return ids.flatMap((id) => compareOne(old.get(id), now.get(id), usedClasses, ignored) ?? []);
}

function compareOne(
  old: SideObject | undefined,
  now: SideObject | undefined,
  usedClasses: ReadonlySet<string>,
  ignored: readonly IgnoreRule[],
): ObjectChange | undefined {
  const [before, after] = [old && withoutSecrets(old.object), now && withoutSecrets(now.object)];
  const { apiVersion, kind, metadata } = (after ?? before)!;
  const resource = { apiVersion, kind, name: metadata.name };
  const difference = compareValues(before, after, kind);
  const known = { resource, difference, before, after };
  if (before === undefined || after === undefined) {
    const action = after === undefined ? "removed" : "added";
    const effect = action === "added" ? (EFFECTS_OF_ADDING[kind] ?? "behavioural") : removing(resource, usedClasses);
    const fields = [{ oldPath: old && SPEC, newPath: now && SPEC, from: before?.spec, to: after?.spec }];
    return { ...known, action, effect, fields: fields.map((field) => describe(field, effect, now)) };
  }
  const judge = (JUDGES[kind] ?? (() => () => "behavioural" as const))(before, after);
  const fields = changedFields(difference)
    .filter(
      ({ oldPath, newPath }) => ![oldPath, newPath].some((path) => path && isIgnoredField(ignored, resource, path)),
    )
    .map((field) => describe(field, isOfMetadata(field) ? "none" : judge(field), now));
  if (fields.length === 0) return undefined;
  return { ...known, action: "changed", effect: worstEffect(fields.map(({ effect }) => effect)), fields };
}

type Kind = "NodePool" | "EC2NodeClass";

const JUDGES: Readonly<Record<string, (from: unknown, to: unknown) => (field: ChangedField) => Effect>> = {
  NodePool: judgeNodePool,
  EC2NodeClass: judgeEC2NodeClass,
} satisfies Record<Kind, unknown>;

const EFFECTS_OF_ADDING: Readonly<Record<string, Effect>> = {
  NodePool: "new-nodes",
  // Nothing until a pool names it, which is a change of the pool.
  EC2NodeClass: "none",
} satisfies Record<Kind, Effect>;

/** Karpenter deletes the NodeClaims of a pool with it. A class that pools still name has no nodes for them any more. */
function removing({ kind, name }: ObjectChange["resource"], usedClasses: ReadonlySet<string>): Effect {
  if (kind === "NodePool") return "removes-nodes";
  if (kind !== "EC2NodeClass") return "behavioural";
  return usedClasses.has(name) ? "removes-nodes" : "none";
}

const SPEC: FieldPath = ["spec"];

/** The node class that a pool names. */
export const CLASS_NAME: FieldPath = ["spec", "template", "spec", "nodeClassRef", "name"];

function classesOf(objects: readonly SideObject[]): ReadonlySet<string> {
  const pools = objects.filter(({ object }) => object.kind === "NodePool");
  return new Set(pools.map(({ object }) => String(valueAt(object, CLASS_NAME))));
}

function describe(
  { oldPath, newPath, from, to }: ChangedField,
  effect: Effect,
  now: SideObject | undefined,
): FieldChange {
  const path = newPath ?? oldPath ?? [];
  // What is gone stood in what is left.
  const place = now?.placeOf(newPath ?? nearest(now.object, path));
  return { path: formatFieldPath(path), from, to, effect, ...placeOf(place) };
}

function placeOf(place: ReturnType<SideObject["placeOf"]>): Pick<FieldChange, "file" | "line"> {
  if (place === undefined) return { file: undefined, line: undefined };
  const { file, line } = fileLineOf(place.resource, place.path);
  return { file, line: line === 0 ? undefined : line };
}

function nearest(object: unknown, path: FieldPath): FieldPath {
  const parents = path.map((_segment, index) => path.slice(0, path.length - 1 - index));
  // An index of the old list means another item of the new one.
  return parents.find((parent) => typeof parent.at(-1) !== "number" && valueAt(object, parent) !== undefined) ?? [];
}

function isOfMetadata({ oldPath, newPath }: ChangedField): boolean {
  return (newPath ?? oldPath ?? [])[0] === "metadata";
}

/** The user data of a node class is a secret: nobody compares it, nobody shows it. */
function withoutSecrets(object: KubeObject): KubeObject {
  // A file that somebody has edited may have none.
  const { userData: _secret, ...spec } = object.spec ?? {};
  return { ...object, spec };
}

const KINDS = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "EC2NodeClass", "NodePool"];

export function idOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

/** As they are rendered: by kind, then by name. */
function inOrderOfKinds(a: string, b: string): number {
  const rank = (id: string) => KINDS.indexOf(id.slice(0, id.indexOf("/")));
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}
