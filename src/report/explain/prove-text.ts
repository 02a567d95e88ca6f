/** Proofs for people: whether a wrapper could bypass each key of the policy, and by which entry. */
import type { DescribedKeyProof, DescribedProof } from "../../analyze/check/check-answer.ts";
import type { DescribedCatalogue } from "../../analyze/explain/pool-answer.ts";
import { placeText } from "../../krm/location.ts";
import { instanceTypesWords } from "./type-sources.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { typesOrFamilies } from "./type-families.ts";
import { indented, wrapText, wrapWords } from "../terminal/wrap.ts";

export function proveText(
  proofs: readonly DescribedProof[],
  { source, date }: DescribedCatalogue,
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const lines = proofs.flatMap((proof) => [...describe(proof, style, width), ""]);
  return withoutCommands([...lines, style.faint(instanceTypesWords(proofs, { source, date })), ""].join("\n"));
}

export const RESULTS: Readonly<Record<DescribedProof["result"], readonly [keyof Style, string]>> = {
  holds: ["good", "the policy holds: no wrapper can bypass it"],
  guarded: ["warning", "the policy holds as long as wrappers go through anp"],
  open: ["error", "the policy can be bypassed"],
  "no-policy": ["warning", "there is no policy: users may ask for anything"],
};

function describe(proof: DescribedProof, style: Style, width: number): string[] {
  const [paint, text] = RESULTS[proof.result];
  const { total, compatible, names } = proof.admitted;
  // A policy that holds only for new nodes needs this note.
  const stay = proof.running?.until === "never" ? style.warning("; nodes that run already may stay for ever") : "";
  return [
    `${style.strong(printable(proof.hostedCluster ?? "the input"))}  ${style[paint](text)}${stay}`,
    ...proof.keys.flatMap((key) => describeKey(key, style, width)),
    ...(proof.result === "no-policy"
      ? []
      : [
          `  admits ${String(compatible)} of ${String(total)} instance types`,
          ...indented(wrapWords(typesOrFamilies(names, 16), width - 4), 4),
        ]),
    ...runningLines(proof, style, width),
    ...proof.ways.flatMap((way) => {
      const word = way.who === "open" ? style.error("open") : style.info("trusted");
      return describeReason(word, way, style, width);
    }),
    ...proof.assumptions.flatMap((assumption) => describeReason(style.faint("assumed"), assumption, style, width)),
  ];
}

export const UNTIL = { never: "stay for ever", goes: "go at some time", by: "are gone by a time" } as const;

/** The rest of the proof is about nodes that are launched from now on. */
function runningLines({ running }: DescribedProof, style: Style, width: number): string[] {
  if (running === undefined) return [];
  return [
    `  ${style.info("running")}  nodes that run already`,
    ...wrapText(printable(mayWords(running)), width, 4),
    ...running.pools.flatMap(({ pool, until, why, ...place }) => [
      `    ${style.strong(printable(pool))} ${until === "never" ? style.warning(UNTIL[until]) : UNTIL[until]}  ${style.faint(printable(placeText(place)))}`,
      ...wrapText(printable(why), width, 6),
    ]),
  ];
}

type Running = NonNullable<DescribedProof["running"]>;

/** What a wrapper may set at most, independent of the pools. */
export function mayWords({ witness, bounds = [] }: Running): string {
  const by = new Map(bounds.map((one) => [one.bound, `${one.bound} ${one.value} (${placeText(one)})`]));
  const bounded = by.size === 0 ? "" : `bounded by ${[...by.values()].join(", ")}: `;
  if (witness === null) return bounded + boundedWords(bounds);
  const { expireAfter, budgets, annotations = {} } = witness;
  const and =
    budgets === undefined
      ? `put ${Object.keys(annotations).join(" and ")} on its nodes`
      : `a budget of ${budgets[0]?.nodes} nodes`;
  const instead = budgets === undefined ? "; maxExpireAfter would end those" : "";
  return `${bounded}a wrapper may say expireAfter: ${expireAfter} and ${and}, and nodes that a new policy does not admit stay for ever${instead}`;
}

/** Text for a bounded lifetime. The bound applies only to new nodes, because a node keeps the lifetime it was created with. */
function boundedWords(bounds: NonNullable<Running["bounds"]>): string {
  const of = (name: string) => bounds.find(({ bound }) => bound === name)?.value;
  const grace = of("maxTerminationGracePeriod");
  const pods =
    grace === undefined
      ? ", but a pod that may not be evicted can hold it without limit unless maxTerminationGracePeriod is set"
      : `, and is gone ${grace} later`;
  const older =
    of("minDriftedBudget") === undefined
      ? "older ones drift, but a wrapper's budgets may keep those unless minDriftedBudget is set"
      : "older ones drift, and budgets allow that, except for nodes with karpenter.sh/do-not-disrupt";
  return `whatever wrappers say, a node created from now on expires after ${of("maxExpireAfter")} at the latest${pods}; ${older}`;
}

function describeReason(
  word: string,
  { what, why, file, line }: Pick<DescribedProof["ways"][number], "what" | "why" | "file" | "line">,
  style: Style,
  width: number,
): string[] {
  const place = file === undefined ? "" : `  ${style.faint(printable(placeText({ file, line })))}`;
  return [`  ${word}  ${printable(what)}${place}`, ...wrapText(printable(why), width, 4)];
}

const PRESENCE = {
  always: "every instance type has this label",
  optional: "some instance types lack this label",
  offering: "only capacity in a reservation has this label",
  class: "only a class with a placementGroupSelector gives this label",
  custom: "no instance type has this label",
} as const;

export const KEY_RESULTS: Readonly<Record<DescribedKeyProof["result"], readonly [keyof Style, string]>> = {
  holds: ["good", "holds"],
  guarded: ["warning", "guarded by anp"],
  void: ["error", "restricts nothing"],
  leaks: ["error", "does not hold"],
};

function describeKey(proof: DescribedKeyProof, style: Style, width: number): string[] {
  const [paint, result] = KEY_RESULTS[proof.result];
  const places = proof.places.map((place) => printable(placeText(place))).join(", ");
  return [
    `  ${style.strong(printable(proof.key))}  ${style[paint](result)}`,
    ...wrapText(printable(proof.policy), width, 4),
    `    ${style.faint(places)}`,
    ...wrapText(reason(proof), width, 4),
  ];
}

export function reason({ key, presence, escape, result, nodesGet }: DescribedKeyProof): string {
  if (result === "void")
    return `${PRESENCE[presence]}, and the policy's own entries contradict each other: Karpenter ignores them and launches nodes without it`;
  if (nodesGet?.value === null && presence === "class")
    return `${PRESENCE.class}, and no class of a hosted cluster has one: Karpenter launches nodes without it in any case, so anp refuses every wrapper; remove the entry from the policy`;
  if (nodesGet?.value === null && presence === "offering")
    return `${PRESENCE.offering}, and a pod whose node affinity has \`${printable(key)} NotIn\` with any value gets a node without it, such as when the reservations are full; list the values with In, or ask for karpenter.sh/capacity-type In [reserved] as well`;
  if (nodesGet !== undefined)
    return `${PRESENCE[presence]}, and by the policy's own entries ${leak(nodesGet)}; list the values with In`;
  if (escape === undefined) return `${PRESENCE.always}, so what a wrapper adds can only narrow it`;
  const { entry, label, effective, types } = escape;
  const refuses = "anp refuses such a wrapper (policy-bypassed)";
  if (label !== undefined)
    return `${PRESENCE[presence]}: with the label \`${printable(key)}: "${printable(label.value)}"\` in the template of a wrapper the merge becomes ${effective}, and Karpenter launches nodes that keep the label; ${refuses}`;
  const lets =
    types === 0 ? "nodes without the label" : `${String(types)} instance types that the policy does not admit`;
  return `${PRESENCE[presence]}: with \`${printable(key)} ${entry?.operator ?? ""}\` in a wrapper the merge becomes ${effective}, and Karpenter launches ${lets}; ${refuses}`;
}

function leak({ value, always }: NonNullable<DescribedKeyProof["nodesGet"]>): string {
  const nodes = always ? "all nodes" : "some nodes";
  return value === null
    ? `${nodes} come without it, because Karpenter treats an empty value as none`
    : `${nodes} get \`${printable(value)}\`, because Karpenter generates a number and ignores exclusions`;
}
