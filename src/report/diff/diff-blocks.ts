/** The arrangement of the answer of `anp diff`, for every form that people read. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { EFFECTS, type Effect, REPLACING, worstEffect } from "../../analyze/diff/change-effect.ts";
import { UNKNOWN_NODES } from "../../analyze/diff/change-nodes.ts";
import type { FieldChange } from "../../analyze/diff/compare-objects.ts";
import { describeChange, describePolicyChange } from "../../analyze/diff/describe-diff.ts";
import type { DescribedRollout, DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import { isLooser, type PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import { type Witness, witnessWrapper } from "../../analyze/diff/policies/policy-witness.ts";
import { counted, firstPlaces, someOf } from "../../krm/values/counted.ts";
import { jsonText } from "../../krm/values/exact-integer.ts";
import { placeText } from "../../krm/places/location.ts";
import { toYaml } from "../../krm/yaml/write.ts";
import {
  type Block,
  type Code,
  type Heading,
  type Note,
  type Paragraph,
  type Section,
  type TableRow,
  textOf,
  type Tone,
  type Words,
} from "../blocks/blocks.ts";
import { shortened } from "../terminal/printable.ts";
import { costLines } from "./cost-words.ts";
import { offerWords, reasonWords } from "./offer-words.ts";
import { policyName, poolsWords, relationWords, rootVolumeWords, witnessWords } from "./policy-words.ts";
import { plansOfDiff } from "../plan/between-plans.ts";
import { hasRollout, rolloutBlocks } from "./rollout-table.ts";
import { keepingWords, summaryWords } from "./summary-words.ts";
import { effectWords, nameOf, nodeNames, nodesWords, ownerOf, settlesWords, summaryOf } from "./words.ts";
import { diffYaml } from "./yaml.ts";

export interface DiffToShow {
  readonly changes: readonly Change[];
  readonly policies: readonly PolicyChange[];
  readonly summary: DescribedSummary;
  /** The sum of each cluster, if several are compared. */
  readonly rollout?: readonly DescribedRollout[] | undefined;
  /** The number of errors that keep objects from being compared. */
  readonly errors: number;
  /** Files that were passed over and differ between the sides. */
  readonly incomplete?: readonly string[] | undefined;
  /** Sentences on what made only the old side invalid. */
  readonly refused?: readonly string[] | undefined;
  /** Sentences on what the API server was not asked; in a terminal they are notes. */
  readonly notAsked?: readonly string[] | undefined;
  /** Of the pods of `--pods`, with the plan of the old side. */
  readonly plan?: PlanAnswer | undefined;
  /** Whether changes with one cause are one by one, instead of once with their places. */
  readonly all?: boolean | undefined;
}

/** The summary comes last in a terminal, for programs that read the last line, and first in a document. */
export function diffBlocks(answer: DiffToShow): Block[] {
  const { changes, policies, rollout = [], all = false } = answer;
  const summary = summaryBlocks(answer);
  const rollouts = rolloutBlocks(rollout, all);
  // The rollout has the nodes, times and money of each cluster.
  const inRollout = hasRollout(rollout);
  const plan = answer.plan === undefined ? [] : plansOfDiff(answer.plan);
  const ofPolicies = groupsOf(policies, all ? undefined : differenceOfPolicies);
  const ofChanges = groupsOf(changes, all ? undefined : (change) => differenceOfObjects(change, inRollout));
  return [
    { kind: "heading", name: "anp diff", verdict: { words: titleOf(answer) }, forms: ["markdown"] },
    ...unseenBlocks(answer),
    ...(answer.notAsked ?? []).map((words): Paragraph => ({
      ...paragraph(words),
      tone: "warning",
      forms: ["markdown", "github", "html"],
    })),
    ...plan.map((block) => ({ ...block, forms: ["markdown", "html"] as const })),
    ...summary.map((block) => ({ ...block, forms: ["markdown", "html"] as const })),
    ...rollouts.map((block) => ({ ...block, forms: ["markdown", "html"] as const })),
    ...(changes.length + policies.length === 0 ? [] : overviews(answer, ofPolicies, ofChanges)),
    ...inGroups(policies, ofPolicies, policySection, (group) => policyGroupSection(group, inRollout)),
    ...inGroups(changes, ofChanges, changeSection, (group) => changeGroupSection(group, inRollout)),
    ...rollouts.map((block) => ({ ...block, forms: ["terminal", "github"] as const })),
    ...[...plan, ...summary, ...totals(answer)].map((block) => ({ ...block, forms: ["terminal", "github"] as const })),
  ];
}

function titleOf(answer: DiffToShow): string {
  const { changes, policies, summary, errors } = answer;
  const unseen = unseenWords(answer);
  const none = errors === 0 && policies.length === 0 ? "no changes" : "the rendered objects are the same";
  const what = changes.length > 0 ? summaryWords(summary, changes) : unseen === "" ? none : `${none} elsewhere`;
  const keep = `${counted(errors, "error keeps", "errors keep")} the rest from being compared`;
  return [unseen, what, errors === 0 ? "" : keep].filter((part) => part !== "").join("; ");
}

/** The head of a page has no words on it. */
function unseenBlocks(answer: DiffToShow): Paragraph[] {
  const words = unseenWords(answer);
  return words === "" ? [] : [{ ...paragraph(words), tone: "warning", forms: ["html"] }];
}

function unseenWords({ incomplete = [], refused = [] }: DiffToShow): string {
  const files = counted(incomplete.length, "changed file is", "changed files are");
  const [first = "", ...others] = refused;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "other error")}`;
  return [
    incomplete.length === 0 ? "" : `incomplete: ${files} not compared: ${someOf(incomplete, MOST_FILES)}`,
    refused.length === 0 ? "" : `${first}${more}; the new side is valid`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** At most this many files are named, and the others counted. */
const MOST_FILES = 3;

function summaryBlocks({ changes, summary }: DiffToShow): Paragraph[] {
  if (changes.length === 0) return [];
  const keeping = keepingWords(summary.keeping);
  return [...(keeping === "" ? [] : [paragraph(keeping)]), { ...paragraph(summaryOf(changes)), oneLine: true }];
}

/** Documents have it in their titles. The count of objects alone is in the tally beside it. */
function totals(answer: DiffToShow): Paragraph[] {
  const { changes, summary } = answer;
  const unseen = unseenWords(answer);
  if (unseen !== "") return [paragraph(titleOf(answer))];
  const isMore = summary.types !== null || summary.nodes !== null;
  return changes.length > 0 && isMore ? [paragraph(summaryWords(summary, changes))] : [];
}

function paragraph(words: string): Paragraph {
  return { kind: "paragraph", words };
}

/** Changes with one cause: the same difference in several objects, or in the policies of several clusters. */
type Group<T> = readonly [T, ...T[]];

function groupsOf<T>(all: readonly T[], sameOf: ((one: T) => string) | undefined): Group<T>[] {
  if (sameOf === undefined) return all.map((one) => [one]);
  return [...Map.groupBy(all, sameOf).values()] as unknown as Group<T>[];
}

function differenceOfPolicies(change: PolicyChange): string {
  const { hostedCluster: _name, pools: _pools, ...difference } = describePolicyChange(change);
  return JSON.stringify(difference);
}

/** Known nodes are those of one pool. @param inRollout whether a table has the nodes of each cluster */
function differenceOfObjects(change: Change, inRollout: boolean): string {
  const { resource, action, nodes } = change;
  const lines = codeOf(change).lines.map(({ mark, text }) => [mark, text]);
  return JSON.stringify([
    resource.apiVersion,
    resource.kind,
    action,
    effectWords(change),
    ...(inRollout ? [] : [nodesWords(change), nodes.names]),
    lines,
  ]);
}

/** What the sentences on a change say, apart from places. @param inRollout as for `differenceOfObjects` */
function detailsOf(change: Change, inRollout: boolean): string {
  const { offer, settles, cost } = describeChange(inRollout ? withoutNodes(change) : change);
  return JSON.stringify([offer, settles, cost], (key, value: unknown) =>
    key === "file" || key === "line" ? undefined : value,
  );
}

/** Without what the rollout says of each cluster. */
function withoutNodes(change: Change): Change {
  const { cost } = change;
  return { ...change, nodes: UNKNOWN_NODES, settles: undefined, cost: cost && { ...cost, nodes: null } };
}

/** Texts and Markdown have a group as one section. Annotations have their own places, and pages a filter. */
function inGroups<T>(
  all: readonly T[],
  groups: readonly Group<T>[],
  sectionOf: (one: T, at: number) => Section,
  groupSectionOf: (group: Group<T>) => Section,
): Section[] {
  const grouped = new Set(groups.flatMap((group) => (group.length > 1 ? group : [])));
  const firsts = new Map(groups.map((group) => [group[0], group]));
  return all.flatMap((one, at): Section[] => {
    const section = sectionOf(one, at);
    if (!grouped.has(one)) return [section];
    const group = firsts.get(one);
    const own: Section = { ...section, forms: ["github", "html"] };
    return group === undefined ? [own] : [{ ...groupSectionOf(group), forms: ["terminal", "markdown"] }, own];
  });
}

/** Documents have a table of all changes before their details; in Markdown, changes with one cause have one row. */
function overviews(
  { changes, policies }: DiffToShow,
  ofPolicies: readonly Group<PolicyChange>[],
  ofChanges: readonly Group<Change>[],
): Section[] {
  const each = overview([...policies.map(policyRow), ...changes.map(changeRow)]);
  if (ofPolicies.length === policies.length && ofChanges.length === changes.length) return [each];
  const rows = [
    ...ofPolicies.map((group) => groupRow(group.map(policyRow), policiesName(group))),
    ...ofChanges.map((group) => groupRow(group.map(changeRow), changesName(group))),
  ];
  return [
    { ...each, forms: ["html"] },
    { ...overview(rows), forms: ["markdown"] },
  ];
}

/** A cell in which the changes differ says so. */
function groupRow(rows: readonly TableRow[], name: string): TableRow {
  const [first, ...others] = rows;
  const cells = first!.cells.map((cell, at): Words => {
    if (at === 0) return [{ text: name, code: true }];
    return others.every((row) => textOf(row.cells[at] ?? "") === textOf(cell)) ? cell : "differs";
  });
  return { ...first, cells };
}

function policyRow(policy: PolicyChange, at: number): TableRow {
  const { action, rootVolume } = policy;
  const name = { text: policyName(policy), code: true, link: policyId(at) };
  const does = [relationWords(policy), ...(rootVolume === undefined ? [] : [rootVolumeWords(rootVolume)])].join("; ");
  return { rank: POLICY_RANK, cells: [[name], action, does] };
}

function changeRow(change: Change, at: number): TableRow {
  const { action, effect, offer } = change;
  const name = { text: nameOf(change), code: true, link: changeId(at) };
  const types = offer === undefined ? "" : `+${offer.types.gained.length} −${offer.types.lost.length}`;
  const does = { text: effectWords(change), tone: EFFECT_TONES[effect] };
  return { rank: rankOf(effect), cells: [[name], action, [does], types, nodesWords(change), settlesWords(change)] };
}

function overview(rows: readonly TableRow[]): Section {
  return {
    kind: "section",
    id: "changes",
    heading: { kind: "heading", name: "Changes" },
    blocks: [
      {
        kind: "table",
        label: "All changes",
        id: "strip",
        columns: ["object", "action", "effect", "types", "nodes", "when"].map((head) => ({ head })),
        rows,
      },
    ],
    forms: ["markdown", "html"],
  };
}

const policyId = (at: number): string => `policy${at}`;

/** The id of the section of a change, and of its picture. */
export const changeId = (at: number): string => `d${at}`;

/** Policies come before all objects. */
const POLICY_RANK = EFFECTS.length;

function rankOf(effect: Effect): number {
  return EFFECTS.indexOf(effect);
}

const EFFECT_TONES: Readonly<Record<Effect, Tone>> = {
  none: "faint",
  behavioural: "info",
  "new-nodes": "info",
  "replaces-some": "warning",
  unknown: "warning",
  "replaces-all": "error",
  "removes-nodes": "error",
};

const SIGNS = {
  added: { text: "+", tone: "good", word: "added" },
  removed: { text: "-", tone: "error", word: "removed" },
  changed: { text: "~", tone: "warning", word: "changed" },
} as const;

function changeSection(change: Change, at: number): Section {
  const code = codeOf(change);
  return {
    kind: "section",
    id: changeId(at),
    rank: rankOf(change.effect),
    folded: true,
    heading: headingOf(change),
    blocks: [...sentencesOf(change), { kind: "picture", id: changeId(at) }, ...(code.lines.length === 0 ? [] : [code])],
    notes: () => notesOf(change),
  };
}

/** The same fields with the same values, and then what differs: instance types, nodes, when, prices. */
function changeGroupSection(group: Group<Change>, inRollout: boolean): Section {
  const [first] = inRollout ? (group.map(withoutNodes) as unknown as Group<Change>) : group;
  const alike = [
    ...Map.groupBy(group, (change) => detailsOf(change, inRollout)).values(),
  ] as unknown as Group<Change>[];
  const section = changeSection(first, 0);
  const code = section.blocks.filter(({ kind }) => kind === "code");
  const parts = alike.flatMap((some): Paragraph[] => [
    { ...paragraph(changePlaces(some, inRollout)), tone: "faint", indent: 4 },
    ...sentencesOf(inRollout ? withoutNodes(some[0]) : some[0]),
  ]);
  return { ...section, heading: { ...headingOf(first), name: changesName(group) }, blocks: [...parts, ...code] };
}

/** `6 NodePools in 3 clusters`. */
function changesName(group: Group<Change>): string {
  const [{ resource }] = group;
  return group.length === 1 ? nameOf(group[0]) : `${counted(group.length, resource.kind)}${inClusters(group)}`;
}

function inClusters(group: Group<Pick<Change, "hostedCluster">>): string {
  const clusters = new Set(group.map(({ hostedCluster }) => hostedCluster)).size;
  return clusters > 1 ? ` in ${clusters} clusters` : "";
}

function changePlaces(group: Group<Change>, inRollout: boolean): string {
  return placesWords(
    group.map(({ resource, hostedCluster, fields }) => ({
      name: `${hostedCluster === undefined ? "" : `${hostedCluster} `}${resource.name}`,
      place: fields[0]?.file === undefined ? "" : placeText(fields[0]),
    })),
    inRollout,
  );
}

/** The rollout names each cluster. */
const PLACES_BESIDE_ROLLOUT = 2;

/** The place once if all have the same, such as in a base. */
function placesWords(all: readonly { readonly name: string; readonly place: string }[], inRollout: boolean): string {
  const [first] = all;
  const isOne = all.length > 1 && first !== undefined && all.every(({ place }) => place === first.place);
  const named = all.map(({ name, place }) => (isOne || place === "" ? name : `${name} (${place})`));
  return `${firstPlaces(named, inRollout ? PLACES_BESIDE_ROLLOUT : undefined)}${isOne && first.place !== "" ? ` (${first.place})` : ""}`;
}

function headingOf(change: Change): Heading {
  const nodes = nodesWords(change);
  return {
    kind: "heading",
    sign: SIGNS[change.action],
    name: nameOf(change),
    verdict: {
      words: effectWords(change),
      tone: EFFECT_TONES[change.effect],
      ...(nodes === "" ? {} : { more: nodes }),
    },
  };
}

/** What each form says about a change: instance types and why, nodes, when they comply and why, prices. */
function sentencesOf(change: Change): Paragraph[] {
  const { offer, settles, cost } = change;
  const offered = offerWords(change);
  const sentences: readonly (readonly [words: string, tone?: Tone])[] = [
    [offered],
    ...(offer === undefined || offered === "" ? [] : reasonWords(offer)).map((words) => [words, "faint"] as const),
    [nodeNames(change)],
    ...(settles === undefined
      ? []
      : [[`${settlesWords(change)}: ${settles.why}`, settles.until === "never" ? "error" : "faint"] as const]),
    ...costLines(cost).map((words) => [words, "faint"] as const),
  ];
  return sentences
    .filter(([words]) => words !== "")
    .map(([words, tone]) => ({ kind: "paragraph", words, tone, indent: 4 }));
}

function codeOf(change: Change): Code {
  const differ = change.fields.some(({ effect }) => effect !== change.effect);
  const lines = diffYaml(change).map(({ mark, text, field }) => ({ mark, text, note: noteOn(field, differ) }));
  return { kind: "code", language: "diff", lines, indent: 4 };
}

/** The owner of a field, its effect, if it differs from that of the object, and where it is set. */
function noteOn(field: FieldChange | undefined, differ: boolean): string {
  if (field === undefined) return "";
  return [ownerOf(field), differ ? field.effect : "", placeText(field)].filter((part) => part !== "").join(", ");
}

/** An annotation for each place. The sentences are at the places of the fields with the worst effect. */
function notesOf(change: Change): Note[] {
  const name = nameOf(change);
  const byPlace = Map.groupBy(change.fields, ({ file, line }) => JSON.stringify([file, line]));
  return [...byPlace.values()].map((fields): Note => {
    const effect = worstEffect(fields.map((field) => field.effect));
    const isWorst = effect === change.effect;
    return {
      level: REPLACING.has(effect) ? "warning" : "notice",
      title: `${name}: ${effect}`,
      file: fields[0]?.file,
      line: fields[0]?.line,
      rank: rankOf(effect),
      heading: headingOf(isWorst ? change : { ...change, effect, forever: false, nodes: UNKNOWN_NODES }),
      blocks: [
        ...(isWorst ? sentencesOf(change) : []),
        { kind: "list", items: change.action === "changed" ? fields.map(fieldWords) : [change.action] },
      ],
    };
  });
}

function fieldWords({ path, from, to }: FieldChange): string {
  return `${path}: ${valueWords(from)} → ${valueWords(to)}`;
}

/** Whole objects are in the log, not in an annotation. */
const MAX_VALUE = 200;

function valueWords(value: unknown): string {
  return value === undefined || value === null ? "none" : shortened(jsonText(value), MAX_VALUE);
}

function policyTone(change: PolicyChange): Tone {
  return isLooser(change) ? "warning" : "info";
}

function policySection(change: PolicyChange, at: number): Section {
  const { action, gained, lost, rootVolume, pools, place, relation } = change;
  const name = policyName(change);
  const say = (words: string, tone?: Tone): Paragraph => ({ kind: "paragraph", words, tone, indent: 4 });
  const heading: Heading = {
    kind: "heading",
    sign: { ...SIGNS[action], tone: policyTone(change) },
    name,
    ...(place === undefined ? {} : { place: placeText(place) }),
  };
  const blocks: readonly Block[] = [
    say(relationWords(change), policyTone(change)),
    ...wrapperOf(gained, "lets in", "which this wrapper gets now"),
    ...wrapperOf(lost, "keeps out", "which this wrapper gets no more"),
    ...(rootVolume === undefined ? [] : [say(rootVolumeWords(rootVolume))]),
    ...(pools.length === 0 ? [] : [say(poolsWords(pools))]),
  ];
  const level = isLooser(change) ? "warning" : "notice";
  return {
    kind: "section",
    id: policyId(at),
    rank: POLICY_RANK,
    folded: true,
    heading,
    blocks,
    notes: () => [
      { level, title: `${name}: ${relation}`, ...place, heading: { kind: "heading", name }, blocks, rank: POLICY_RANK },
    ],
  };
}

/** The same difference between two policies, in several clusters. */
function policyGroupSection(group: Group<PolicyChange>, inRollout: boolean): Section {
  const [first] = group;
  const pools = group.flatMap(({ hostedCluster = "", pools: some }) =>
    some.map((pool) => ({ ...pool, name: `${hostedCluster} ${pool.name}` })),
  );
  const touched = group.filter(({ pools: some }) => some.length > 0).length;
  const words = poolsWords(pools, `${counted(pools.length, "pool")} in ${counted(touched, "cluster")}`);
  const section = policySection({ ...first, pools: [] }, 0);
  const places = group.map(({ hostedCluster, place }) => ({
    name: String(hostedCluster),
    place: place === undefined ? "" : placeText(place),
  }));
  const { place: _place, ...heading } = section.heading;
  return {
    ...section,
    heading: { ...heading, name: policiesName(group) },
    blocks: [
      { ...paragraph(placesWords(places, inRollout)), tone: "faint", indent: 4 },
      ...section.blocks.flatMap(withoutWrapper),
      ...(words === "" ? [] : [{ ...paragraph(words), indent: 4 }]),
    ],
  };
}

/** A terminal shows the sentence on the wrapper alone. */
function withoutWrapper(block: Block): Block[] {
  if (block.kind !== "code" || block.caption === undefined) return [block];
  const { caption, indent } = block;
  const sentence = { ...paragraph(caption.slice(0, caption.lastIndexOf(", "))), indent: indent ?? 0 };
  return [
    { ...sentence, forms: ["terminal"] },
    { ...block, forms: ["markdown"] },
  ];
}

function policiesName(group: Group<PolicyChange>): string {
  return group.length === 1 ? policyName(group[0]) : `AutoNodePolicy default${inClusters(group)}`;
}

function wrapperOf(witness: Witness | undefined, does: string, whose: string): Code[] {
  if (witness === undefined) return [];
  const lines = toYaml(witnessWrapper(witness.asked)).trimEnd().split("\n");
  const caption = `${does} ${witnessWords(witness)}, ${whose}`;
  return [{ kind: "code", language: "yaml", caption, lines: lines.map((text) => ({ text })), indent: 4 }];
}
