/** Lists the stages in which Karpenter relaxes the preferences of a pod. */
import { PREFER_NO_SCHEDULE } from "./taints.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { mergedByKey, type Requirements } from "../requirements/requirements.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import type { NodeSelectorTerm, Toleration } from "../../model/objects/pod.ts";
import type { PodDemand, PodEntry } from "./pod-requests.ts";

export interface PodStage {
  readonly entries: readonly PodEntry[];
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
  /** The preferences that Karpenter has dropped, in words; empty at first. */
  readonly without: string;
}

/**
 * Karpenter first treats every preference as required, then drops them one by one (preferences.go): the terms of
 * required node affinity in order except the last, then the preferred terms by weight, heaviest first. At last it
 * tolerates every PreferNoSchedule taint.
 *
 * @param taintsRelent whether any pool has such a taint
 * @param ignoresPreferences PREFERENCE_POLICY Ignore: no preferred term counts (updateCachedPodData in scheduler.go)
 */
export function podStages(pod: PodDemand, taintsRelent: boolean, ignoresPreferences = false): PodStage[] {
  const { spec } = pod;
  const selector = selectorEntries(pod);
  const required = requiredTerms(pod);
  const preferred = ignoresPreferences ? [] : preferredTerms(pod);
  const last = required.at(-1)!;
  const tolerations = spec.tolerations ?? [];
  const stage = (term: readonly PodEntry[], preference: readonly PodEntry[], without: string): PodStage => {
    const entries = [...selector, ...preference, ...term];
    return { entries, requirements: merged(entries), tolerations, without };
  };
  return [
    ...required.map((term, index) => stage(term, preferred[0] ?? [], index === 0 ? "" : termWords(index))),
    ...preferred.map((_dropped, index) =>
      stage(last, preferred[index + 1] ?? [], preferenceWords(index + 1, preferred.length)),
    ),
    ...(taintsRelent ? [{ ...stage(last, [], TAINTED), tolerations: [...tolerations, PREFER_NO_SCHEDULE] }] : []),
  ];
}

/** The stage with what the pod's volumes ask for in addition. */
export function withVolumes(stage: PodStage, volumes: readonly PodEntry[]): PodStage {
  if (volumes.length === 0) return stage;
  const entries = [...stage.entries, ...volumes];
  return { ...stage, entries, requirements: merged(entries) };
}

/** Only required terms, which Karpenter uses for DaemonSets; one list for each term. */
export function requiredEntries(pod: PodDemand): PodEntry[][] {
  const selector = selectorEntries(pod);
  return requiredTerms(pod).map((term) => [...selector, ...term]);
}

/** The merged requirements of entries. */
export function merged(entries: readonly Pick<PodEntry, "requirement">[]): Requirements {
  return mergedByKey(entries.map(({ requirement }) => requirement));
}

export function selectorEntries({ spec, path }: PodDemand): PodEntry[] {
  return Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => ({
    field: "nodeSelector",
    path: [...path, "nodeSelector", key],
    requirement: requirementOf({ key, operator: "In", values: [value] }),
  }));
}

/** A single empty term if there is none. */
export function requiredTerms({ spec, path }: PodDemand): PodEntry[][] {
  const field = "requiredDuringSchedulingIgnoredDuringExecution";
  const terms = spec.affinity?.nodeAffinity?.[field]?.nodeSelectorTerms;
  if (terms === undefined) return [[]];
  const at = [...path, "affinity", "nodeAffinity", field, "nodeSelectorTerms"];
  return terms.map((term, index) => termEntries(term, "node affinity", [...at, index]));
}

/** Heaviest first; equal weights in the written order. */
export function preferredTerms({ spec, path }: PodDemand): PodEntry[][] {
  const field = "preferredDuringSchedulingIgnoredDuringExecution";
  const at = [...path, "affinity", "nodeAffinity", field];
  return (spec.affinity?.nodeAffinity?.[field] ?? [])
    .map(({ weight, preference }, index) => ({ weight, preference, index }))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ preference, index }) => termEntries(preference, "preferred node affinity", [...at, index, "preference"]));
}

/** Karpenter does not support matchFields and refuses a pod that requires one. */
function termEntries({ matchExpressions = [] }: NodeSelectorTerm, field: PodEntry["field"], at: FieldPath): PodEntry[] {
  return matchExpressions.map(({ key, operator, values }, index) => ({
    field,
    path: [...at, "matchExpressions", index],
    requirement: requirementOf({ key, operator, values }),
  }));
}

const TAINTED = "despite its PreferNoSchedule taint";

function termWords(index: number): string {
  return `by term ${String(index + 1)} of its node affinity`;
}

function preferenceWords(dropped: number, of: number): string {
  return dropped === of ? "without its preferences" : `without the ${String(dropped)} heaviest of its preferences`;
}
