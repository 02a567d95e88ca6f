/** The values that a label may have on the nodes of a pool. */
import { AWS_LABELS, type KnownLabels, labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { misfitOf, nodeLabel } from "../../karpenter/requirements/node-label.ts";
import {
  admitsAbsence,
  has,
  intersection,
  type Requirement,
  requirementOf,
} from "../../karpenter/requirements/requirement.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import { KNOWN_VALUES } from "../../model/requirements/labels.ts";

/** The labels and requirements of a pool, both by normalised key. */
export interface AskedLabels {
  /** The labels of its template. */
  readonly labels: ReadonlyMap<string, string>;
  readonly requirements: Requirements;
  /** The labels that its provider knows; those of AWS by default. */
  readonly known?: KnownLabels | undefined;
  /** The labels that the node class determines; undefined for the classes of a hosted cluster. */
  readonly ofClass?: Requirements | undefined;
  /** Whether the pool is static. */
  readonly isStatic?: boolean | undefined;
}

export interface LabelOfNodes {
  /** The possible values; an empty list if there are none. */
  readonly values: Requirement;
  /** Whether a node may lack the label. */
  readonly absent: boolean;
}

/**
 * Karpenter keeps a label of the template, even against the requirements. A custom label is on a node only if the pool
 * asks for it: as a listed value, as the value of a pod, or as an invented number (nodeclaimtemplate.go, ToNodeClaim).
 * All other labels come from the instance (the provider's pkg/providers/instancetype/types.go).
 */
export function labelOfNodes(
  key: string,
  { labels, requirements, known = AWS_LABELS, ofClass }: AskedLabels,
): LabelOfNodes {
  const [templateLabel, asked] = [labels.get(key), requirements.get(key)];
  // A node with a label outside its own pool's requirement is being replaced already.
  if (templateLabel !== undefined)
    return { values: listOf(key, asked && !has(asked, templateLabel) ? [] : [templateLabel]), absent: false };
  const presence = labelPresence(key, known);
  // If the label may be absent, pods can ask for its absence.
  const mayBeAbsent = presence === "custom" ? asked !== undefined : presence !== "always";
  const decided = ofClass?.get(key);
  const absent = mayBeAbsent && [asked, decided].every((one) => one === undefined || admitsAbsence(one));
  if (NEVER.has(key) && decided === undefined) return { values: listOf(key, []), absent };
  if (presence === "custom") return asked ? { values: asked, absent } : { values: listOf(key, []), absent: true };
  const possible = decided ?? valuesKnownOf(key);
  return { values: asked === undefined ? possible : intersection(possible, asked), absent };
}

/**
 * Whether no node of the pool ever meets its requirements, so that Karpenter replaces nodes endlessly. A contradiction
 * on a label that every instance has leaves no instance type instead, and no node starts.
 */
export function driftsForever({ labels, requirements, known, ofClass, isStatic }: AskedLabels): boolean {
  return [...requirements].some(([key, asked]) => {
    if (labelPresence(key, known) === "always" && isStatic !== true) return false;
    const misfit = misfitOf(
      nodeLabel(asked, { template: labels.get(key), isStatic, ofClass: ofClass?.get(key) }),
      asked,
    );
    // If Karpenter invents a number, a pod may still ask for a node without the label, and that node does not drift.
    return misfit?.always === true && misfit.label.from !== "range";
  });
}

/** Labels that no node of a hosted cluster has, because its EC2NodeClasses have no Windows and no placement groups. */
const NEVER: ReadonlySet<string> = new Set([
  "node.kubernetes.io/windows-build",
  "karpenter.k8s.aws/placement-group-id",
  "karpenter.k8s.aws/placement-group-partition",
]);

const instance = (name: string): string => `karpenter.k8s.aws/instance-${name}`;

/** Labels with a closed set of values. Nodes run RHCOS, and Karpenter asks EC2 for these two architectures. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  ...KNOWN_VALUES,
  "kubernetes.io/os": ["linux"],
  "kubernetes.io/arch": ["amd64", "arm64"],
  [instance("capability-flex")]: ["false", "true"],
  [instance("encryption-in-transit-supported")]: ["false", "true"],
};

/** All values of the label; undefined if a future instance type may add one. */
export function closedValues(key: string): readonly string[] | undefined {
  return Object.hasOwn(CLOSED, key) ? CLOSED[key] : undefined;
}

/** Whether no future instance type can add a value. */
export function hasClosedValues(key: string): boolean {
  return closedValues(key) !== undefined;
}

/** Labels with a count of something as their value. */
const COUNTS: ReadonlySet<string> = new Set(
  ["cpu", "memory", "generation", "gpu-count", "accelerator-count"].map(instance),
);

function valuesKnownOf(key: string): Requirement {
  const closed = closedValues(key);
  if (closed !== undefined) return listOf(key, closed);
  return COUNTS.has(key)
    ? requirementOf({ key, operator: "Gte", values: ["1"] })
    : requirementOf({ key, operator: "Exists" });
}

function listOf(key: string, values: readonly string[]): Requirement {
  return requirementOf({ key, operator: "In", values: [...values] });
}
