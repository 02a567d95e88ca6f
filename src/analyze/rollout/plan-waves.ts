/** The plan of a rollout: what each wave of hosted clusters changes, in files and in nodes. */
import { canonical, sameValue } from "../../krm/values/canonical.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { textsAt } from "../../krm/places/text-at.ts";
import { someOf } from "../../krm/values/counted.ts";
import { extendsOf } from "../../model/inputs/extended-policies.ts";
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
  /** The policy that its RenderConfig extends, if it is one of them. */
  readonly base: Resource | undefined;
  /** Whether it begins to extend that policy: until its RenderConfig changes, the file changes nothing for it. */
  readonly joins: boolean;
  /** Files of the old side that the new side does not have. */
  readonly removed: readonly string[];
}

/** Undefined if the rules are the same, or the new side has none. */
function changedRules(old: SideCluster | undefined, now: SideCluster): ChangedRules | undefined {
  const { hostedCluster, bundle, policySide } = now;
  if (hostedCluster === undefined || bundle === undefined || policySide === undefined) return undefined;
  const was = old?.bundle;
  const isBase = extendsOf(bundle.renderConfig) !== undefined;
  const wasBase = extendsOf(was?.renderConfig) !== undefined;
  const joins = isBase && !sameValue(extendsOf(was?.renderConfig), extendsOf(bundle.renderConfig));
  const ofPolicy = joins || canonical(was?.policy?.value) !== canonical(bundle.policy?.value);
  const ofConfig = canonical(was?.renderConfig?.value) !== canonical(bundle.renderConfig?.value);
  if (!ofPolicy && !ofConfig) return undefined;
  const policy = ofPolicy ? bundle.policy : undefined;
  // Others may extend a policy that this cluster leaves.
  const withoutOwn = !wasBase && (isBase || bundle.policy === undefined) ? was?.policy : undefined;
  const withoutConfig = bundle.renderConfig === undefined ? was?.renderConfig : undefined;
  const labelsOf = (object: Resource | undefined) => textsAt(object?.value, ["metadata", "labels"]);
  return {
    hostedCluster,
    labels: { ...labelsOf(bundle.hostedClusterObject), ...labelsOf(bundle.hostedControlPlane) },
    policy: policySide.policy,
    files: [policy, ofConfig ? bundle.renderConfig : undefined].filter((one) => one !== undefined),
    base: isBase ? policy : undefined,
    joins,
    removed: [withoutOwn, withoutConfig].flatMap((one) => (one === undefined ? [] : [fileOf(one)])),
  };
}

function fileOf({ document: { source } }: Resource): string {
  return source.file;
}

/** A changed file of several waves would change all of them at once. A new base changes only those that begin to extend it. */
function sharedFile(rules: readonly ChangedRules[], waveOf: ReadonlyMap<string, string>): string | undefined {
  const uses = rules.flatMap(({ files, base, joins, hostedCluster }) =>
    files.map((one) => ({ file: fileOf(one), isBase: one === base, joins: one === base && joins, hostedCluster })),
  );
  for (const [file, some] of Map.groupBy(uses, (use) => use.file)) {
    const waves = [...new Set(some.map(({ hostedCluster }) => waveOf.get(hostedCluster)!))];
    if (waves.length < 2 || some.every(({ joins }) => joins)) continue;
    const among = `clusters in several waves (${someOf(waves, MOST)})`;
    return some.some(({ isBase }) => isBase)
      ? `${file} is the policy of ${among}: write the new one to a file of its own, and change spec.extends of each cluster`
      : `${file} has rules of ${among}: give each cluster a file of its own`;
  }
  return undefined;
}

/** At most this many waves are named, and the others counted. */
const MOST = 5;
