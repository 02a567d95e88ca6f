/** Manifests as text to what the parts of rendering work on, for tests of one part alone. */
import { parseSources } from "../../src/krm/parse/parse.ts";
import type { Resource } from "../../src/krm/places/resource.ts";
import type { Bundle } from "../../src/model/inputs/bundle.ts";
import { gatherBundles } from "../../src/model/inputs/gather.ts";
import type { NodePoolWrapper } from "../../src/resolve/read-node-pool.ts";
import { type NodeClassWrapper, readNodeClass } from "../../src/resolve/read-node-class.ts";
import type { ResolvedInputs } from "../../src/resolve/inputs.ts";
import type { NodeSelectorRequirement } from "../../src/model/requirements/requirement.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { type ResolvedPool, resolvePool } from "../../src/resolve/resolve-pool.ts";
import type { RenderOptions } from "../../src/resolve/settings.ts";

/** The one hosted cluster that files speak of; file name to text. */
export function makeBundle(files: Readonly<Record<string, string>>): Bundle {
  const sources = Object.entries(files).map(([file, text]) => ({
    file,
    folder: "",
    text,
    explicit: true,
    trusted: true,
    config: false,
  }));
  const parsed = parseSources(sources);
  const gathered = gatherBundles(parsed.value, {});
  const [bundle, ...others] = gathered.value.bundles;
  const findings = [...parsed.findings, ...gathered.findings, ...(bundle?.findings ?? [])];
  const errors = findings.filter(({ severity }) => severity === "error");
  if (bundle === undefined || others.length > 0 || errors.length > 0) throw new Error(JSON.stringify(errors));
  return bundle;
}

export function inputsOf(bundle: Bundle, options: RenderOptions = {}): ResolvedInputs {
  const { inputs, findings } = resolve(bundle, options);
  if (inputs === undefined) throw new Error(JSON.stringify(findings));
  return inputs;
}

/** The one pool of a bundle with other entries and labels, which no schema looks at. */
export function poolWith(
  bundle: Bundle,
  requirements: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): ResolvedPool {
  const spec = { template: { spec: { requirements } } };
  const read = { value: { spec, labels, labelOrigins: [] } as unknown as NodePoolWrapper, findings: [] };
  const surroundings = { hostedCluster: bundle.hostedCluster, inputs: inputsOf(bundle), classes: new Map() };
  return resolvePool(bundle.nodePools[0]!, read, surroundings)!;
}

const GROUP = "karpenter.hypershift.openshift.io";
const object = (apiVersion: string, kind: string, metadata: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\nspec: ${spec}\n`;

/** Objects with a spec in flow style. */
export const policyText = (spec: string): string =>
  object(`${GROUP}/v1beta1`, "AutoNodePolicy", "name: default, namespace: clusters-shop", spec);
export const configText = (spec: string): string =>
  object("anp.hypershift.openshift.io/v1alpha1", "RenderConfig", "name: config", spec);
export const poolText = (spec: string): string => object(`${GROUP}/v1beta1`, "OpenshiftNodePool", "name: web", spec);
export const classText = (spec: string, version = "v1"): string =>
  object(`${GROUP}/${version}`, "OpenshiftEC2NodeClass", "name: web", spec);
export const controlPlaneText = (spec: string): string =>
  object("hypershift.openshift.io/v1beta1", "HostedControlPlane", "name: x, namespace: clusters-shop", spec);

export function nodeClassOf(wrapper: Resource | undefined): NodeClassWrapper {
  if (wrapper === undefined) throw new Error("no node class");
  const { value, findings } = readNodeClass(wrapper);
  if (value === undefined) throw new Error(JSON.stringify(findings));
  return value;
}
