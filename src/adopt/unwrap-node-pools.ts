/** Turns OpenshiftNodePools into NodePools of users; adopt-node-pool.ts is the inverse. */
import { type Finding, findingAt, findingOnInput, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { refusedAs } from "../model/inputs/gather.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { isRawNodePool, roleOf } from "../model/objects/role.ts";
import type { OpenshiftNodePool } from "../model/pools/openshift-node-pool.ts";
import { isForgedAtPolicyEnd, POLICY_END } from "../model/requirements/policy-end.ts";
import { checkRendered } from "../render/check-rendered.ts";
import { renderNodePool } from "../render/render-node-pool.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import { NO_POLICY } from "../resolve/policy.ts";
import { readNodePool } from "../resolve/read-node-pool.ts";
import { resolvePool } from "../resolve/resolve-pool.ts";
import { keptMetadata } from "./foreign-fields.ts";

/** @param inputsOf the inputs of rendering a wrapper without a policy */
export function unwrapNodePools(
  resources: readonly Resource[],
  inputsOf: (wrapper: Resource) => ResolvedInputs,
): Outcome<KubeObject[]> {
  const value: KubeObject[] = [];
  const findings: Finding[] = [];
  const taken = new Map<string, Resource>();
  for (const resource of resources) if (isRawNodePool(resource)) taken.set(resource.name, resource);
  for (const resource of resources.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const role = roleOf(resource);
    if (typeof role !== "string" && role.code === "unknown-kind") findings.push(refusedAs(role, resource));
    if (role !== "node-pool") continue;
    const first = taken.get(resource.name);
    if (first !== undefined) findings.push(duplicate(resource, first));
    taken.set(resource.name, resource);
    const { value: pool, findings: onPool } = unwrap(resource, inputsOf(resource));
    findings.push(...onPool);
    if (pool !== undefined) value.push(pool);
  }
  return { value, findings: value.length + findings.length === 0 ? [NOTHING] : findings };
}

const NOTHING: Finding = findingOnInput("adopt-nothing", {
  message: "no OpenshiftNodePool was read: there is nothing to adopt",
  hint: "kubectl get openshiftnodepools -o yaml | anp adopt --raw -",
});

/** The pool as its user wrote it: policy and bounds come when it is rendered, and with `Raw` no label is added then. */
function unwrap(wrapper: Resource, inputs: ResolvedInputs): Outcome<KubeObject | undefined> {
  const settings = { ...inputs.settings, resource: undefined, onBypass: "Block" as const };
  const read = readNodePool(wrapper, settings);
  const surroundings = { hostedCluster: undefined, inputs: { ...inputs, settings }, classes: new Map() };
  const pool = resolvePool(wrapper, read, surroundings);
  if (pool === undefined) return { value: undefined, findings: read.findings };
  const { value: rendered, findings: onRendering } = renderNodePool(pool, NO_POLICY);
  const found = [...onRendering, ...(rendered === undefined ? [] : checkRendered(rendered, settings.profile))];
  const errors = found.filter((one) => one.severity === "error" && !read.findings.includes(one));
  const findings = [...read.findings, ...forgedMark(wrapper, pool.spec), ...nodeLimit(wrapper, pool.spec), ...errors];
  if (rendered === undefined || hasErrors(findings)) return { value: undefined, findings };
  const { apiVersion, kind, spec } = rendered.object;
  return { value: { apiVersion, kind, metadata: keptMetadata(wrapper), spec: withoutMark(spec) }, findings };
}

type Spec = OpenshiftNodePool["spec"];

/** Only the entries of a policy have the mark below them. It asks for nothing. */
function withoutMark(given: KubeObject["spec"]): KubeObject["spec"] {
  const { template, ...rest } = given as Spec;
  const requirements = (template.spec.requirements ?? []).filter(({ key }) => key !== POLICY_END);
  return { template: { ...template, spec: { ...template.spec, requirements } }, ...rest };
}

function forgedMark(wrapper: Resource, { template }: Spec): Finding[] {
  if (!isForgedAtPolicyEnd(template.spec.requirements ?? [])) return [];
  const message = `${describeResource(wrapper)}: its requirement on ${POLICY_END} would be taken for the end of a policy's entries`;
  const path = ["spec", "template", "spec", "requirements"];
  return [findingAt("adopt-refused", wrapper, path, { message, hint: "remove the entry" })];
}

function nodeLimit(wrapper: Resource, { limits, disruption }: Spec): Finding[] {
  if (limits?.["nodes"] === undefined || disruption?.nodeLimitMode === "Soft") return [];
  const message = `${describeResource(wrapper)}: the Hard limit of nodes becomes soft: Karpenter may exceed it for a while, and a watch does not write NodePools of users`;
  const hint = "keep the OpenshiftNodePool if the limit must hold";
  return [findingAt("adopt-lossy", wrapper, ["spec", "limits", "nodes"], { message, hint })];
}

function duplicate(wrapper: Resource, first: Resource): Finding {
  const where = first.document.source.file;
  const message =
    first.kind === wrapper.kind
      ? `${describeResource(wrapper)} is given twice (first in ${where}); names are unique in a hosted cluster`
      : `${describeResource(wrapper)} would become the ${describeResource(first)}, which is already in ${where}`;
  return findingAt("duplicate-resource", wrapper, ["metadata", "name"], { message, hint: "keep one of the two" });
}
