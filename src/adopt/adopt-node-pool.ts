/** Creates the wrapper that renders to a NodePool; render-node-pool.ts is the inverse. */
import { startsWithPath } from "../krm/places/field-path.ts";
import { sameValue } from "../krm/values/canonical.ts";
import { counted } from "../krm/values/counted.ts";
import { type Finding, findingAt, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import { locationOf } from "../krm/places/location.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { nodePoolSpec } from "../model/pools/node-pool.ts";
import { memoizeByKey } from "../model/schema/memoize.ts";
import type { OpenshiftNodePool } from "../model/pools/openshift-node-pool.ts";
import { splitAtPolicyEnd } from "../model/requirements/policy-end.ts";
import { effectOf, reservedAnnotations } from "../model/requirements/reserved-keys.ts";
import { validate } from "../model/schema/validate.ts";
import { boundPool } from "../resolve/bound-pool.ts";
import { frontsOf } from "../resolve/guarded-list.ts";
import { ANNOTATIONS } from "../resolve/reserved-keys.ts";
import { lostMetadata } from "./foreign-fields.ts";
import type { EffectivePolicy } from "../resolve/policy.ts";
import type { NodeClassRef } from "../resolve/resolve-node-class-ref.ts";
import type { Settings } from "../resolve/settings.ts";
import {
  formatRequirement,
  intersection,
  type Requirement,
  requirementOf,
} from "../karpenter/requirements/requirement.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { poolRequirements } from "../resolve/pool-requirements.ts";

export interface AdoptContext {
  readonly settings: Settings;
  readonly policy: EffectivePolicy | undefined;
  /** Names of node classes that have a wrapper, or get one in this run. */
  readonly classNames: ReadonlySet<string>;
}

const schemaOf = memoizeByKey(nodePoolSpec);
const LABELS = ["spec", "template", "metadata", "labels"];
const CHECK_BUDGETS = "check the disruption budgets before you apply the wrapper";

/**
 * Undefined if Karpenter would refuse the pool, or if no wrapper can replace it. Findings list what the wrapper cannot
 * express.
 */
export function adoptNodePool(raw: Resource, context: AdoptContext): Outcome<KubeObject | undefined> {
  const options = { code: "adopt-invalid", unknownField: "unknown-field", path: ["spec"] } as const;
  const valid = validate(schemaOf(context.settings.profile), raw, options);
  const findings: Finding[] = [...lostMetadata(raw), ...valid.findings];
  if (valid.value === undefined) return { value: undefined, findings };
  const { template, disruption, limits, weight, replicas } = valid.value;
  if (replicas !== undefined) findings.push(staticPool(raw));
  const labels = ownLabels(raw, template.metadata?.labels ?? {}, context.settings);
  const nodeClassRef = adoptNodeClassRef(raw, template.spec.nodeClassRef!, context.classNames);
  const { front, own: requirements } = splitAtPolicyEnd(template.spec.requirements ?? []);
  const isKnown =
    context.policy !== undefined && frontsOf(context.policy.requirements).some((one) => sameValue(one, front));
  if (front !== undefined && !isKnown) findings.push(ofPolicy(raw, front.length));
  findings.push(...labels.findings, ...nodeClassRef.findings, ...bounded(raw, valid.value, context.settings));
  if (context.policy !== undefined)
    findings.push(...repeatedEntries(raw, requirements, context.policy, front === undefined ? 0 : front.length + 1));
  const annotations = ownAnnotations(raw, template.metadata?.annotations);
  findings.push(...annotations.findings);
  const metadata = {
    ...(Object.keys(labels.value).length === 0 ? {} : { labels: labels.value }),
    ...(annotations.value === undefined ? {} : { annotations: annotations.value }),
  };
  const value = {
    apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name: raw.name },
    spec: {
      template: {
        ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
        spec: { ...template.spec, nodeClassRef: nodeClassRef.value, requirements },
      },
      ...(disruption === undefined ? {} : { disruption }),
      ...(limits === undefined ? {} : { limits }),
      ...(weight === undefined ? {} : { weight }),
    },
  };
  return { value: hasErrors(findings) ? undefined : value, findings };
}

/** The annotations that a wrapper may have. */
function ownAnnotations(raw: Resource, given: Readonly<Record<string, string>> | undefined) {
  const reserved = reservedAnnotations(given);
  const findings = reserved.map((key) => {
    const message = `${describeResource(raw)}: the annotation ${key} of its template is dropped: ${effectOf(key)}`;
    return findingAt("adopt-lossy", raw, [...ANNOTATIONS, key], { message });
  });
  if (given === undefined || reserved.length === 0) return { value: given, findings };
  const kept = Object.entries(given).filter(([key]) => !reserved.includes(key));
  return { value: kept.length === 0 ? undefined : Object.fromEntries(kept), findings };
}

/** Entries that a guard or rendering added are not the author's. */
function ofPolicy(raw: Resource, entries: number): Finding {
  const message = `${describeResource(raw)}: its first ${counted(entries, "requirement")} and the mark after them belong to the policy of a guard or of rendering and are dropped: a wrapper gets the policy of its hosted cluster`;
  const hint = "make sure that the AutoNodePolicy of the hosted cluster requires the same";
  return findingAt("adopt-lossy", raw, ["spec", "template", "spec", "requirements"], { message, hint });
}

/** The API refuses to convert a static pool to a dynamic one, and its nodes do not depend on pods. */
function staticPool(raw: Resource): Finding {
  const message = `${describeResource(raw)} keeps a fixed number of nodes (replicas), which wrappers do not support: without it, nodes scale with the pods, and idle nodes are removed`;
  const hint = "keep the pool as it is, or remove replicas if on-demand scaling is enough";
  return findingAt("adopt-refused", raw, ["spec", "replicas"], { message, hint });
}

/** The template's labels without those that rendering sets. */
function ownLabels(raw: Resource, given: Readonly<Record<string, string>>, { nodeLabels }: Settings) {
  const findings: Finding[] = [];
  const forced = Object.entries(nodeLabels);
  for (const [key, value] of forced) {
    const own = given[key];
    if (own === undefined || own === value) continue;
    const message = `${describeResource(raw)}: the node label ${key}: ${own} is dropped: it is always "${value}" here`;
    findings.push(findingAt("adopt-lossy", raw, [...LABELS, key], { message }));
  }
  const added = forced.filter(([key, value]) => given[key] !== value).map(([key, value]) => `${key}: "${value}"`);
  if (added.length > 0) {
    const message = `${describeResource(raw)}: its nodes get the label ${added.join(", ")}, so running nodes drift and are replaced within its disruption budgets`;
    findings.push(findingAt("adopt-nodes-replaced", raw, LABELS, { message, hint: CHECK_BUDGETS }));
  }
  const kept = Object.entries(given).filter(([key]) => !Object.hasOwn(nodeLabels, key));
  return { value: Object.fromEntries(kept), findings };
}

/** Both are part of the NodePool's hash; budgets are not. */
function bounded(raw: Resource, spec: OpenshiftNodePool["spec"], settings: Settings): Finding[] {
  const template = ["spec", "template"];
  const { bounds } = boundPool(raw, spec, settings);
  const changed = bounds.filter(({ field }) => startsWithPath(field, template));
  const [first] = changed;
  if (first === undefined) return [];
  const now = changed.map(({ field, value, by }) => `${field.at(-1)} ${value} (${locationOf(by.resource, by.path)})`);
  const message = `${describeResource(raw)}: its nodes get ${now.join(" and ")}, so running nodes drift and are replaced within its disruption budgets`;
  return [findingAt("adopt-nodes-replaced", raw, first.field, { message, hint: CHECK_BUDGETS })];
}

/**
 * The wrapper of the class if it exists: every hosted cluster has `default`
 * (docs/upstream/hypershift.md#the-default-class).
 */
function adoptNodeClassRef(raw: Resource, given: NodeClassRef, classNames: ReadonlySet<string>): Outcome<NodeClassRef> {
  const { group, kind, name } = given;
  const ec2 = group === KARPENTER_AWS_GROUP && kind === "EC2NodeClass";
  if (ec2 && (name === "default" || classNames.has(name))) {
    return {
      value: { group: HYPERSHIFT_KARPENTER_GROUP, kind: "OpenshiftEC2NodeClass", name },
      findings: [],
    };
  }
  const message = ec2
    ? `${describeResource(raw)}: the EC2NodeClass ${name} is not in the input; the reference is kept`
    : `${describeResource(raw)} refers to the ${kind} ${name} of ${group}, which HyperShift on AWS does not support; the reference is kept`;
  const hint = ec2
    ? "also adopt the class: HyperShift admits an EC2NodeClass only through its wrapper"
    : "refer to an EC2NodeClass";
  const path = ["spec", "template", "spec", "nodeClassRef"];
  return { value: given, findings: [findingAt("adopt-class-absent", raw, path, { message, hint })] };
}

/** @param before number of list entries before these */
function repeatedEntries(
  raw: Resource,
  entries: readonly NodeSelectorRequirement[],
  policy: EffectivePolicy,
  before: number,
): Finding[] {
  const demands = poolRequirements(raw, entries, {}, policy);
  return entries.flatMap((entry, index) => {
    const own = requirementOf(entry);
    const ofPolicy = demands.filter(({ from, requirement }) => from === "policy" && requirement.key === own.key);
    const [first, ...others] = ofPolicy;
    if (first === undefined) return [];
    const merged = others.reduce((all, { requirement }) => intersection(all, requirement), first.requirement);
    if (!isSame(merged, intersection(merged, own))) return [];
    const places = ofPolicy.map(({ place }) => locationOf(place.resource, place.path)).join(", ");
    const message = `${describeResource(raw)}: the policy already requires \`${formatRequirement(merged)}\` on ${own.key} (${places}), so this entry adds nothing`;
    const hint = "remove it from the wrapper, unless the pool must keep it when the policy changes";
    return [
      findingAt("adopt-repeats-policy", raw, ["spec", "template", "spec", "requirements", before + index], {
        message,
        hint,
      }),
    ];
  });
}

function isSame(a: Requirement, b: Requirement): boolean {
  const bounds = a.gte === b.gte && a.lte === b.lte && a.minValues === b.minValues;
  return bounds && a.complement === b.complement && a.values.symmetricDifference(b.values).size === 0;
}
