/** Runs all rules of `anp check` on hosted clusters. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { type CatalogueFor, explainClusters, type ExplainedCluster, type PricesFor } from "../explain/explain.ts";
import { type Finding, hasErrors, ofCluster } from "../../krm/findings/finding.ts";
import { codeEntry, type RuleSet } from "../../krm/findings/finding-codes.ts";
import { withoutGuesses } from "../../model/objects/placeholders.ts";
import { applyRules } from "../../resolve/rules.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { Settings } from "../../resolve/settings.ts";
import { outsideClaims, outsidePolicy, unenforced } from "./outside-claims.ts";
import { nodesThatStay, type RunningObjects } from "./nodes-that-stay.ts";
import { budgetsWithoutEviction } from "./pod-budgets.ts";
import { underGuard } from "./under-guard.ts";
import { archOrOsUnset } from "./rules/arch-or-os-unset.ts";
import {
  budgetAlwaysBlocks,
  budgetExpiryGoesOn,
  budgetHoursOpen,
  budgetNeverBlocks,
  budgetScheduleInvalid,
  budgetWindowBlocked,
} from "./rules/budgets.ts";
import { capacityTypeUnset } from "./rules/capacity-type-unset.ts";
import { customLabelRandom } from "./rules/custom-label-random.ts";
import {
  overlayBelowSpot,
  overlayConflict,
  rosaReplicas,
  staticCapacityOff,
  staticNeverRolls,
} from "./rules/feature-gates.ts";
import {
  kubeletExpressionUnread,
  kubeletFieldDropped,
  kubeletFieldUnknown,
  kubeletRefused,
  maxPodsUnset,
} from "./rules/kubelet-settings.ts";
import { labelMisspelt } from "./rules/label-misspelt.ts";
import { annotationDeprecated, claimsRefused, kubeletAnnotationLeft } from "./rules/left-by-v1beta1.ts";
import { limitsBelowTypes, limitsNoMultiple } from "./rules/limits-below-types.ts";
import { maxHourlyCost } from "./rules/max-hourly-cost.ts";
import { minValuesUnreachable } from "./rules/min-values-unreachable.ts";
import { customImageBootstrap, imageDeviceUnmapped, userDataUnfit } from "./rules/node-class-images.ts";
import { nodeClassOverwritten } from "./rules/node-class-overwritten.ts";
import { nodeClassMissing, nodeClassUnused } from "./rules/node-class-references.ts";
import {
  autoModeLifetime,
  discoveryTagsDiffer,
  iamNameInvalid,
  namespaceIgnored,
  reservationsAbsent,
  reservationsUnused,
  volumeRefused,
} from "./rules/node-class-values.ts";
import { optionalLabelBounded } from "./rules/optional-label-bounded.ts";
import { policyKeyBypassable } from "./rules/policy-key-bypassable.ts";
import { policyUnsatisfiable } from "./rules/policy-unsatisfiable.ts";
import { poolUnsatisfiable } from "./rules/pool-unsatisfiable.ts";
import { poolsOverlap, poolTakesAllPods, startupTaintPermanent } from "./rules/pools-overlap.ts";
import { priceCeiling } from "./rules/price-ceiling.ts";
import { boundWithoutEffect, requirementUnmatchable } from "./rules/requirement-unmatchable.ts";
import {
  expiryUnbounded,
  imageFamilyEnded,
  imageUnpinned,
  instanceMetadataOpen,
  instanceTypeAlone,
  instanceTypesUnintended,
  limitsChosen,
} from "./rules/production.ts";
import { rosaNodeRole, rosaPublicIp, rosaTag } from "./rules/rosa-fields.ts";
import { rosaInstanceSize, rosaVcpu } from "./rules/rosa-instance-size.ts";
import { rosaLocalZone } from "./rules/rosa-local-zone.ts";
import { rosaNotReady } from "./rules/rosa-not-ready.ts";
import { rosaUpgrade } from "./rules/rosa-upgrade.ts";
import { rosaVersion } from "./rules/rosa-version.ts";
import { rosaVolume } from "./rules/rosa-volume.ts";
import { spotDiversity } from "./rules/spot-diversity.ts";
import { typesUnknown, valueUnknown } from "./rules/value-unknown.ts";
import { rootVolumeSmall, volumeUnencrypted } from "./rules/volume-unencrypted.ts";
import { zonePoolsTie } from "./rules/zone-pools-tie.ts";

type Rule = (
  cluster: ExplainedCluster,
  input: { readonly isLive: boolean; readonly pricesFor: PricesFor },
) => Finding[];

const RULES: readonly Rule[] = [
  poolUnsatisfiable,
  limitsBelowTypes,
  limitsNoMultiple,
  staticCapacityOff,
  staticNeverRolls,
  policyUnsatisfiable,
  minValuesUnreachable,
  requirementUnmatchable,
  boundWithoutEffect,
  valueUnknown,
  typesUnknown,
  labelMisspelt,
  optionalLabelBounded,
  customLabelRandom,
  policyKeyBypassable,
  poolsOverlap,
  poolTakesAllPods,
  startupTaintPermanent,
  zonePoolsTie,
  spotDiversity,
  overlayBelowSpot,
  overlayConflict,
  capacityTypeUnset,
  archOrOsUnset,
  nodeClassMissing,
  nodeClassUnused,
  nodeClassOverwritten,
  maxPodsUnset,
  kubeletFieldUnknown,
  kubeletFieldDropped,
  kubeletExpressionUnread,
  kubeletRefused,
  imageDeviceUnmapped,
  userDataUnfit,
  customImageBootstrap,
  volumeRefused,
  volumeUnencrypted,
  rootVolumeSmall,
  iamNameInvalid,
  discoveryTagsDiffer,
  reservationsUnused,
  reservationsAbsent,
  autoModeLifetime,
  namespaceIgnored,
  annotationDeprecated,
  kubeletAnnotationLeft,
  budgetScheduleInvalid,
  budgetAlwaysBlocks,
  budgetNeverBlocks,
  budgetHoursOpen,
  budgetWindowBlocked,
  budgetExpiryGoesOn,
  priceCeiling,
  maxHourlyCost,
];

/** The rules that hold for a pool whatever its unknown entries are: its verdict is `unsatisfiable` only then. */
const OF_UNKNOWN: readonly Rule[] = [poolUnsatisfiable, limitsBelowTypes, minValuesUnreachable];

/** `--rules rosa`, or `guardRails: rosa` of the cluster's RenderConfig. */
const ROSA_RULES: readonly Rule[] = [
  rosaInstanceSize,
  rosaVcpu,
  rosaLocalZone,
  rosaNodeRole,
  rosaReplicas,
  rosaVolume,
  rosaTag,
  rosaPublicIp,
  rosaVersion,
  rosaUpgrade,
  rosaNotReady,
];

/** The codes with `set: "production"` (docs/findings.md#checking-for-production). */
const PRODUCTION_RULES: readonly Rule[] = [
  limitsChosen,
  instanceTypeAlone,
  instanceTypesUnintended,
  expiryUnbounded,
  imageUnpinned,
  imageFamilyEnded,
  instanceMetadataOpen,
];

interface CheckOptions {
  readonly rules?: RuleSet | undefined;
  /** Whether the set for production is not added as infos: its findings are about no change. */
  readonly isUpgrade?: boolean;
  /** Whether the input is a cluster, so that no object is in another file. */
  readonly isLive?: boolean;
  /** The policy that raw pools are compared with. */
  readonly policy?: EffectivePolicy | undefined;
  /** All objects of the input, among which PodDisruptionBudgets are judged. */
  readonly objects?: readonly Resource[];
  /** What runs, if that is known: nodes that nothing ends are found. */
  readonly running?: RunningObjects | undefined;
  /** The settings with which a guard would enforce the policy. */
  readonly guarding?: Settings | undefined;
  /** They are compared with the policy too, if there is one. */
  readonly nodeClaims?: readonly Resource[];
  /** Called only for clusters with a bound on prices, or with pools that compete for pods. */
  readonly pricesFor: PricesFor;
}

/** Findings of rendering are not included. Hosted clusters that cannot be rendered are skipped. */
export function checkClusters(
  clusters: readonly ResolvedCluster[],
  catalogue: Catalogue | CatalogueFor,
  {
    rules: named,
    isUpgrade = false,
    isLive = false,
    policy,
    objects = [],
    running,
    guarding,
    nodeClaims = [],
    pricesFor,
  }: CheckOptions,
): Finding[] {
  const catalogueFor = typeof catalogue === "function" ? catalogue : () => catalogue;
  const outside = policy === undefined ? [] : outsideClaims(nodeClaims, { policy, guarding, catalogue: catalogueFor });
  const onClaims = [...outside, ...claimsRefused(nodeClaims)];
  const readable = clusters.filter(({ bundle, gateOff }) => !gateOff && !hasErrors(bundle.findings));
  const withCeiling: PricesFor = (settings) =>
    (settings?.config.priceCeiling ?? settings?.config.maxHourlyCost) === undefined ? undefined : pricesFor(settings);
  const onClusters = explainClusters(readable, catalogueFor, withCeiling).flatMap((cluster) => {
    const outside =
      policy === undefined
        ? unenforced(cluster)
        : [...outsidePolicy(cluster, policy), ...underGuard(cluster, policy, guarding)];
    const { guardRails, rules } = (guarding ?? cluster.inputs.settings).config;
    // Rules about instance types say nothing of a pool whose types are unknown.
    const sure = { ...cluster, explanations: cluster.explanations.filter(({ unknown }) => unknown.length === 0) };
    const refused =
      named === "rosa" || guardRails === "rosa"
        ? ROSA_RULES.flatMap((rule) => rule(cluster, { isLive, pricesFor }))
        : [];
    const places = new Set(refused.map(placeOf));
    // No advice on what the provider refuses anyway.
    const advice = named === "production" || (!isUpgrade && cluster.mode === "raw") ? PRODUCTION_RULES : [];
    const found = [...RULES, ...advice]
      .flatMap((rule) => rule(OF_UNKNOWN.includes(rule) ? cluster : sure, { isLive, pricesFor }))
      .filter(
        (finding) =>
          !(finding.severity === "info" || finding.code === "static-capacity-off") || !places.has(placeOf(finding)),
      );
    const held = running === undefined ? [] : nodesThatStay(cluster, runningIn(cluster, running, readable), objects);
    const ofSet = named === "production" ? found.map(asWarning) : found;
    const hostedCluster = clusters.length > 1 ? cluster.bundle.hostedCluster : undefined;
    const judged = [...cluster.bundle.nodePools, ...cluster.bundle.nodeClasses];
    const all = withoutGuesses([...outside, ...ofSet, ...held, ...refused], judged);
    return ofCluster(hostedCluster, applyRules(all, rules));
  });
  const onBudgets = budgetsWithoutEviction(
    objects,
    readable.flatMap(({ pools }) => pools),
  );
  const settings = guarding ?? readable[0]?.inputs?.settings;
  return withoutCauses([
    ...applyRules(onClaims, guarding?.config.rules),
    ...onClusters,
    ...applyRules(onBudgets, settings?.config.rules),
  ]);
}

/** Of several clusters, each in its folder, the objects that run in one. */
function runningIn(
  { pools }: ExplainedCluster,
  { objects, at }: RunningObjects,
  clusters: readonly ResolvedCluster[],
): RunningObjects {
  if (clustersNamed(clusters) < 2) return { objects, at };
  const folders = new Set(pools.map(({ wrapper }) => wrapper.folder));
  return { objects: objects.filter(({ folder }) => folders.has(folder)), at };
}

/** Pools of several providers in one folder are one cluster. */
export function clustersNamed(clusters: readonly ResolvedCluster[]): number {
  return new Set(clusters.flatMap(({ bundle, pools }) => (pools.length === 0 ? [] : [bundle.hostedCluster]))).size;
}

/** A finding on nodes that are held says what these say of the manifest. */
const CAUSES: ReadonlySet<string> = new Set(["eviction-never-allowed", "static-never-rolls"]);

function withoutCauses(findings: readonly Finding[]): Finding[] {
  const said = new Set(
    findings.flatMap((one) => (one.code === "node-never-goes" ? [JSON.stringify(one.resource)] : [])),
  );
  return findings.filter((one) => !CAUSES.has(one.code) || !said.has(JSON.stringify(one.resource)));
}

function asWarning(finding: Finding): Finding {
  return codeEntry(finding.code).set === "production" ? { ...finding, severity: "warning" } : finding;
}

function placeOf({ resource, field }: Finding): string {
  return JSON.stringify([resource, field]);
}
