/** OpenshiftNodePool to NodePool: policy entries before the user's, node class and node labels resolved (DESIGN.md 3.2). */
import { type Finding, findingAt, hasErrors, type Outcome } from "../krm/finding.ts";
import { type FieldPath, valueAt } from "../krm/field-path.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { marks } from "../model/marks.ts";
import { oncePer } from "../model/once.ts";
import { type OpenshiftNodePool, openshiftNodePoolSchema } from "../model/openshift-node-pool.ts";
import { validate } from "../model/validate.ts";
import { mergeRequirements } from "./merge-requirements.ts";
import type { Origin, RenderedObject } from "./origin.ts";
import type { RenderContext } from "./render-context.ts";
import { resolveNodeClassRef } from "./resolve-node-class-ref.ts";

const schemaOf = oncePer(openshiftNodePoolSchema);

/** Undefined when the wrapper is invalid or would get round the policy. */
export function renderNodePool(wrapper: Resource, context: RenderContext): Outcome<RenderedObject | undefined> {
  const options = { code: "wrapper-invalid", unknownField: "unknown-field" } as const;
  const valid = validate(schemaOf(context.settings.profile), wrapper, options);
  if (valid.value === undefined) return { value: undefined, findings: valid.findings };
  const { template, disruption, limits, weight } = valid.value.spec;
  const labels = nodeLabels(wrapper, template.metadata?.labels, context);
  const nodeClassRef = resolveNodeClassRef(wrapper, template.spec.nodeClassRef);
  const requirements = mergeRequirements(wrapper, template.spec.requirements ?? [], labels.value, context);
  const { nodeLimitMode: _onTheWrapperOnly, ...copied } = disruption ?? {};
  const findings = [
    ...valid.findings,
    ...labels.findings,
    ...nodeClassRef.findings,
    ...requirements.findings,
    ...nodeLimit(wrapper, valid.value),
  ];
  const metadata = {
    ...(Object.keys(labels.value).length > 0 ? { labels: labels.value } : {}),
    ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
  };
  const { nodeClassRef: _resolved, requirements: _merged, ...rest } = template.spec;
  const spec = {
    template: {
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
      spec: { nodeClassRef: nodeClassRef.value, requirements: requirements.value.entries, ...rest },
    },
    ...(disruption === undefined ? {} : { disruption: copied }),
    ...(limits === undefined ? {} : { limits }),
    ...(weight === undefined ? {} : { weight }),
  };
  const { name } = wrapper;
  const object = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name, ...marks(wrapper.kind, name) },
    spec,
  };
  const origins: Origin[] = [
    { output: ["metadata", "name"], input: { resource: wrapper, path: ["metadata", "name"] } },
    { output: ["spec"], input: { resource: wrapper, path: ["spec"] } },
    ...labels.origins,
    ...missing(wrapper, ["spec", "template", "spec", "nodeClassRef"]),
    ...missing(wrapper, ["spec", "template", "spec", "requirements"]),
    ...requirements.value.origins,
  ];
  return { value: hasErrors(findings) ? undefined : { object, wrapper, origins }, findings };
}

/** What anp puts where the wrapper has nothing. */
function missing(wrapper: Resource, path: FieldPath): Origin[] {
  return (valueAt(wrapper.value, path) ?? undefined) === undefined ? [{ output: path, input: undefined }] : [];
}

/** The user's template labels with the forced ones over them, sorted. */
function nodeLabels(wrapper: Resource, given: Readonly<Record<string, string>> = {}, { settings }: RenderContext) {
  const findings: Finding[] = [];
  const origins: Origin[] = [];
  for (const [key, value] of Object.entries(settings.nodeLabels)) {
    const output = ["spec", "template", "metadata", "labels", key];
    const { resource, config } = settings;
    const configured = resource === undefined || config.nodeLabels === undefined ? undefined : resource;
    origins.push({ output, input: configured && { resource: configured, path: ["spec", "nodeLabels", key] } });
    const own = given[key];
    if (own === undefined || own === value) continue;
    const message = `${describeResource(wrapper)}: the node label ${key} is always "${value}" here, not "${own}"`;
    findings.push(
      findingAt("node-label-overridden", wrapper, output, { message, hint: "take the label out of the template" }),
    );
  }
  const merged = Object.entries({ ...given, ...settings.nodeLabels }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { value: Object.fromEntries(merged), findings, origins };
}

function nodeLimit(wrapper: Resource, { spec }: OpenshiftNodePool): Finding[] {
  const mode = spec.disruption?.nodeLimitMode ?? "Hard";
  if (spec.limits?.["nodes"] === undefined || mode !== "Hard") return [];
  const message = `${describeResource(wrapper)}: Karpenter treats limits.nodes as soft; the manifest alone does not enforce a Hard limit`;
  const hint = "write disruption.nodeLimitMode: Soft where that is enough";
  return [findingAt("node-limit-not-enforced", wrapper, ["spec", "limits", "nodes"], { message, hint })];
}
