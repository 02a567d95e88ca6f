/** The changed objects of a hosted cluster, with their fields and the effect on nodes. */
import { type FieldPath, formatFieldPath, startsWithPath, valueAt } from "../../krm/places/field-path.ts";
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import { type Filled, groupOf } from "../../krm/places/resource.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { isUnknownAt } from "../../model/objects/placeholders.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import { type ChangedField, changedFields, type IgnoreRule, isIgnoredField } from "./compare-fields.ts";
import { compareValues, type Difference } from "./compare-values.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { type Effect, REPLACING, worstEffect } from "./change-effect.ts";
import { CA_BUNDLE, hasOtherCABundle, judgeEC2NodeClass } from "./change-node-class.ts";
import { type GuardedPart, isGuarded, partOfField } from "./guarded-part.ts";
import { type Beside, isOfRequirements, judgeNodePool, isReplacedForever } from "./change-node-pool.ts";
import { effectOfAdding, effectOfRemoving, isClassKind, sideBy, type Sides, type SideObject } from "./sides.ts";
import type { RequirementEffects } from "./change-requirements.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import type { CompareOffers, OfferChange } from "./offers/compare-offers.ts";
import { providerOfPool } from "./offers/side-demands.ts";
import { rankOf } from "../../model/objects/applied-kinds.ts";

export interface FieldChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly effect: Effect;
  /** Whether only the wrapper has the field, so that the rendered object does not show it. */
  readonly ofWrapper: boolean;
  /** Whether a policy or a bound sets the field, and not the author of the object. */
  readonly imposed: boolean;
  /** For requirements of a guarded NodePool: the part of the list. */
  readonly part?: GuardedPart | undefined;
  /** The place on the new side; without a line for live objects. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export interface ObjectChange {
  readonly resource: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly action: "added" | "removed" | "changed";
  readonly effect: Effect;
  /** `catalogue`: holds for the instance types of the catalogue; nodes of other types may behave differently. */
  readonly scope: RequirementEffects["scope"];
  /** Whether the replacement nodes are replaced again, endlessly. */
  readonly forever: boolean;
  /** Whether the requirements of a NodePool are written differently. */
  readonly isRewritten: boolean;
  readonly fields: readonly FieldChange[];
  /** The difference to show. */
  readonly difference: Difference;
  /** What is shown in place of values that options gave for placeholders. */
  readonly filled?: Filled;
  /** Undefined if the side lacks the object. */
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  /** For a NodePool: what it may launch. Undefined if this is unknown or not compared. */
  readonly offer?: OfferChange | undefined;
}

/** How to compare what NodePools may launch. */
export interface Offers {
  readonly compare: CompareOffers;
  readonly instanceTypesOf: (provider: Provider) => InstanceTypes;
}

/** What is known of the cluster of both sides. */
export interface OfCluster {
  readonly profile?: Profile | undefined;
  /** Whether nodes get another CA bundle of the API server. Without it, hashes in dumps tell. */
  readonly caBundleChanged?: boolean | undefined;
}

/** One change for each object that differs, sorted by kind and name. */
export function compareObjects(
  from: readonly SideObject[],
  to: readonly SideObject[],
  ignored: readonly IgnoreRule[] = [],
  offers?: Offers,
  ofCluster: OfCluster = {},
): ObjectChange[] {
  const sides = { before: sideBy(from), after: sideBy(to) };
  const ids = [...new Set([...sides.after.byId.keys(), ...sides.before.byId.keys()])].toSorted(inOrderOfKinds);
  const { profile, caBundleChanged = dumpsTellOtherCABundle(sides) } = ofCluster;
  return ids.flatMap((id) => compareOne(id, sides, ignored, offers, { profile, caBundleChanged }) ?? []);
}

/** One class alone may just have been changed, before Karpenter hashed it again. */
function dumpsTellOtherCABundle({ before, after }: Sides<SideObject>): boolean {
  const dumped = (side: SideObject | undefined) => (side?.asItStands ? side.placeOf([])?.resource.value : undefined);
  const verdicts = [...after.byId].flatMap(([id, now]) => {
    if (!isHashed(now.object)) return [];
    return hasOtherCABundle(dumped(before.byId.get(id)), dumped(now)) ?? [];
  });
  return verdicts.length > 0 && verdicts.every(Boolean);
}

function compareOne(
  id: string,
  sides: Sides<SideObject>,
  ignored: readonly IgnoreRule[],
  offers: Offers | undefined,
  { profile, caBundleChanged = false }: OfCluster,
): ObjectChange | undefined {
  const [old, now] = [sides.before.byId.get(id), sides.after.byId.get(id)];
  const written = old?.written !== undefined && now?.written !== undefined;
  const asItStands = (now ?? old)?.asItStands === true;
  const objectOf = (side: SideObject | undefined) => {
    const object = (written ? side?.written : undefined) ?? side?.object;
    return asItStands ? object : object && withoutUserData(object);
  };
  const [from, to] = [objectOf(old), objectOf(now)];
  const shown = asItStands ? hideUserData(from, to) : ([from, to] as const);
  const [before, after] = caBundleChanged ? withCABundles(...shown) : shown;
  const { apiVersion, kind, metadata } = (after ?? before)!;
  const resource = { apiVersion, kind, name: metadata.name };
  const compared = compareValues(before, after, kind);
  // Both sides have the same words for the same value.
  const filled = new Map([old, now].flatMap((side) => [...(side?.placeOf([])?.resource.filled ?? [])]));
  const difference =
    filled.size === 0 ? compared : compareValues(withoutValues(before, filled), withoutValues(after, filled), kind);
  const known = { resource, difference, before, after, filled };
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
      fields: fields.map((field) => describe(withoutValues(field, filled, isPath), effect, old, now)),
    };
  }
  const nodeClass = asItStands
    ? { before: sides.before.classFor(from)?.object, after: sides.after.classFor(to)?.object }
    : undefined;
  const all = changedFields(compared);
  const changed = all.filter(
    ({ oldPath, newPath }) => ![oldPath, newPath].some((path) => path && isIgnoredField(ignored, resource, path)),
  );
  if (changed.length === 0) return undefined;
  // If `--ignore` covers the requirements or the limits, their effect is not compared either.
  const leavesOut = (isOfPart: (field: ChangedField) => boolean) => all.some(isOfPart) && !changed.some(isOfPart);
  const pools = leavesOut(isOfLimits) ? [old, now].map(withoutLimits) : [old, now];
  const offer = leavesOut(isOfRequirements) ? undefined : offerChange(pools[0], pools[1], sides, offers);
  const judge = judgeOf(to)(from, to, { written, nodeClass, requirements: offer?.requirements, profile });
  const fields = changed.map((field) => {
    const isUnknown = isUnknownOn(old, field.oldPath) || isUnknownOn(now, field.newPath);
    const ofField = isOfMetadata(field) ? "none" : isUnknown ? "unknown" : judge(field);
    return describe(withoutValues(field, filled, isPath), ofField, old, now);
  });
  const isRewritten = kind === "NodePool" && changed.some(isOfRequirements);
  const ofRequirements = isRewritten ? offer?.requirements : undefined;
  const effect = worstEffect([...fields.map((field) => field.effect), ofRequirements?.together ?? "none"]);
  const others = changed.flatMap((field, index) => (isOfRequirements(field) ? [] : fields[index]!.effect));
  const scope = SURE.has(worstEffect(others)) ? "always" : (ofRequirements?.scope ?? "always");
  const forever = kind === "NodePool" && REPLACING.has(effect) && isReplacedForever(to);
  return { ...known, action: "changed", effect, scope, forever, isRewritten, fields, offer };
}

/** Effects that hold for nodes of any type. */
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
  return offers.compare(sidePool(before, old), sidePool(after, now), offers.instanceTypesOf(providerOfPool(pool)));
}

type Judge = (from: unknown, to: unknown, beside: Beside) => (field: ChangedField) => Effect;

const JUDGES: Readonly<Record<string, Judge>> = { NodePool: judgeNodePool, EC2NodeClass: judgeEC2NodeClass };

/** It is unknown which fields of its class another provider compares with nodes. */
function judgeOf({ apiVersion, kind }: KubeObject): Judge {
  if (isClassKind(kind) && groupOf(apiVersion) !== KARPENTER_AWS_GROUP) return () => () => "unknown";
  return JUDGES[kind] ?? (() => () => "behavioural");
}

function isUnknownOn(side: SideObject | undefined, path: FieldPath | undefined): boolean {
  return side !== undefined && path !== undefined && isUnknownAt(side, path);
}

const SPEC: FieldPath = ["spec"];

function isPath(key: string): boolean {
  return key === "oldPath" || key === "newPath";
}

function describe(
  { oldPath, newPath, from, to }: ChangedField,
  effect: Effect,
  old: SideObject | undefined,
  now: SideObject | undefined,
): FieldChange {
  const path = newPath ?? oldPath ?? [];
  // A removed field gets the place of its nearest remaining parent.
  const place = now?.placeOf(newPath ?? nearest(now.object, path));
  const inObject = (side: SideObject | undefined, at: FieldPath | undefined) =>
    canonical(at && valueAt(side?.object, at));
  const isOfObject = path[0] !== CA_BUNDLE;
  const ofWrapper =
    isOfObject && now !== undefined && old !== undefined && inObject(old, oldPath) === inObject(now, newPath);
  const part = partOf(old, now, { oldPath, newPath });
  const isOfOthers = place !== undefined && !OWN.has(place.resource.kind);
  const imposed = !isOfObject || now?.isImposed === true || part === "guard" || isOfOthers;
  return { path: formatFieldPath(path), from, to, effect, ofWrapper, imposed, part, ...placeOf(place) };
}

/** Only a raw NodePool can be guarded. In a rendered one the entries of the policy have places of their own. */
function partOf(
  old: SideObject | undefined,
  now: SideObject | undefined,
  { oldPath, newPath }: Pick<ChangedField, "oldPath" | "newPath">,
): GuardedPart | undefined {
  const marked = [old, now].some((side) => side?.asItStands === true && isGuarded(side.object));
  if (!marked) return undefined;
  return newPath === undefined ? partOfField(old?.object, oldPath ?? []) : partOfField(now?.object, newPath);
}

/** The kinds with which an author defines one pool or class. */
const OWN: ReadonlySet<string> = new Set(["NodePool", "EC2NodeClass", "OpenshiftNodePool", "OpenshiftEC2NodeClass"]);

/** File and line; without a line for live objects. */
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

function isOfLimits({ oldPath, newPath }: ChangedField): boolean {
  return startsWithPath(newPath ?? oldPath ?? [], LIMITS);
}

const LIMITS: FieldPath = ["spec", "limits"];

function withoutLimits(side: SideObject | undefined): SideObject | undefined {
  if (side === undefined) return undefined;
  const { limits: _ignored, ...spec } = side.object.spec ?? {};
  return { ...side, object: { ...side.object, spec } };
}

function isOfMetadata({ oldPath, newPath }: ChangedField): boolean {
  return (newPath ?? oldPath ?? [])[0] === "metadata";
}

/**
 * HyperShift writes a token there, and its changes drift no node. So it is neither compared nor shown
 * (docs/upstream/hypershift.md#ec2nodeclass).
 */
function withoutUserData(object: KubeObject): KubeObject {
  // An edited file may have no spec.
  const { userData: _secret, ...spec } = object.spec ?? {};
  return { ...object, spec };
}

/** The order of rendering: by kind, then by name. */
function inOrderOfKinds(a: string, b: string): number {
  const rank = (id: string) => rankOf(id.slice(0, id.indexOf("/")));
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

type MaybeObject = KubeObject | undefined;

/** If both sides have the same user data, they get the same placeholder. */
function hideUserData(from: MaybeObject, to: MaybeObject): readonly [from: MaybeObject, to: MaybeObject] {
  const [old, now] = [userDataOf(from), userDataOf(to)];
  const differs = old !== undefined && now !== undefined && canonical(old) !== canonical(now);
  return [hiding(from, old, HIDDEN), hiding(to, now, differs ? HIDDEN_OTHER : HIDDEN)];
}

/** Both sides of an EC2NodeClass with the bundle as a field; an added or removed class has no nodes of the old bundle. */
function withCABundles(from: MaybeObject, to: MaybeObject): readonly [from: MaybeObject, to: MaybeObject] {
  if (from === undefined || to === undefined || !isHashed(to)) return [from, to];
  const bundle = (words: string) => ({ [CA_BUNDLE]: words });
  return [
    { ...from, ...bundle("(the cluster's)") },
    { ...to, ...bundle("(another)") },
  ];
}

function isHashed({ kind, apiVersion }: KubeObject): boolean {
  return kind === "EC2NodeClass" && groupOf(apiVersion) === KARPENTER_AWS_GROUP;
}

const HIDDEN = "(not shown)";
const HIDDEN_OTHER = "(not shown, and another)";

function hiding(object: MaybeObject, userData: unknown, words: string): MaybeObject {
  return object === undefined || userData === undefined
    ? object
    : { ...object, spec: { ...object.spec, userData: words } };
}

function userDataOf(object: MaybeObject): unknown {
  return object?.spec["userData"] ?? undefined;
}
