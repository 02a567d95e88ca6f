/** Which values a label of a pool's nodes may have. */
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
import { KNOWN_VALUES } from "../../model/labels.ts";

/** What a pool says of its nodes' labels; both by normalised key. */
export interface AskedLabels {
  /** Of its template. */
  readonly labels: ReadonlyMap<string, string>;
  readonly requirements: Requirements;
  /** By the provider of the pool; AWS where none is named. */
  readonly known?: KnownLabels | undefined;
  /** What the node class decides of its instances' labels; undefined for the classes of a hosted cluster. */
  readonly ofClass?: Requirements | undefined;
}

export interface LabelOfNodes {
  /** Any of these; an empty list for none. */
  readonly values: Requirement;
  /** Whether a node may lack the label. */
  readonly absent: boolean;
}

/**
 * Karpenter keeps a label of the template whatever the requirements come to. A custom label is on a node only where the
 * pool asks for it: as one of the listed values, as what a pod asks for, or as a made-up number (nodeclaimtemplate.go,
 * ToNodeClaim). All the others come from the instance (the provider's pkg/providers/instancetype/types.go).
 */
export function labelOfNodes(
  key: string,
  { labels, requirements, known = AWS_LABELS, ofClass }: AskedLabels,
): LabelOfNodes {
  const [own, asked] = [labels.get(key), requirements.get(key)];
  // A node whose label does not meet its own pool's requirement is replaced already.
  if (own !== undefined) return { values: listOf(key, asked && !has(asked, own) ? [] : [own]), absent: false };
  const presence = labelPresence(key, known);
  // Pods that ask for its absence take the label from what may be absent.
  const mayBeAbsent = presence === "optional" || (presence === "custom" && asked !== undefined);
  const decided = ofClass?.get(key);
  const absent = mayBeAbsent && [asked, decided].every((one) => one === undefined || admitsAbsence(one));
  if (NEVER.has(key) && decided === undefined) return { values: listOf(key, []), absent };
  if (presence === "custom") return asked ? { values: asked, absent } : { values: listOf(key, []), absent: true };
  const possible = decided ?? valuesKnownOf(key);
  return { values: asked === undefined ? possible : intersection(possible, asked), absent };
}

/**
 * Whether no node that a pool starts meets its requirements, so that replacing them never ends. On labels that every
 * instance has a contradiction leaves no instance type, and no node starts.
 */
export function driftsForever({ labels, requirements, known }: AskedLabels): boolean {
  return [...requirements].some(([key, asked]) => {
    if (labelPresence(key, known) === "always") return false;
    const misfit = misfitOf(nodeLabel(asked, labels.get(key)), asked);
    // Where a number is made up, a pod may ask for a node without the label, and that one stays.
    return misfit?.always === true && misfit.label.from !== "range";
  });
}

/** Labels of the kinds of nodes that no EC2NodeClass of a hosted cluster makes: Windows, placement groups. */
const NEVER: ReadonlySet<string> = new Set([
  "node.kubernetes.io/windows-build",
  "karpenter.k8s.aws/placement-group-id",
  "karpenter.k8s.aws/placement-group-partition",
]);

const instance = (name: string): string => `karpenter.k8s.aws/instance-${name}`;

/** Labels whose values are all known. Nodes run RHCOS, and Karpenter asks EC2 for these two architectures. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  ...KNOWN_VALUES,
  "kubernetes.io/os": ["linux"],
  "kubernetes.io/arch": ["amd64", "arm64"],
  [instance("capability-flex")]: ["false", "true"],
  [instance("encryption-in-transit-supported")]: ["false", "true"],
};

/** All values there are, where no instance type to come brings another. */
export function closedValues(key: string): readonly string[] | undefined {
  return Object.hasOwn(CLOSED, key) ? CLOSED[key] : undefined;
}

/** Whether no instance type to come brings another value. */
export function hasClosedValues(key: string): boolean {
  return closedValues(key) !== undefined;
}

/** Labels that are counts of something an instance has. */
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
