/** Renders a NodePool that users write under a policy, with `nodePools: Raw`. */
import { hasErrors } from "../../../src/krm/findings/finding.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { gatherBundles } from "../../../src/model/inputs/gather.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { render } from "../../../src/render/render.ts";
import { resolveInTurn } from "../../../src/resolve/resolve.ts";
import { testSource } from "../source.ts";

export type Entries = readonly NodeSelectorRequirement[];

export interface RenderedRawPool {
  /** Undefined if the pool is refused. */
  readonly object: KubeObject | undefined;
  /** The codes of the errors. */
  readonly codes: readonly string[];
}

export function renderRawPool(policy: Entries, pool: KubeObject, onBypass: "Fail" | "Block" = "Fail"): RenderedRawPool {
  const text = [policyOf(policy), configOf(onBypass), pool].map((one) => JSON.stringify(one)).join("\n---\n");
  const parsed = parseSources([testSource(text)]);
  const gathered = gatherBundles(parsed.value, { nodePools: "Raw" });
  const bundle = gathered.value.bundles[0]!;
  const { value, findings } = render(resolveInTurn(bundle, { nodePools: "Raw" }));
  const all = [...parsed.findings, ...gathered.findings, ...findings];
  const object = value.find((one) => one.object.kind === "NodePool")?.object;
  const codes = all.filter(({ severity }) => severity === "error").map(({ code }) => code);
  return { object: hasErrors(all) ? undefined : object, codes };
}

export function listOf({ spec }: KubeObject): Entries {
  return (spec as { template: { spec: { requirements: Entries } } }).template.spec.requirements;
}

export function rawPoolOf(requirements: Entries, labels: Readonly<Record<string, string>>, name = "web"): KubeObject {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const template = { metadata: { labels }, spec: { requirements, nodeClassRef } };
  return { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name }, spec: { template } };
}

function policyOf(requirements: Entries): object {
  return {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: "clusters-shop" },
    spec: { nodePoolDefaults: { requirements } },
  };
}

function configOf(onBypass: "Fail" | "Block"): object {
  return {
    apiVersion: "anp.hypershift.openshift.io/v1alpha1",
    kind: "RenderConfig",
    metadata: { name: "config" },
    spec: { onBypass },
  };
}
