/** Runs all rules of `anp check` on hosted clusters. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { type CatalogueFor, explainClusters, type ExplainedCluster, type PricesFor } from "../explain/explain.ts";
import { type Finding, hasErrors, ofCluster } from "../../krm/findings/finding.ts";
import { applyRules } from "../../resolve/rules.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { Settings } from "../../resolve/settings.ts";
import { outsideClaims, outsidePolicy, unenforced } from "./outside-claims.ts";
import { underGuard } from "./under-guard.ts";
import { annotationDeprecated, kubeletAnnotationLeft } from "./rules/annotation-deprecated.ts";
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
import { kubeletFieldDropped, kubeletFieldUnknown, kubeletRefused } from "./rules/kubelet-field-unknown.ts";
import { labelMisspelt } from "./rules/label-misspelt.ts";
import { limitsBelowTypes } from "./rules/limits-below-types.ts";
import { maxPodsUnset } from "./rules/max-pods-unset.ts";
import { minValuesUnreachable } from "./rules/min-values-unreachable.ts";
import { customImageBootstrap, imageDeviceUnmapped, userDataUnfit } from "./rules/node-class-images.ts";
import { nodeClassMissing } from "./rules/node-class-missing.ts";
import { nodeClassOverwritten } from "./rules/node-class-overwritten.ts";
import { nodeClassUnused } from "./rules/node-class-unused.ts";
import { optionalLabelBounded } from "./rules/optional-label-bounded.ts";
import { policyKeyBypassable } from "./rules/policy-key-bypassable.ts";
import { policyUnsatisfiable } from "./rules/policy-unsatisfiable.ts";
import { poolUnsatisfiable } from "./rules/pool-unsatisfiable.ts";
import { poolsOverlap, poolTakesAllPods } from "./rules/pools-overlap.ts";
import { priceCeiling } from "./rules/price-ceiling.ts";
import { boundWithoutEffect, requirementUnmatchable } from "./rules/requirement-unmatchable.ts";
import { rosaInstanceSize, rosaVcpu } from "./rules/rosa-instance-size.ts";
import { rosaLocalZone } from "./rules/rosa-local-zone.ts";
import { rosaNodeRole } from "./rules/rosa-node-role.ts";
import { rosaNotReady } from "./rules/rosa-not-ready.ts";
import { rosaPublicIp } from "./rules/rosa-public-ip.ts";
import { rosaTag } from "./rules/rosa-tag.ts";
import { rosaUpgrade } from "./rules/rosa-upgrade.ts";
import { rosaVersion } from "./rules/rosa-version.ts";
import { rosaVolume } from "./rules/rosa-volume.ts";
import { spotDiversity } from "./rules/spot-diversity.ts";
import { typesUnknown, valueUnknown } from "./rules/value-unknown.ts";
import { rootVolumeSmall, volumeUnencrypted } from "./rules/volume-unencrypted.ts";
import { zonePoolsTie } from "./rules/zone-pools-tie.ts";

type Rule = (cluster: ExplainedCluster, input: { readonly isLive: boolean }) => Finding[];

const RULES: readonly Rule[] = [
  poolUnsatisfiable,
  limitsBelowTypes,
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
  kubeletRefused,
  imageDeviceUnmapped,
  userDataUnfit,
  customImageBootstrap,
  volumeUnencrypted,
  rootVolumeSmall,
  annotationDeprecated,
  kubeletAnnotationLeft,
  budgetScheduleInvalid,
  budgetAlwaysBlocks,
  budgetNeverBlocks,
  budgetHoursOpen,
  budgetWindowBlocked,
  budgetExpiryGoesOn,
  priceCeiling,
];

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

interface CheckOptions {
  readonly rosa: boolean;
  /** Whether the input is a cluster, so that no object is in another file. */
  readonly isLive?: boolean;
  /** The policy that raw pools are compared with. */
  readonly policy?: EffectivePolicy | undefined;
  /** The settings with which a guard would enforce the policy. */
  readonly guarding?: Settings | undefined;
  /** NodeClaims that are compared with the policy too. */
  readonly nodeClaims?: readonly Resource[];
  /** Called only for clusters with a price ceiling. */
  readonly pricesFor: PricesFor;
}

/** Findings of rendering are not included. Hosted clusters that cannot be rendered are skipped. */
export function checkClusters(
  clusters: readonly ResolvedCluster[],
  catalogue: Catalogue | CatalogueFor,
  { rosa, isLive = false, policy, guarding, nodeClaims = [], pricesFor }: CheckOptions,
): Finding[] {
  const catalogueFor = typeof catalogue === "function" ? catalogue : () => catalogue;
  const onClaims = policy === undefined ? [] : outsideClaims(nodeClaims, { policy, guarding, catalogue: catalogueFor });
  const readable = clusters.filter(({ bundle, gateOff }) => !gateOff && !hasErrors(bundle.findings));
  const withCeiling: PricesFor = (settings) =>
    settings?.config.priceCeiling === undefined ? undefined : pricesFor(settings);
  const onClusters = explainClusters(readable, catalogueFor, withCeiling).flatMap((cluster) => {
    const outside =
      policy === undefined
        ? unenforced(cluster)
        : [...outsidePolicy(cluster, policy), ...underGuard(cluster, policy, guarding)];
    const { guardRails, rules } = (guarding ?? cluster.inputs.settings).config;
    const refused = rosa || guardRails === "rosa" ? ROSA_RULES.flatMap((rule) => rule(cluster, { isLive })) : [];
    const places = new Set(refused.map(placeOf));
    // No advice on what the provider refuses anyway.
    const found = RULES.flatMap((rule) => rule(cluster, { isLive })).filter(
      (finding) =>
        !(finding.severity === "info" || finding.code === "static-capacity-off") || !places.has(placeOf(finding)),
    );
    const named = clusters.length > 1 ? cluster.bundle.hostedCluster : undefined;
    return ofCluster(named, applyRules([...outside, ...found, ...refused], rules));
  });
  return [...applyRules(onClaims, guarding?.config.rules), ...onClusters];
}

function placeOf({ resource, field }: Finding): string {
  return JSON.stringify([resource, field]);
}
