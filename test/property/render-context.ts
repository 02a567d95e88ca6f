/** Manifests as text to what the parts of rendering work on, for tests of one part alone. */
import { parseSources } from "../../src/krm/parse.ts";
import type { Resource } from "../../src/krm/resource.ts";
import type { Bundle } from "../../src/model/bundle.ts";
import { gatherBundles } from "../../src/model/gather.ts";
import { type NodeClassWrapper, readNodeClass } from "../../src/resolve/read-node-class.ts";
import { type RenderContext, renderContext } from "../../src/resolve/render-context.ts";
import { type RenderOptions, settingsOf } from "../../src/resolve/settings.ts";

/** The one hosted cluster that files speak of; file name to text. */
export function bundleOf(files: Readonly<Record<string, string>>): Bundle {
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

export function contextOf(bundle: Bundle, options: RenderOptions = {}): RenderContext {
  const settings = settingsOf(bundle, options);
  const context = settings.value && renderContext(bundle, settings.value);
  if (context?.value === undefined) throw new Error(JSON.stringify([settings.findings, context?.findings]));
  return context.value;
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
