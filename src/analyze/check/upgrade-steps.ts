/** The steps of an upgrade of Karpenter, and of the way back. */
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { someOf } from "../../krm/values/counted.ts";

/** The versions between which anp compares; HyperShift decides about 1.13 itself. */
export const RELEASES = ["1.14", "1.15"] as const;

export type Release = (typeof RELEASES)[number];

/** `NodePoolHashVersion` and `EC2NodeClassHashVersion` (docs/upstream/karpenter.md#hash-of-a-node-class). */
export const HASH_VERSIONS = {
  "1.14": { nodePool: "v3", nodeClass: "v5" },
  "1.15": { nodePool: "v3", nodeClass: "v6" },
} as const satisfies Record<Release, object>;

/** Those that differ between the versions. */
function changedCrds(nodeClasses: readonly Resource[]): string {
  const ofAws = nodeClasses.some(isEC2NodeClass) ? ", ec2nodeclasses.karpenter.k8s.aws" : "";
  return `nodepools, nodeclaims and nodeoverlays.karpenter.sh${ofAws}`;
}

export function isEC2NodeClass({ kind }: Resource): boolean {
  return kind === "EC2NodeClass";
}

/** Two versions, and the objects that move between them. */
export interface Move {
  readonly from: Release;
  readonly to: Release;
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
}

/** What the version to come does to them, by name. */
export interface Names {
  readonly notReady: readonly string[];
  readonly refused: readonly string[];
  readonly withoutNodes: readonly string[];
  readonly replaced: readonly string[];
  /** Those whose nodes drift if their class is corrected while the old version runs. */
  readonly corrected: readonly string[];
}

/** Those of an upgrade. */
export function steps(
  { from, to, nodePools, nodeClasses }: Move,
  names: Names,
  findings: readonly Finding[],
): string[] {
  const { notReady, refused, replaced } = names;
  const broken = [...notReady.map((name) => `EC2NodeClass ${name}`), ...refused];
  const has = (code: FindingCode): boolean => findings.some((one) => one.code === code);
  const drifts =
    names.corrected.length === 0
      ? ""
      : ` While Karpenter ${from} runs, this replaces the nodes of ${someOf(names.corrected, 5)}; while it is scaled to 0, it does not, because ${to} then takes the corrected class for the one of its nodes.`;
  const until = replaced.length === 0 ? "" : `, at a time when the nodes of ${someOf(replaced, 5)} may be replaced`;
  return [
    ...(broken.length === 0 ? [] : [`Correct ${someOf(broken, 5)} before Karpenter ${to} runs.${drifts}`]),
    ...(has("upgrade-metric-changed") ? ["Change the alert rules, so that they hold for both versions."] : []),
    `Apply the CRDs of Karpenter ${to}: ${changedCrds(nodeClasses)}.`,
    `Upgrade Karpenter${migration(from, to, nodeClasses)}.`,
    ...(has("upgrade-takes-effect") ? [`Apply the manifests whose fields take effect${until}.`] : []),
    readiness(nodePools),
  ];
}

/** Those of a downgrade. @param broken the objects that the old version refuses */
export function stepsBack({ from, to, nodePools, nodeClasses }: Move, broken: ReadonlySet<string>): string[] {
  return [
    ...(broken.size === 0 ? [] : [`Change ${someOf([...broken], 5)} while Karpenter ${from} runs.`]),
    `Downgrade Karpenter, and leave the CRDs of ${from} in place${migration(from, to, nodeClasses)}.`,
    `Apply the CRDs of Karpenter ${to}: ${changedCrds(nodeClasses)}. Fields that only ${from} has are dropped when an object is next written.`,
    readiness(nodePools),
  ];
}

/** Only the provider of AWS is known in both versions; no option has another default (docs/upstream/karpenter.md#options). */
function migration(from: Release, to: Release, nodeClasses: readonly Resource[]): string {
  if (!nodeClasses.some(isEC2NodeClass)) return "";
  const [old, now] = [HASH_VERSIONS[from].nodeClass, HASH_VERSIONS[to].nodeClass];
  return `: it writes the hashes of EC2NodeClasses and of their NodeClaims anew (${old} to ${now}), and no node drifts by that`;
}

function readiness(nodePools: readonly Resource[]): string {
  return `Check that ${nodePools.length === 1 ? "the NodePool is" : `all ${nodePools.length} NodePools are`} Ready: kubectl get nodepools`;
}
