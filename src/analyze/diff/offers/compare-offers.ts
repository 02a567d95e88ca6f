/** Compares what a pool may launch before and after a change, and finds the responsible entries. */
import { withoutValues } from "../../../krm/values/placeholders.ts";
import type { DescribedDemand } from "../../explain/pool-answer.ts";
import { indexesOf, type TypeMask, without } from "../../../karpenter/catalogue/type-mask.ts";
import { identityOf, type TypeFilter } from "../../../karpenter/catalogue/type-filter.ts";
import { CAPACITY_TYPE, ZONE } from "../../../model/requirements/label-keys.ts";
import { KNOWN_VALUES } from "../../../model/requirements/labels.ts";
import { memoizeByKey, memoizeByObject } from "../../../model/schema/memoize.ts";
import { describeDemand, describeRequirement } from "../../explain/describe-explanation.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import type { AskedRequirement } from "../../../resolve/pool-requirements.ts";
import { valueAt } from "../../../krm/places/field-path.ts";
import { fileLineOf } from "../../../krm/places/location.ts";
import type { KubeObject } from "../../../model/objects/kube-object.ts";
import { askedOf, isStaticPool } from "../change-node-pool.ts";
import type { RequirementEffects } from "../change-requirements.ts";
import { requirementDrift } from "./requirement-drift.ts";
import { type Asked, isLimit, type NamedPlaces, offerOf, type PoolOffer } from "./pool-offer.ts";
import {
  entryReader,
  limitReader,
  providerOfPool,
  type SideDemand,
  sideDemands,
  type SideLimit,
  type SidePool,
} from "./side-demands.ts";
import { type Admits, type EntryChange, attributeChanges } from "./attribute-changes.ts";

/** An added or removed entry or limit that is responsible for a difference. */
export interface OfferEntry extends Omit<DescribedDemand, "from" | "file" | "line"> {
  /** Undefined if unknown, as for live objects and earlier output. Of a limit, the key is the resource. */
  readonly from: DescribedDemand["from"] | "limit" | undefined;
  /** Undefined if it is not written in a file. */
  readonly file: string | undefined;
  /** Undefined for live objects. */
  readonly line: number | undefined;
  /** Whether it was removed. */
  readonly gone: boolean;
}

export interface AttributedChange {
  readonly name: string;
  /** Empty if the pool itself was added or removed. */
  readonly by: readonly OfferEntry[];
}

export interface Shift {
  readonly gained: readonly AttributedChange[];
  readonly lost: readonly AttributedChange[];
}

export interface OfferChange {
  readonly types: Shift;
  readonly zones: Shift;
  readonly capacityTypes: Shift;
  /** The effect of the requirements on existing nodes. */
  readonly requirements: RequirementEffects;
  readonly knownTypes: InstanceTypes;
  /** Undefined if the side lacks the pool. */
  readonly before: PoolOffer | undefined;
  readonly after: PoolOffer | undefined;
}

/** Undefined if the instance types of the pool's provider are unknown. */
export type CompareOffers = (
  before: SidePool | undefined,
  after: SidePool | undefined,
  knownTypes: InstanceTypes,
) => OfferChange | undefined;

/** Memoizes by the lists of demands, because thousands of pools have few different ones. */
export function offerComparer(): CompareOffers {
  const read = entryReader();
  const keyOf = memoizeByObject((requirement: AskedRequirement["requirement"]) => ({
    text: `${identityOf(requirement)}|${requirement.minValues ?? ""}`,
  }));
  const limitsOf = limitReader();
  const identity = (asked: Asked): string => {
    if (isLimit(asked)) return `limit ${asked.types.join(",")}`;
    return `${asked.from === "class" ? "class " : ""}${keyOf(asked.requirement).text}`;
  };
  const questionOf = (asked: readonly SideAsked[] | undefined): string =>
    asked === undefined ? "none" : asked.map(identity).join("\n");
  const answers = memoizeByObject((_filter: TypeFilter) => new Map<string, Answer>());
  return (before, after, ofAll) => {
    const all = [before, after].flatMap((side) => [side?.pool.unknown, side?.nodeClass?.unknown]);
    if (ofAll.typesUnknown === true || all.some((unknown) => unknown !== undefined)) return undefined;
    const isStatic = isStaticPool((after ?? before)!.pool.object);
    const knownTypes = { ...ofAll, isStatic };
    const askedOfSide = (side: SidePool | undefined, other: SidePool | undefined): SideAsked[] | undefined =>
      side && [
        ...sideDemands(side, side.pool.needs ?? other?.pool.needs ?? [], read),
        ...(isStatic ? [] : limitsOf(side, knownTypes)),
      ];
    const [old, now] = [askedOfSide(before, after), askedOfSide(after, before)] as const;
    const classes = [before, after].map((side) => sideClass(side));
    const question = [
      knownTypes.profile,
      String(isStatic),
      providerOfPool((after ?? before)!.pool).name,
      ...classes.map(classNote),
    ]
      .concat(questionOf(old), "", questionOf(now))
      .join("\n");
    const known = answers(knownTypes.filter);
    const answer = known.get(question) ?? compare([before, after], [old, now], identity, knownTypes);
    known.set(question, answer);
    return changeOf(answer, old, now, knownTypes);
  };
}

/** The class of a raw pool, which affects the labels of nodes beyond its demands. */
function sideClass(side: SidePool | undefined): KubeObject | undefined {
  return side?.pool.asItStands === true ? side.nodeClass?.object : undefined;
}

/** The part of a class that affects the labels of nodes and is not among its demands. */
function classNote(nodeClass: KubeObject | undefined): string {
  if (nodeClass === undefined) return "";
  return valueAt(nodeClass, ["spec", "placementGroupSelector"]) === undefined ? "class" : "class in a group";
}

type SideAsked = SideDemand | SideLimit;

type Both<T> = readonly [before: T, after: T];

interface Answer {
  readonly before: PoolOffer | undefined;
  readonly after: PoolOffer | undefined;
  readonly attributed: Readonly<Record<Aspect, AttributedChanges>>;
  readonly requirements: RequirementEffects;
}

const ASPECTS = ["types", "zones", "capacityTypes"] as const;

type Aspect = (typeof ASPECTS)[number];

interface AttributedChanges {
  readonly gained: ReadonlyMap<string, readonly EntryChange[]>;
  readonly lost: ReadonlyMap<string, readonly EntryChange[]>;
}

function compare(
  [beforeSide, afterSide]: Both<SidePool | undefined>,
  [before, after]: Both<readonly Asked[] | undefined>,
  identity: (asked: Asked) => string,
  knownTypes: InstanceTypes,
): Answer {
  const named = namedPlaces([...(before ?? []), ...(after ?? [])].filter((asked) => !isLimit(asked)));
  const ask = memoizeByKey((asked: readonly Asked[]) => offerOf(asked, knownTypes, named));
  const [old, now] = [before && ask(before), after && ask(after)];
  const entryChanges = before === undefined || after === undefined ? [] : entryChangesOf(before, after, identity);
  const { names: typeNames } = knownTypes.filter.catalogue;
  const attributed = (aspect: Aspect): AttributedChanges => {
    const namesOf = (offer: PoolOffer | undefined): ReadonlySet<string> =>
      offer === undefined ? NOTHING : aspect === "types" ? namesIn(offer.types, typeNames) : offer[aspect];
    const gained = aspect === "types" ? difference(now, old, typeNames) : [...namesOf(now).difference(namesOf(old))];
    const lost = aspect === "types" ? difference(old, now, typeNames) : [...namesOf(old).difference(namesOf(now))];
    const attribute = (names: readonly string[], isGain: boolean): AttributedChanges["gained"] => {
      if (names.length === 0) return NO_CHANGES;
      if (before === undefined || after === undefined) return new Map(names.map((name) => [name, []]));
      const admits: Admits = (demands) => namesOf(ask(demands));
      return attributeChanges(names.toSorted(), isGain, {
        before,
        entryChanges,
        after,
        together: admits,
        alone: admits,
      });
    };
    return { gained: attribute(gained, true), lost: attribute(lost, false) };
  };
  // Limits drift no node.
  const labelsOf = (side: SidePool | undefined, asked: readonly Asked[] | undefined) =>
    side &&
    asked && {
      asked: askedOf(side.pool.object, sideClass(side)),
      offer: asked.some(isLimit) ? ask(asked.filter((one) => !isLimit(one))) : ask(asked),
    };
  const [from, to] = [labelsOf(beforeSide, before), labelsOf(afterSide, after)];
  return {
    before: old,
    after: now,
    requirements: from === undefined || to === undefined ? NO_EFFECTS : requirementDrift(from, to, knownTypes),
    attributed: { types: attributed("types"), zones: attributed("zones"), capacityTypes: attributed("capacityTypes") },
  };
}

/** For a pool that is added or removed. */
const NO_EFFECTS: RequirementEffects = { byKey: new Map(), together: "none", scope: "always" };

const NOTHING: ReadonlySet<string> = new Set();
const NO_CHANGES: AttributedChanges["gained"] = new Map();

function namesIn(types: TypeMask, names: readonly string[]): ReadonlySet<string> {
  return new Set(indexesOf(types).map((type) => names[type]!));
}

/** The types that only `one` offers. */
function difference(one: PoolOffer | undefined, other: PoolOffer | undefined, names: readonly string[]): string[] {
  if (one === undefined) return [];
  const types = other === undefined ? one.types : without(one.types, other.types);
  return indexesOf(types).map((type) => names[type]!);
}

/** The entries and limits that only one list has. Neither the order nor the author of an entry matters. */
function entryChangesOf(
  before: readonly Asked[],
  after: readonly Asked[],
  identity: (asked: Asked) => string,
): EntryChange[] {
  const only = (some: readonly Asked[], others: readonly Asked[], side: EntryChange["side"]): EntryChange[] => {
    const there = new Set(others.map(identity));
    return some.flatMap((demand, index) => (there.has(identity(demand)) ? [] : [{ side, index }]));
  };
  return [...only(before, after, "before"), ...only(after, before, "after")];
}

/** Zones that an entry names are assumed to exist, even if the catalogue lacks them. */
function namedPlaces(demands: readonly AskedRequirement[]): NamedPlaces {
  const of = (key: string) =>
    demands.flatMap(({ requirement }) => (requirement.key === key ? [...requirement.values] : []));
  return { zones: [...new Set(of(ZONE))], capacityTypes: KNOWN_VALUES[CAPACITY_TYPE] ?? [] };
}

function changeOf(
  { before, after, attributed, requirements }: Answer,
  old: readonly SideAsked[] | undefined,
  now: readonly SideAsked[] | undefined,
  knownTypes: InstanceTypes,
): OfferChange {
  const described = new Map<EntryChange, OfferEntry>();
  const entryOf = (entryChange: EntryChange): OfferEntry => {
    const known =
      described.get(entryChange) ??
      describe((entryChange.side === "before" ? old : now)![entryChange.index]!, entryChange);
    described.set(entryChange, known);
    return known;
  };
  const list = (some: AttributedChanges["gained"]): AttributedChange[] =>
    [...some].map(([name, entryChanges]) => ({ name, by: entryChanges.map(entryOf) }));
  const shift = (aspect: Aspect): Shift => ({
    gained: list(attributed[aspect].gained),
    lost: list(attributed[aspect].lost),
  });
  return {
    types: shift("types"),
    zones: shift("zones"),
    capacityTypes: shift("capacityTypes"),
    requirements,
    knownTypes,
    before,
    after,
  };
}

function describe(asked: SideAsked, { side }: EntryChange): OfferEntry {
  const gone = side === "before";
  if (isLimit(asked)) {
    const { resource, limit, place } = asked;
    const { file, line } = place === undefined ? {} : fileLineOf(place.resource, place.path);
    const words = withoutValues(limit, place?.resource.filled);
    return { from: "limit", key: resource, requirement: words, file, line: line === 0 ? undefined : line, gone };
  }
  const { from, place, requirement } = asked;
  if (place === undefined) {
    const { key, requirement: words } = describeRequirement(requirement);
    return { from, key, requirement: words, file: undefined, line: undefined, gone };
  }
  const { line, ...rest } = describeDemand({ from: from ?? "user", place, requirement });
  return { ...rest, from, line: line === 0 ? undefined : line, gone };
}
