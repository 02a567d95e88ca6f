/** What changed in a hosted cluster's objects: each with its fields and what it does to nodes. */
import { type FieldPath, formatFieldPath, valueAt } from "../../krm/field-path.ts";
import { KARPENTER_AWS_GROUP } from "../../krm/known-kinds.ts";
import { groupOf } from "../../krm/resource.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { fileLineOf } from "../../krm/location.ts";
import { type ChangedField, changedFields } from "./compare-fields.ts";
import { type IgnoreRule, isIgnoredField } from "./compare-ignore.ts";
import { compareValues, type Difference } from "./compare-values.ts";
import { canonical } from "../../krm/canonical.ts";
import { type Effect, REPLACING, worstEffect } from "./change-effect.ts";
import { judgeEC2NodeClass } from "./change-node-class.ts";
import { type GuardedPart, isGuarded, partOfField } from "./guarded-part.ts";
import { hideUserData } from "./hide-user-data.ts";
import { type Beside, isOfRequirements, judgeNodePool, neverSettles } from "./change-node-pool.ts";
import { effectOfAdding, effectOfRemoving, isClassKind, sideBy, type Sides } from "./sides-by-id.ts";
import type { RequirementEffects } from "./change-requirements.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { Market } from "../explain/remaining-types.ts";
import type { CompareOffers, OfferChange } from "./offers/compare-offers.ts";
import { providerOfPool } from "./offers/side-demands.ts";
import type { SideObject } from "./side-object.ts";
import { rankOf } from "../../model/applied-kinds.ts";

export interface FieldChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly effect: Effect;
  /** Whether only the wrapper has the field: it reaches nodes another way than by the object. */
  readonly ofWrapper: boolean;
  /** Whether it is not the object's own to say: a policy or a bound says it of all. */
  readonly imposed: boolean;
  /** Of a guarded NodePool's requirements: whose part it is of. */
  readonly part?: GuardedPart | undefined;
  /** Where the new side says so; the line only where lines mean something. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export interface ObjectChange {
  readonly resource: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly action: "added" | "removed" | "changed";
  readonly effect: Effect;
  /** `catalogue`: so it is with the instance types of the catalogue; nodes of another type may fare otherwise. */
  readonly scope: RequirementEffects["scope"];
  /** Whether the nodes that come instead are replaced as well, and so on. */
  readonly forever: boolean;
  /** Whether the requirements of a NodePool are written otherwise. */
  readonly isRewritten: boolean;
  readonly fields: readonly FieldChange[];
  /** What is shown of a changed object. */
  readonly difference: Difference;
  /** Undefined where the side has no such object. */
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  /** What a NodePool may launch; undefined of anything else, and where nobody asks or nobody here knows. */
  readonly offer?: OfferChange | undefined;
}

/** How to tell what NodePools may launch. */
export interface Offers {
  readonly compare: CompareOffers;
  readonly marketOf: (provider: Provider) => Market;
}

/** In the order of the new side, what is gone before it by its name; nothing for objects that are the same. */
export function compareObjects(
  from: readonly SideObject[],
  to: readonly SideObject[],
  ignored: readonly IgnoreRule[] = [],
  offers?: Offers,
): ObjectChange[] {
  const sides = { before: sideBy(from), after: sideBy(to) };
  const ids = [...new Set([...sides.after.byId.keys(), ...sides.before.byId.keys()])].toSorted(inOrderOfKinds);
  return ids.flatMap((id) => compareOne(id, sides, ignored, offers) ?? []);
}

function compareOne(
  id: string,
  sides: Sides<SideObject>,
  ignored: readonly IgnoreRule[],
  offers: Offers | undefined,
): ObjectChange | undefined {
  const [old, now] = [sides.before.byId.get(id), sides.after.byId.get(id)];
  const written = old?.written !== undefined && now?.written !== undefined;
  const asItStands = (now ?? old)?.asItStands === true;
  const objectOf = (side: SideObject | undefined) => {
    const object = (written ? side?.written : undefined) ?? side?.object;
    return asItStands ? object : object && withoutUserData(object);
  };
  const [from, to] = [objectOf(old), objectOf(now)];
  const [before, after] = asItStands ? hideUserData(from, to) : [from, to];
  const { apiVersion, kind, metadata } = (after ?? before)!;
  const resource = { apiVersion, kind, name: metadata.name };
  const difference = compareValues(before, after, kind);
  const known = { resource, difference, before, after };
  if (from === undefined || to === undefined) {
    const action = to === undefined ? "removed" : "added";
    const effect = (action === "added" ? effectOfAdding : effectOfRemoving)(resource, sides);
    const fields = [{ oldPath: old && SPEC, newPath: now && SPEC, from: before?.spec, to: after?.spec }];
    return {
      ...known,
      action,
      effect,
      scope: "always",
      forever: false,
      isRewritten: false,
      offer: offerChange(old, now, sides, offers),
      fields: fields.map((field) => describe(field, effect, old, now)),
    };
  }
  const nodeClass = asItStands
    ? { before: sides.before.classFor(from)?.object, after: sides.after.classFor(to)?.object }
    : undefined;
  const all = changedFields(difference);
  const changed = all.filter(
    ({ oldPath, newPath }) => ![oldPath, newPath].some((path) => path && isIgnoredField(ignored, resource, path)),
  );
  if (changed.length === 0) return undefined;
  // Who leaves the requirements out asks nothing of what they come to.
  const leavesOut = all.some(isOfRequirements) && !changed.some(isOfRequirements);
  const offer = leavesOut ? undefined : offerChange(old, now, sides, offers);
  const judge = judgeOf(to)(from, to, { written, nodeClass, requirements: offer?.requirements });
  const fields = changed.map((field) => describe(field, isOfMetadata(field) ? "none" : judge(field), old, now));
  const isRewritten = kind === "NodePool" && changed.some(isOfRequirements);
  const ofRequirements = isRewritten ? offer?.requirements : undefined;
  const effect = worstEffect([...fields.map((field) => field.effect), ofRequirements?.together ?? "none"]);
  const others = changed.flatMap((field, index) => (isOfRequirements(field) ? [] : fields[index]!.effect));
  const scope = SURE.has(worstEffect(others)) ? "always" : (ofRequirements?.scope ?? "always");
  const forever = kind === "NodePool" && REPLACING.has(effect) && neverSettles(to);
  return { ...known, action: "changed", effect, scope, forever, isRewritten, fields, offer };
}

/** Whatever nodes there are. */
const SURE: ReadonlySet<Effect> = new Set<Effect>(["replaces-all", "removes-nodes"]);

function offerChange(
  old: SideObject | undefined,
  now: SideObject | undefined,
  { before, after }: Sides<SideObject>,
  offers: Offers | undefined,
): OfferChange | undefined {
  const pool = (now ?? old)!;
  if (offers === undefined || pool.object.kind !== "NodePool") return undefined;
  const sidePool = (side: typeof before, one: SideObject | undefined) =>
    one && { pool: one, nodeClass: side.classFor(one.object) };
  return offers.compare(sidePool(before, old), sidePool(after, now), offers.marketOf(providerOfPool(pool)));
}

type Judge = (from: unknown, to: unknown, beside: Beside) => (field: ChangedField) => Effect;

const JUDGES: Readonly<Record<string, Judge>> = { NodePool: judgeNodePool, EC2NodeClass: judgeEC2NodeClass };

/** Which fields of its class another provider compares with nodes nobody here knows. */
function judgeOf({ apiVersion, kind }: KubeObject): Judge {
  if (isClassKind(kind) && groupOf(apiVersion) !== KARPENTER_AWS_GROUP) return () => () => "unknown";
  return JUDGES[kind] ?? (() => () => "behavioural");
}

const SPEC: FieldPath = ["spec"];

function describe(
  { oldPath, newPath, from, to }: ChangedField,
  effect: Effect,
  old: SideObject | undefined,
  now: SideObject | undefined,
): FieldChange {
  const path = newPath ?? oldPath ?? [];
  // What is gone stood in what is left.
  const place = now?.placeOf(newPath ?? nearest(now.object, path));
  const inObject = (side: SideObject | undefined, at: FieldPath | undefined) =>
    canonical(at && valueAt(side?.object, at));
  const ofWrapper = now !== undefined && old !== undefined && inObject(old, oldPath) === inObject(now, newPath);
  const part = partOf(old, now, { oldPath, newPath });
  const isOfOthers = place !== undefined && !OWN.has(place.resource.kind);
  const imposed = now?.isImposed === true || part === "guard" || isOfOthers;
  return { path: formatFieldPath(path), from, to, effect, ofWrapper, imposed, part, ...placeOf(place) };
}

/** A wrapper has no mark, and what is rendered has its policy's entries with their own places. */
function partOf(
  old: SideObject | undefined,
  now: SideObject | undefined,
  { oldPath, newPath }: Pick<ChangedField, "oldPath" | "newPath">,
): GuardedPart | undefined {
  const marked = [old, now].some((side) => side?.asItStands === true && isGuarded(side.object));
  if (!marked) return undefined;
  return newPath === undefined ? partOfField(old?.object, oldPath ?? []) : partOfField(now?.object, newPath);
}

/** Kinds by which an author asks for one pool or class. */
const OWN: ReadonlySet<string> = new Set(["NodePool", "EC2NodeClass", "OpenshiftNodePool", "OpenshiftEC2NodeClass"]);

/** The line only where lines mean something. */
export function placeOf(place: ReturnType<SideObject["placeOf"]>): Pick<FieldChange, "file" | "line"> {
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

/**
 * What HyperShift writes there holds a token, of which no change drifts a node: nobody compares it, nobody shows it
 * (docs/upstream/hypershift.md#ec2nodeclass).
 */
function withoutUserData(object: KubeObject): KubeObject {
  // A file that somebody has edited may have none.
  const { userData: _secret, ...spec } = object.spec ?? {};
  return { ...object, spec };
}

/** As they are rendered: by kind, then by name. */
function inOrderOfKinds(a: string, b: string): number {
  const rank = (id: string) => rankOf(id.slice(0, id.indexOf("/")));
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}
