/** Texts for changes of a policy: relations, witnesses and affected pools. */
import { counted, someOf } from "../../krm/values/counted.ts";
import { jsonText } from "../../krm/values/exact-integer.ts";
import type { RootVolumeChange, PolicyChange, TouchedPool } from "../../analyze/diff/policies/policy-changes.ts";
import type { Relation } from "../../analyze/diff/policies/compare-policies.ts";
import type { Witness } from "../../analyze/diff/policies/policy-witness.ts";

/** `AutoNodePolicy default`, with its hosted cluster if several are compared. */
export function policyName({ hostedCluster }: Pick<PolicyChange, "hostedCluster">): string {
  return `${hostedCluster === undefined ? "" : `${hostedCluster} `}AutoNodePolicy default`;
}

const RELATIONS: Readonly<Record<Relation, string>> = {
  equivalent: "it admits the same",
  tighter: "it admits less",
  looser: "it admits more",
  disjoint: "it admits nothing of what it did, and something else",
  incomparable: "it admits more of one and less of another",
};

/** `gone, looser: it admits more`. */
export function relationWords({ action, relation, scope, catalogueDate }: PolicyChange): string {
  const came = { added: "new, ", removed: "gone, ", changed: "" }[action];
  const admits = RELATIONS[relation];
  const catalogue = `the catalogue of ${catalogueDate}`;
  if (scope === "newer-types")
    return `${came}equivalent over ${catalogue}, ${relation} for types that it does not know: of those ${admits}`;
  if (scope === "catalogue")
    return `${came}${relation} over ${catalogue}: ${admits}; unknown for types that it does not know`;
  return `${came}${relation}: ${admits}`;
}

/** `m7g.xlarge (karpenter.k8s.aws/instance-family m7g)`. */
export function witnessWords({ instanceType, label, fewerThan }: Witness): string {
  if (fewerThan !== undefined && label !== undefined) {
    const { key } = label;
    return `a wrapper that leaves fewer than ${counted(fewerThan, "value")} of ${key}`;
  }
  const type = instanceType ?? "a type that the catalogue does not know";
  if (label === undefined) return type;
  const { key, value } = label;
  return `${type} (${value === undefined ? `without ${key}` : `${key} ${value === "" ? '""' : value}`})`;
}

/** `root volume looser: encrypted true → false`. */
export function rootVolumeWords({ relation, from, to }: RootVolumeChange): string {
  const word = relation === "other" ? "other" : relation;
  if (from === undefined || to === undefined) {
    const one = (volume: RootVolumeChange["from"]) => (volume === undefined ? "users' own" : jsonText(volume));
    return `root volume ${word}: ${one(from)} → ${one(to)}`;
  }
  const [old, now]: Readonly<Record<string, unknown>>[] = [from, to];
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (field) => old![field] !== now![field],
  );
  const show = (value: unknown): string => (value === undefined ? "none" : String(value));
  return `root volume ${word}: ${fields.map((field) => `${field} ${show(old![field])} → ${show(now![field])}`).join(", ")}`;
}

/** At most this many pools are named, and the others counted. */
const MOST_POOLS = 10;

/**
 * `touches web (+4 −0 types), batch (ok → unsatisfiable, +0 −12 types)`; empty if no pool changes.
 *
 * @param count of the pools of several clusters: `touches 12 pools in 12 clusters (each +0 −9 types)`
 */
export function poolsWords(pools: readonly TouchedPool[], count?: string): string {
  const [first, ...others] = pools;
  if (first === undefined) return "";
  const named = someOf(
    pools.map((pool) => `${pool.name} (${changeWords(pool)})`),
    MOST_POOLS,
  );
  if (count === undefined) return `touches ${named}`;
  const isSame = others.every((pool) => changeWords(pool) === changeWords(first));
  return isSame ? `touches ${count} (each ${changeWords(first)})` : `touches ${count}: ${named}`;
}

function changeWords({ verdict, types }: TouchedPool): string {
  const changed = verdict.from === verdict.to ? "" : `${verdict.from} → ${verdict.to}, `;
  return `${changed}+${types.gained} −${types.lost} types`;
}

/** The changes that need an approval, for the standard error. */
export function looserWords(change: PolicyChange): string {
  const { action, relation, gained, rootVolume } = change;
  const reasons = [
    ...(action === "removed" ? ["it is gone"] : []),
    ...(gained === undefined ? [] : [`it lets in ${witnessWords(gained)}`]),
    ...(gained === undefined && relation === "looser" ? [relationWords(change)] : []),
    ...(rootVolume?.relation === "looser" ? [rootVolumeWords(rootVolume)] : []),
  ];
  return `${policyName(change)} may only get tighter without an approval: ${reasons.join("; ")}`;
}
