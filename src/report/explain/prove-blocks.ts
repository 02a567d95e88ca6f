/** Proofs as blocks: whether a wrapper could bypass each key of the policy, and by which entry. */
import type { DescribedKeyProof, DescribedProof } from "../../analyze/check/check-answer.ts";
import type { DescribedCatalogue } from "../../analyze/explain/pool-answer.ts";
import { type FileLine, placeText } from "../../krm/places/location.ts";
import { counted, firstPlaces } from "../../krm/values/counted.ts";
import type { Block, Section, Span, Tone, Verdict } from "../blocks/blocks.ts";
import { instanceTypesWords } from "./explain-blocks.ts";
import { typesOrFamilies } from "./type-families.ts";

export function proveBlocks(proofs: readonly DescribedProof[], catalogue: DescribedCatalogue, all: boolean): Block[] {
  const words = instanceTypesWords(proofs, catalogue);
  return [...proofSections(proofs, all), ...countOfProofs(proofs), { kind: "paragraph", tone: "faint", words }];
}

/** `12 clusters: the policy holds in 11, no policy was read in 1`. */
function countOfProofs(proofs: readonly DescribedProof[]): Block[] {
  if (proofs.length < 2) return [];
  const byVerdict = [...Map.groupBy(proofs, (proof) => verdictOf(proof).words)];
  const words = byVerdict.map(([verdict, some]) => `${verdict} in ${String(some.length)}`).join(", ");
  return [{ kind: "paragraph", words: `${counted(proofs.length, "cluster")}: ${words}` }];
}

const RESULTS: Readonly<Record<DescribedProof["result"], Verdict>> = {
  holds: { tone: "good", words: "the policy holds", more: "no wrapper can bypass it" },
  guarded: { tone: "warning", words: "the policy holds as long as wrappers go through anp" },
  open: { tone: "error", words: "the policy can be bypassed" },
  "no-policy": { tone: "warning", words: "no policy was read", more: "users may ask for anything" },
};

/** Proofs that differ only in their cluster, its pools and places, with the first. */
type EqualProofs = readonly [DescribedProof, ...DescribedProof[]];

/** The proof of each hosted cluster; equal ones as one with their places, unless all are asked for. */
export function proofSections(proofs: readonly DescribedProof[], all = false): Section[] {
  const groups = all ? proofs.map((proof) => [proof]) : [...Map.groupBy(proofs, withoutPlaces).values()];
  return (groups as unknown as EqualProofs[]).map((equal, at): Section => {
    const [proof] = equal;
    const name = equal.length > 1 ? counted(equal.length, "cluster") : (proof.hostedCluster ?? "the input");
    return {
      kind: "section",
      id: `proof${String(at)}`,
      heading: { kind: "heading", name, verdict: verdictOf(proof), oneLine: true },
      blocks: [
        ...(equal.length > 1 ? [clustersOf(equal)] : []),
        ...proof.keys.flatMap((key, index) => keyBlocks(key, placesOfKey(equal, index), proof)),
        ...(proof.result === "no-policy" ? [] : admitted(proof)),
        ...runningBlocks(equal),
        ...proof.ways.flatMap((way, index) =>
          reasonBlocks(
            way.who === "open" ? { text: "open", tone: "error" } : { text: "trusted", tone: "info" },
            way,
            firstPlaces(equal.flatMap(({ ways }) => placesOf(ways[index]!))),
            false,
          ),
        ),
        ...proof.assumptions.flatMap((assumption, index) =>
          reasonBlocks(
            { text: "assumed", tone: "faint" },
            assumption,
            firstPlaces(equal.flatMap(({ assumptions }) => placesOf(assumptions[index]!))),
            equal.length > 1,
          ),
        ),
      ],
    };
  });
}

function withoutPlaces({ hostedCluster: _name, keys, running, ways, assumptions, ...rest }: DescribedProof): string {
  const noPlace = ({ file: _file, line: _line, ...words }: Partial<FileLine>) => words;
  return JSON.stringify({
    ...rest,
    keys: keys.map(({ places: _places, ...key }) => key),
    running: running && {
      ...running,
      bounds: running.bounds?.map(noPlace),
      until: running.until === "never",
      pools: [],
    },
    ways: ways.map(noPlace),
    assumptions: assumptions.map(noPlace),
  });
}

function clustersOf(equal: EqualProofs): Block {
  const words = firstPlaces(equal.map(({ hostedCluster }) => hostedCluster ?? "the input"));
  return { kind: "paragraph", words, tone: "faint", indent: 2 };
}

function placesOfKey(equal: EqualProofs, index: number): string {
  const places = equal.map(({ keys }) => keys[index]!.places.map((place) => placeText(place)).join(", "));
  return equal.length > 1 ? firstPlaces(places) : places[0]!;
}

/** With `nodePools: Raw`, no admission policy for NodePools is among what is rendered. */
function rawVerdict({ result, enforcedBy }: DescribedProof): Verdict | undefined {
  if (enforcedBy === undefined || result === "no-policy") return undefined;
  if (enforcedBy === null) return { ...RESULTS.open, more: "no setting says what enforces it on users' NodePools" };
  if (result === "open") return undefined;
  const condition = { Render: "only rendered NodePools are applied", Admission: "its guard is installed" }[enforcedBy];
  return { tone: "warning", words: `the policy holds as long as ${condition}` };
}

/** A policy that holds only for new nodes is no good news. */
function verdictOf(proof: DescribedProof): Verdict {
  const { result, running } = proof;
  const verdict = rawVerdict(proof) ?? RESULTS[result];
  if (running?.until !== "never") return verdict;
  const stay = "; nodes that run already may stay for ever";
  const tone = verdict.tone === "good" ? "warning" : verdict.tone;
  const { words, more } = verdict;
  return more === undefined ? { tone, words: `${words}${stay}` } : { tone, words, more: `${more}${stay}` };
}

function admitted({ admitted: { total, compatible, names } }: DescribedProof): Block[] {
  return [
    { kind: "paragraph", words: `admits ${String(compatible)} of ${String(total)} instance types`, indent: 2 },
    { kind: "list", inline: true, items: typesOrFamilies(names, 16), indent: 4 },
  ];
}

const KEY_RESULTS: Readonly<Record<DescribedKeyProof["result"], { readonly tone: Tone; readonly words: string }>> = {
  holds: { tone: "good", words: "holds" },
  guarded: { tone: "warning", words: "guarded by anp" },
  void: { tone: "error", words: "restricts nothing" },
  leaks: { tone: "error", words: "does not hold" },
};

/** What users write, which could bypass the policy. */
function writtenAs({ enforcedBy }: Pick<DescribedProof, "enforcedBy">): "wrapper" | "NodePool" {
  return enforcedBy === undefined ? "wrapper" : "NodePool";
}

function keyBlocks(proof: DescribedKeyProof, places: string, of: DescribedProof): Block[] {
  return [
    { kind: "heading", name: proof.key, verdict: KEY_RESULTS[proof.result], oneLine: true, indent: 2 },
    { kind: "paragraph", words: [{ text: proof.policy, code: true }], indent: 4 },
    { kind: "paragraph", words: places, tone: "faint", oneLine: true, indent: 4 },
    { kind: "paragraph", words: reason(proof, of), indent: 4 },
  ];
}

const UNTIL = { never: "stay for ever", goes: "go at some time", by: "are gone by a time" } as const;

/** The rest of the proof is about nodes that are launched from now on. */
function runningBlocks(equal: EqualProofs): Block[] {
  const [{ running }] = equal;
  if (running === undefined) return [];
  const head: Block = {
    kind: "paragraph",
    words: [{ text: "running", tone: "info" }, "  nodes that run already"],
    indent: 2,
  };
  return [
    head,
    { kind: "paragraph", words: mayWords(running, writtenAs(equal[0])), indent: 4 },
    ...runningPools(equal).flatMap(({ pool, until, why, place }): Block[] => [
      {
        kind: "paragraph",
        words: [
          { text: pool, tone: "strong" },
          " ",
          { text: UNTIL[until], tone: until === "never" ? "warning" : undefined },
          "  ",
          { text: place, tone: "faint" },
        ],
        indent: 4,
      },
      { kind: "paragraph", words: why, indent: 6 },
    ]),
  ];
}

/** Of several clusters, pools with the same words are one, with their places. */
function runningPools(
  equal: EqualProofs,
): (Pick<RunningPool, "pool" | "until" | "why"> & { readonly place: string })[] {
  const pools = equal.flatMap(({ running }) => running?.pools ?? []);
  if (equal.length === 1)
    return pools.map(({ file, line, ...pool }) => ({ ...pool, place: placeText({ file, line }) }));
  const byWords = [...Map.groupBy(pools, ({ until, why }) => JSON.stringify([until, why])).values()];
  const longestFirst = Object.keys(UNTIL).flatMap((until) => byWords.filter(([first]) => first!.until === until));
  return longestFirst.map((some) => ({
    ...some[0]!,
    pool: counted(some.length, "pool"),
    place: firstPlaces(some.map(({ pool, file, line }) => `${pool} (${placeText({ file, line })})`)),
  }));
}

type RunningPool = Running["pools"][number];

type Running = NonNullable<DescribedProof["running"]>;

/** What a wrapper may set at most, independent of the pools. */
function mayWords({ witness, bounds = [] }: Running, written: string): string {
  const by = new Map(bounds.map((one) => [one.bound, `${one.bound} ${one.value} (${placeText(one)})`]));
  const bounded = by.size === 0 ? "" : `bounded by ${[...by.values()].join(", ")}: `;
  if (witness === null) return bounded + boundedWords(bounds, written);
  const { expireAfter, budgets, annotations = {} } = witness;
  const and =
    budgets === undefined
      ? `put ${Object.keys(annotations).join(" and ")} on its nodes`
      : `a budget of ${budgets[0]?.nodes} nodes`;
  const instead = budgets === undefined ? "; maxExpireAfter would end those" : "";
  return `${bounded}a ${written} may say expireAfter: ${expireAfter} and ${and}, and nodes that a new policy does not admit stay for ever${instead}`;
}

/** Text for a bounded lifetime. The bound applies only to new nodes, because a node keeps the lifetime it was created with. */
function boundedWords(bounds: NonNullable<Running["bounds"]>, written: string): string {
  const of = (name: string) => bounds.find(({ bound }) => bound === name)?.value;
  const grace = of("maxTerminationGracePeriod");
  const pods =
    grace === undefined
      ? ", but a pod that may not be evicted can hold it without limit unless maxTerminationGracePeriod is set"
      : `, and is gone ${grace} later`;
  const older =
    of("minDriftedBudget") === undefined
      ? `older ones drift, but a ${written}'s budgets may keep those unless minDriftedBudget is set`
      : "older ones drift, and budgets allow that, except for nodes with karpenter.sh/do-not-disrupt";
  return `whatever ${written}s say, a node created from now on expires after ${of("maxExpireAfter")} at the latest${pods}; ${older}`;
}

type Reason = Pick<DescribedProof["ways"][number], "what" | "why" | "file" | "line">;

function placesOf({ file, line }: Reason): string[] {
  return file === undefined ? [] : [placeText({ file, line })];
}

/** @param isOfSeveral whether the proof is of several clusters: then a terminal has the reasons with --all only */
function reasonBlocks(word: Span, { what, why }: Reason, places: string, isOfSeveral: boolean): Block[] {
  const place: (string | Span)[] = places === "" ? [] : ["  ", { text: places, tone: "faint" }];
  return [
    { kind: "paragraph", words: [word, "  ", what, ...place], oneLine: true, indent: 2 },
    { kind: "paragraph", words: why, indent: 4, ...(isOfSeveral ? { forms: ["html"] as const } : {}) },
  ];
}

const PRESENCE = {
  always: "every instance type has this label",
  optional: "some instance types lack this label",
  offering: "only capacity in a reservation has this label",
  class: "only a class with a placementGroupSelector gives this label",
  unknown: "perhaps some instance types lack this label",
  custom: "no instance type has this label",
} as const;

function reason({ key, presence, escape, result, nodesGet }: DescribedKeyProof, proof: DescribedProof): string {
  const written = writtenAs(proof);
  if (result === "void")
    return `${PRESENCE[presence]}, and the policy's own entries contradict each other: Karpenter ignores them and launches nodes without it`;
  if (nodesGet?.value === null && presence === "class")
    return `${PRESENCE.class}, and no class of a hosted cluster has one: Karpenter launches nodes without it in any case, so anp refuses every ${written}; remove the entry from the policy`;
  if (nodesGet?.value === null && presence === "offering")
    return `${PRESENCE.offering}, and a pod whose node affinity has \`${key} NotIn\` with any value gets a node without it, such as when the reservations are full; list the values with In, or ask for karpenter.sh/capacity-type In [reserved] as well`;
  if (nodesGet !== undefined)
    return `${PRESENCE[presence]}, and by the policy's own entries ${leak(nodesGet)}; list the values with In`;
  if (escape === undefined) return `${PRESENCE.always}, so what a ${written} adds can only narrow it`;
  const { entry, label, effective, types } = escape;
  const refuses =
    proof.enforcedBy === "Admission"
      ? "the guard refuses such a NodePool"
      : `anp refuses such a ${written} (policy-bypassed)`;
  if (label !== undefined)
    return `${PRESENCE[presence]}: with the label \`${key}: "${label.value}"\` in the template of a ${written} the merge becomes ${effective}, and Karpenter launches nodes that keep the label; ${refuses}`;
  const lets =
    types === 0 ? "nodes without the label" : `${String(types)} instance types that the policy does not admit`;
  return `${PRESENCE[presence]}: with \`${key} ${entry?.operator ?? ""}\` in a ${written} the merge becomes ${effective}, and Karpenter launches ${lets}; ${refuses}`;
}

function leak({ value, always }: NonNullable<DescribedKeyProof["nodesGet"]>): string {
  const nodes = always ? "all nodes" : "some nodes";
  return value === null
    ? `${nodes} come without it, because Karpenter treats an empty value as none`
    : `${nodes} get \`${value}\`, because Karpenter generates a number and ignores exclusions`;
}
