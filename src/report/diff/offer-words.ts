/** Texts for the instance types and places that a pool gains and loses, and why. */
import { counted, someOf } from "../../krm/values/counted.ts";
import { placeText } from "../../krm/places/location.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import type { AttributedChange, OfferChange, OfferEntry, Shift } from "../../analyze/diff/offers/compare-offers.ts";
import { REPLACING } from "../../analyze/diff/change-effect.ts";
import { shortened } from "../terminal/printable.ts";

/** At most this many names are shown, and the others counted. */
const MOST_NAMES = 5;

/** At most this many reasons are shown for gains, and for losses. */
const MOST_REASONS = 4;

/** A longer requirement is cut. */
const MOST_LETTERS = 160;

/** `over the catalogue of 2026-08: +1 type (m2.xlarge), −0; no node drifts`; empty without such changes. */
export function offerWords({ action, offer, effect, isRewritten }: Change): string {
  if (offer === undefined || action === "removed") return "";
  const { types, zones, capacityTypes } = offer;
  const all = [types, zones, capacityTypes].flatMap(({ gained, lost }) => [gained, lost]);
  if (!isRewritten && all.every((some) => some.length === 0)) return "";
  const over = `over the catalogue of ${offer.knownTypes.filter.catalogue.date}`;
  if (action === "added")
    return `${over}: ${types.gained.length === 0 ? "no instance type is left" : `may launch ${countOf(types.gained)}`}`;
  const isEmpty = types.lost.length > 0 && hasNone(offer.after);
  const parts = [
    typesWords(types),
    // A pool without instance types has no zones either.
    ...(isEmpty ? ["none is left"] : [...placesWords("zones", zones), ...placesWords("capacity types", capacityTypes)]),
    ...(isRewritten && !REPLACING.has(effect) ? ["no node drifts"] : []),
  ];
  return `${over}: ${parts.join("; ")}`;
}

function hasNone(after: OfferChange["after"]): boolean {
  return after === undefined || after.types.every((word) => word === 0);
}

/** `+1 type (m2.xlarge), −0`. */
function typesWords({ gained, lost }: Shift): string {
  if (gained.length + lost.length === 0) return "+0 −0 types";
  return `+${gained.length === 0 ? "0" : countOf(gained)}, −${lost.length === 0 ? "0" : countOf(lost)}`;
}

function countOf(some: readonly AttributedChange[]): string {
  return `${counted(some.length, "type")} (${namesOf(some)})`;
}

function namesOf(some: readonly AttributedChange[]): string {
  return someOf(
    some.map(({ name }) => name),
    MOST_NAMES,
  );
}

function placesWords(what: string, { gained, lost }: Shift): string[] {
  const parts = [
    gained.length === 0 ? [] : [`+${namesOf(gained)}`],
    lost.length === 0 ? [] : [`−${namesOf(lost)}`],
  ].flat();
  return parts.length === 0 ? [] : [`${what} ${parts.join(" ")}`];
}

/** `lets in m2.xlarge: without the pool's karpenter.k8s.aws/instance-cpu Exists >=4 (pools.yaml:9)`. */
export function reasonWords(offer: OfferChange): string[] {
  const { types, zones, capacityTypes } = offer;
  // Zones and capacity types that come with new types are covered by the types.
  const shifts = types.gained.length + types.lost.length > 0 ? [types] : [zones, capacityTypes];
  return shifts.flatMap(({ gained, lost }) => [...reasonsOf("lets in", gained), ...reasonsOf("keeps out", lost)]);
}

function reasonsOf(verb: string, moved: readonly AttributedChange[]): string[] {
  const groups = [...Map.groupBy(moved, ({ by }) => by.map(entryWords).join(" and ")).entries()];
  const reasons = groups
    .filter(([who]) => who !== "")
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([who, some]) => `${verb} ${namesOf(some)}: ${who}`);
  const left = reasons.length - MOST_REASONS;
  return left > 0
    ? [...reasons.slice(0, MOST_REASONS), `${verb} others for ${counted(left, "other reason")}`]
    : reasons;
}

const OWNERS = {
  policy: "the policy's",
  user: "the pool's",
  label: "the node label",
  class: "the node class's",
  limit: "the pool's limit",
} as const;

function entryWords({ from, key, requirement, file, line, gone }: OfferEntry): string {
  const owner = from === undefined ? "" : `${OWNERS[from]} `;
  const place = placeText({ file, line });
  const what = shortened(`${key} ${requirement}`, MOST_LETTERS);
  return `${gone ? "without " : ""}${owner}${what}${place === "" ? "" : ` (${place})`}`;
}
