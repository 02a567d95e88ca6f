/** What a pool may launch before and after a change, and who makes the difference. */
import { indexesOf, type TypeMask, without } from "../../../karpenter/catalogue/type-mask.ts";
import { identityOf, type TypeFilter } from "../../../karpenter/catalogue/type-filter.ts";
import { KNOWN_VALUES } from "../../../model/labels.ts";
import { oncePer, oncePerObject } from "../../../model/once.ts";
import { describeDemand, type DescribedDemand, describeRequirement } from "../../explain/describe-demand.ts";
import type { Market } from "../../explain/remaining-types.ts";
import type { AskedRequirement } from "../../../resolve/demands.ts";
import { valueAt } from "../../../krm/field-path.ts";
import type { KubeObject } from "../../../model/kube-object.ts";
import { askedOf } from "../change-node-pool.ts";
import type { RequirementEffects } from "../change-requirements.ts";
import { requirementDrift } from "./requirement-drift.ts";
import { CAPACITY_TYPE, ZONE } from "./places.ts";
import { type NamedPlaces, offerOf, type PoolOffer } from "./pool-offer.ts";
import { entryReader, providerOfPool, type SideDemand, sideDemands, type SidePool } from "./side-demands.ts";
import { type Admits, type Flip, whoMoves } from "./who-moves.ts";

/** An entry whose coming or going lets something in or keeps it out. */
export interface OfferEntry extends Omit<DescribedDemand, "from" | "file" | "line"> {
  /** Undefined where nobody can tell: of a live object, or of what was rendered before. */
  readonly from: DescribedDemand["from"] | undefined;
  /** Undefined where nobody wrote it in a file. */
  readonly file: string | undefined;
  /** Undefined where lines mean nothing. */
  readonly line: number | undefined;
  /** Of the old side, and not of the new one any more. */
  readonly gone: boolean;
}

export interface Moved {
  readonly name: string;
  /** Empty where the pool itself came or went. */
  readonly by: readonly OfferEntry[];
}

export interface Shift {
  readonly gained: readonly Moved[];
  readonly lost: readonly Moved[];
}

/** One side of a pool, for whoever asks more of it: what the types cost, which nodes it may have. */
interface OfferSide extends PoolOffer {
  readonly demands: readonly SideDemand[];
}

export interface OfferChange {
  readonly types: Shift;
  readonly zones: Shift;
  readonly capacityTypes: Shift;
  /** What the requirements do to nodes that there are. */
  readonly requirements: RequirementEffects;
  readonly market: Market;
  /** Undefined where the side has no such pool. */
  readonly before: OfferSide | undefined;
  readonly after: OfferSide | undefined;
}

/** Undefined where nobody here knows the instance types of the pool. */
export type CompareOffers = (
  before: SidePool | undefined,
  after: SidePool | undefined,
  market: Market,
) => OfferChange | undefined;

/** Thousands of pools have few different lists of demands: each pair of those is worked out once. */
export function offerComparer(): CompareOffers {
  const read = entryReader();
  const keyOf = oncePerObject((requirement: AskedRequirement["requirement"]) => ({
    text: `${identityOf(requirement)}|${requirement.minValues ?? ""}`,
  }));
  const identity = ({ from, requirement }: AskedRequirement): string =>
    `${from === "class" ? "class " : ""}${keyOf(requirement).text}`;
  const questionOf = (demands: readonly SideDemand[] | undefined): string =>
    demands === undefined ? "none" : demands.map(identity).join("\n");
  const answers = oncePerObject((_filter: TypeFilter) => new Map<string, Answer>());
  return (before, after, market) => {
    if (market.typesUnknown === true) return undefined;
    const demandsOf = (side: SidePool | undefined, other: SidePool | undefined) =>
      side && sideDemands(side, side.pool.needs ?? other?.pool.needs ?? [], read);
    const [old, now] = [demandsOf(before, after), demandsOf(after, before)] as const;
    const classes = [before, after].map((side) => sideClass(side));
    const question = [market.profile, providerOfPool((after ?? before)!.pool).name, ...classes.map(classNote)]
      .concat(questionOf(old), "", questionOf(now))
      .join("\n");
    const known = answers(market.filter);
    const answer = known.get(question) ?? compare([before, after], [old, now], identity, market);
    known.set(question, answer);
    return changeOf(answer, old, now, market);
  };
}

/** The class that says something of the pool's nodes which its demands do not hold. */
function sideClass(side: SidePool | undefined): KubeObject | undefined {
  return side?.pool.asItStands === true ? side.nodeClass?.object : undefined;
}

/** What tells the labels of nodes of two classes apart whose demands are the same. */
function classNote(nodeClass: KubeObject | undefined): string {
  if (nodeClass === undefined) return "";
  return valueAt(nodeClass, ["spec", "placementGroupSelector"]) === undefined ? "class" : "class in a group";
}

type Both<T> = readonly [before: T, after: T];

interface Answer {
  readonly before: PoolOffer | undefined;
  readonly after: PoolOffer | undefined;
  readonly moves: Readonly<Record<Aspect, Moves>>;
  readonly requirements: RequirementEffects;
}

const ASPECTS = ["types", "zones", "capacityTypes"] as const;

type Aspect = (typeof ASPECTS)[number];

interface Moves {
  readonly gained: ReadonlyMap<string, readonly Flip[]>;
  readonly lost: ReadonlyMap<string, readonly Flip[]>;
}

function compare(
  [beforeSide, afterSide]: Both<SidePool | undefined>,
  [before, after]: Both<readonly AskedRequirement[] | undefined>,
  identity: (demand: AskedRequirement) => string,
  market: Market,
): Answer {
  const named = namedPlaces([...(before ?? []), ...(after ?? [])]);
  const ask = oncePer((demands: readonly AskedRequirement[]) => offerOf(demands, market, named));
  const [old, now] = [before && ask(before), after && ask(after)];
  const flips = before === undefined || after === undefined ? [] : flipsOf(before, after, identity);
  const { names: typeNames } = market.filter.catalogue;
  const moves = (aspect: Aspect): Moves => {
    const namesOf = (offer: PoolOffer | undefined): ReadonlySet<string> =>
      offer === undefined ? NOTHING : aspect === "types" ? namesIn(offer.types, typeNames) : offer[aspect];
    const gained = aspect === "types" ? difference(now, old, typeNames) : [...namesOf(now).difference(namesOf(old))];
    const lost = aspect === "types" ? difference(old, now, typeNames) : [...namesOf(old).difference(namesOf(now))];
    const who = (names: readonly string[], isGain: boolean): Moves["gained"] => {
      if (names.length === 0) return NOBODY;
      if (before === undefined || after === undefined) return new Map(names.map((name) => [name, []]));
      const admits: Admits = (demands) => namesOf(ask(demands));
      return whoMoves(names.toSorted(), isGain, { before, flips, after, together: admits, alone: admits });
    };
    return { gained: who(gained, true), lost: who(lost, false) };
  };
  const labelsOf = (side: SidePool | undefined, offer: PoolOffer | undefined) =>
    side && offer && { asked: askedOf(side.pool.object, sideClass(side)), offer };
  const [from, to] = [labelsOf(beforeSide, old), labelsOf(afterSide, now)];
  return {
    before: old,
    after: now,
    requirements: from === undefined || to === undefined ? NO_EFFECTS : requirementDrift(from, to, market),
    moves: { types: moves("types"), zones: moves("zones"), capacityTypes: moves("capacityTypes") },
  };
}

/** Of a pool that comes or goes. */
const NO_EFFECTS: RequirementEffects = { byKey: new Map(), together: "none", scope: "always" };

const NOTHING: ReadonlySet<string> = new Set();
const NOBODY: Moves["gained"] = new Map();

function namesIn(types: TypeMask, names: readonly string[]): ReadonlySet<string> {
  return new Set(indexesOf(types).map((type) => names[type]!));
}

/** The types that one offers and the other does not. */
function difference(one: PoolOffer | undefined, other: PoolOffer | undefined, names: readonly string[]): string[] {
  if (one === undefined) return [];
  const types = other === undefined ? one.types : without(one.types, other.types);
  return indexesOf(types).map((type) => names[type]!);
}

/** What one list has and the other does not; what stands elsewhere in it, or is somebody else's, is there. */
function flipsOf(
  before: readonly AskedRequirement[],
  after: readonly AskedRequirement[],
  identity: (demand: AskedRequirement) => string,
): Flip[] {
  const only = (some: readonly AskedRequirement[], others: readonly AskedRequirement[], side: Flip["side"]): Flip[] => {
    const there = new Set(others.map(identity));
    return some.flatMap((demand, index) => (there.has(identity(demand)) ? [] : [{ side, index }]));
  };
  return [...only(before, after, "before"), ...only(after, before, "after")];
}

/** What an entry speaks of there is, whether or not the catalogue knows it. */
function namedPlaces(demands: readonly AskedRequirement[]): NamedPlaces {
  const of = (key: string) =>
    demands.flatMap(({ requirement }) => (requirement.key === key ? [...requirement.values] : []));
  return { zones: [...new Set(of(ZONE))], capacityTypes: KNOWN_VALUES[CAPACITY_TYPE] ?? [] };
}

function changeOf(
  { before, after, moves, requirements }: Answer,
  old: readonly SideDemand[] | undefined,
  now: readonly SideDemand[] | undefined,
  market: Market,
): OfferChange {
  const described = new Map<Flip, OfferEntry>();
  const entryOf = (flip: Flip): OfferEntry => {
    const known = described.get(flip) ?? describe((flip.side === "before" ? old : now)![flip.index]!, flip);
    described.set(flip, known);
    return known;
  };
  const list = (some: Moves["gained"]): Moved[] => [...some].map(([name, flips]) => ({ name, by: flips.map(entryOf) }));
  const shift = (aspect: Aspect): Shift => ({ gained: list(moves[aspect].gained), lost: list(moves[aspect].lost) });
  return {
    types: shift("types"),
    zones: shift("zones"),
    capacityTypes: shift("capacityTypes"),
    requirements,
    market,
    before: before && { ...before, demands: old! },
    after: after && { ...after, demands: now! },
  };
}

function describe({ from, place, requirement }: SideDemand, { side }: Flip): OfferEntry {
  const gone = side === "before";
  if (place === undefined) {
    const { key, requirement: words } = describeRequirement(requirement);
    return { from, key, requirement: words, file: undefined, line: undefined, gone };
  }
  const { line, ...rest } = describeDemand({ from: from ?? "user", place, requirement });
  return { ...rest, from, line: line === 0 ? undefined : line, gone };
}
