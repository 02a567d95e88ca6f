/** The plan of a rollout: what each wave of hosted clusters changes, in files and in nodes. */
import { canonical } from "../../krm/values/canonical.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { textsAt } from "../../krm/places/text-at.ts";
import { someOf } from "../../krm/values/counted.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { Change, ClustersDiff } from "../diff/compare-clusters.ts";
import { rolloutOf, sumOfChanges } from "../diff/cluster-rollouts.ts";
import { sumOfFleets } from "../diff/money/fleet-nodes.ts";
import type { SideCluster } from "../diff/sides.ts";
import type { PlannedWave } from "./rollout-answer.ts";
import { cutWaves, type LabelledCluster } from "./waves.ts";

export interface WavesAsked {
  readonly waves: string;
  readonly from: readonly SideCluster[];
  readonly to: readonly SideCluster[];
  readonly clusters: ClustersDiff["clusters"];
}

export interface WavesPlanned {
  readonly waves: readonly PlannedWave[];
  /** The text of each file of a wave, by its path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A problem is a sentence for the user. Hosted clusters whose rules are the same on both sides are in no wave. */
export function planWaves({
  waves: text,
  from,
  to,
  clusters,
}: WavesAsked): WavesPlanned | { readonly problem: string } {
  const before = new Map(from.map((side) => [side.hostedCluster, side]));
  const rules = to.flatMap((side) => {
    const changed = changedRules(before.get(side.hostedCluster), side);
    return changed === undefined ? [] : [changed];
  });
  if (rules.length === 0) return { problem: "no policy and no RenderConfig differs between the two sides" };
  const cut = cutWaves(text, rules);
  if ("problem" in cut) return cut;
  const byName = new Map(rules.map((one) => [one.hostedCluster, one]));
  const diffs = new Map(clusters.map((diff) => [diff.hostedCluster, diff]));
  const waveOf = new Map(cut.flatMap(({ name, clusters: of }) => of.map((cluster) => [cluster, name] as const)));
  const shared = sharedFile(rules, waveOf);
  if (shared !== undefined) return { problem: shared };
  const texts = new Map(
    rules.flatMap(({ files }) => files.map(({ document: { source } }) => [source.file, source.text])),
  );
  // A new file that several waves read comes with the first of them.
  const done = new Set<string>();
  const waves = cut.map(({ name, clusters: of }): PlannedWave => {
    const own = of.map((cluster) => byName.get(cluster)!);
    const files = [...new Set(own.flatMap((one) => one.files.map(fileOf)))]
      .filter((file) => !done.has(file))
      .toSorted();
    for (const file of files) done.add(file);
    const found = of.flatMap((cluster) => diffs.get(cluster) ?? []);
    const isKnown = found.every(({ fleet }) => fleet !== undefined);
    const fleets = found.flatMap(({ fleet, hostedCluster }) => (fleet === undefined ? [] : [{ fleet, hostedCluster }]));
    const changes: Change[] = found.flatMap((diff) => diff.changes);
    return {
      name,
      ...sumOfChanges(changes, isKnown ? sumOfFleets(fleets) : undefined),
      files,
      remove: own.flatMap(({ removed }) => removed).toSorted(),
      clusters: own.map(({ hostedCluster, policy }) => {
        const diff = diffs.get(hostedCluster);
        return { hostedCluster, ...rolloutOf(diff?.changes ?? [], diff?.fleet), policy: describePolicy(policy) };
      }),
    };
  });
  return { waves, texts };
}

/** What `anp rollout status` compares. */
export function describePolicy({
  requirements,
  rootVolume,
}: EffectivePolicy): PlannedWave["clusters"][number]["policy"] {
  return { requirements: requirements.map((one) => ({ ...one })), rootVolume: rootVolume ?? null };
}

interface ChangedRules extends LabelledCluster {
  readonly policy: EffectivePolicy;
  /** The changed rules of the new side. */
  readonly files: readonly Resource[];
  /** Files of the old side that the new side does not have. */
  readonly removed: readonly string[];
}

/** Undefined if the rules are the same, or the new side has none. */
function changedRules(old: SideCluster | undefined, now: SideCluster): ChangedRules | undefined {
  const { hostedCluster, bundle, policySide } = now;
  if (hostedCluster === undefined || bundle === undefined || policySide === undefined) return undefined;
  const pairs = [
    [old?.bundle?.policy, bundle.policy],
    [old?.bundle?.renderConfig, bundle.renderConfig],
  ] as const;
  const changed = pairs.filter(([was, is]) => canonical(was?.value) !== canonical(is?.value));
  if (changed.length === 0) return undefined;
  const labelsOf = (object: Resource | undefined) => textsAt(object?.value, ["metadata", "labels"]);
  return {
    hostedCluster,
    labels: { ...labelsOf(bundle.hostedClusterObject), ...labelsOf(bundle.hostedControlPlane) },
    policy: policySide.policy,
    files: changed.flatMap(([, is]) => is ?? []),
    removed: changed.flatMap(([was, is]) => (is === undefined && was !== undefined ? [fileOf(was)] : [])),
  };
}

function fileOf({ document: { source } }: Resource): string {
  return source.file;
}

/** A changed file of several waves would change all of them at once. */
function sharedFile(rules: readonly ChangedRules[], waveOf: ReadonlyMap<string, string>): string | undefined {
  const uses = rules.flatMap(({ files, hostedCluster }) => files.map((one) => ({ file: fileOf(one), hostedCluster })));
  for (const [file, some] of Map.groupBy(uses, (use) => use.file)) {
    const waves = [...new Set(some.map(({ hostedCluster }) => waveOf.get(hostedCluster)!))];
    if (waves.length > 1)
      return `${file} has rules of clusters in several waves (${someOf(waves, MOST)}): give each cluster a file of its own`;
  }
  return undefined;
}

/** At most this many waves are named, and the others counted. */
const MOST = 5;
