/** Converts raw objects to wrappers that render to the same, and wrappers of pools to raw pools. */
import { type Finding, findingAt, findingOnInput, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { counted } from "../krm/values/counted.ts";
import type { Profile } from "../model/crds/profile.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { gatherBundles, type GatherOptions } from "../model/inputs/gather.ts";
import { owningWrapper } from "../model/objects/applied-kinds.ts";
import type { InputMode } from "../model/objects/input-mode.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { carriesMarks } from "../model/objects/marks.ts";
import { markUserData } from "../model/objects/raw-objects.ts";
import { roleOf } from "../model/objects/role.ts";
import { checkRendered } from "../render/check-rendered.ts";
import { renderEC2NodeClass } from "../render/render-ec2-node-class.ts";
import { renderNodePool } from "../render/render-node-pool.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import { effectivePolicy, NO_POLICY } from "../resolve/policy.ts";
import { readNodeClass } from "../resolve/read-node-class.ts";
import { readNodePool } from "../resolve/read-node-pool.ts";
import { resolvePool } from "../resolve/resolve-pool.ts";
import { decideRootVolume } from "../resolve/root-volume.ts";
import { applyRules } from "../resolve/rules.ts";
import { type Settings, settingsOf } from "../resolve/settings.ts";
import { adoptEC2NodeClass } from "./adopt-ec2-node-class.ts";
import { type AdoptContext, adoptNodePool } from "./adopt-node-pool.ts";
import { rawObjects } from "./raw-objects.ts";
import { unwrapNodePools } from "./unwrap-node-pools.ts";

interface AdoptOptions extends GatherOptions {
  readonly profile?: Profile | undefined;
  /** Whether OpenshiftNodePools become NodePools, and not the other way. */
  readonly raw?: boolean | undefined;
  /** Whether the input has every wrapper of its cluster: an object with the marks of one that is absent has none. */
  readonly allWrappers?: boolean | undefined;
  /** Whether NodePools stay, because the cluster has no kind of wrapper for them. */
  readonly withoutPools?: boolean | undefined;
}

/** The objects in the order of rendering; one with an error becomes nothing. */
export function adopt(resources: readonly Resource[], options: AdoptOptions): Outcome<KubeObject[]> {
  const cluster = clusterOf(resources, options);
  const settings = settingsOf(cluster.value, { profile: options.profile });
  const before: Finding[] = [...cluster.findings, ...settings.findings];
  if (settings.value === undefined) return { value: [], findings: before };
  const { value: rendering } = settings;
  const { value, findings } =
    options.raw === true
      ? unwrapNodePools(resources, (wrapper) => inputsOf(wrapper, rendering))
      : wrapped(resources, cluster.value, rendering, options);
  return { value, findings: applyRules([...before, ...findings], rendering.config.rules) };
}

/** The wrappers of raw objects. */
function wrapped(
  resources: readonly Resource[],
  cluster: Bundle,
  settings: Settings,
  { allWrappers = false, withoutPools = false }: AdoptOptions,
): Outcome<KubeObject[]> {
  const raw = rawObjects(markUserData(resources), allWrappers);
  const policy = cluster.policy === undefined ? undefined : effectivePolicy(cluster, settings).value;
  const context: AdoptContext = { settings, policy, classNames: raw.classNames };
  const adoptOne = (object: Resource, one: AdoptOne): Outcome<KubeObject | undefined> => {
    const { value, findings } = one(object, context);
    const checked = value === undefined ? [] : checkAdopted(object, value, settings);
    return { value: hasErrors(checked) ? undefined : value, findings: [...findings, ...checked] };
  };
  const adopted = [
    ...raw.nodeClasses.map((object) => adoptOne(object, adoptEC2NodeClass)),
    ...(withoutPools ? [] : raw.nodePools.map((object) => adoptOne(object, adoptNodePool))),
  ];
  const isEmpty = raw.nodeClasses.length + raw.nodePools.length + raw.findings.length === 0;
  const { value, findings } = together(adopted);
  const stay = withoutPools ? poolsStay(raw.nodePools) : [];
  return { value, findings: [...raw.findings, ...findings, ...stay, ...(isEmpty ? [NOTHING] : [])] };
}

function together(outcomes: readonly Outcome<KubeObject | undefined>[]): Outcome<KubeObject[]> {
  return {
    value: outcomes.flatMap(({ value }) => value ?? []),
    findings: outcomes.flatMap(({ findings }) => findings),
  };
}

type AdoptOne = (raw: Resource, context: AdoptContext) => Outcome<KubeObject | undefined>;

const NOTHING: Finding = findingOnInput("adopt-nothing", {
  message: "no NodePool of karpenter.sh and no EC2NodeClass of karpenter.k8s.aws was read: there is nothing to adopt",
  hint: "kubectl get nodepools.karpenter.sh,ec2nodeclasses.karpenter.k8s.aws -o yaml | anp adopt -",
});

/**
 * Whether the input is HyperShift as it ships, also a dump of what runs there, and holds no sign of the kind
 * OpenshiftNodePool: no object, nothing made of one, and not its definition.
 *
 * @param served whether the cluster serves the kind, if it was asked
 */
export function lacksPoolWrapper(resources: readonly Resource[], mode: InputMode, served?: boolean): boolean {
  const ofOperator = resources.some(({ kind, value }) => kind === "EC2NodeClass" && owningWrapper(value) !== undefined);
  if (mode === "hosted" || (mode === "raw" && !ofOperator)) return false;
  if (served !== undefined) return !served;
  return !resources.some(
    ({ kind, name, value }) =>
      (kind === "NodePool" && (carriesMarks(value) || owningWrapper(value) !== undefined)) ||
      (kind === "CustomResourceDefinition" && name === POOL_WRAPPER_DEFINITION),
  );
}

const POOL_WRAPPER_DEFINITION = `openshiftnodepools.${HYPERSHIFT_KARPENTER_GROUP}`;

/** One finding, because all have one cause. */
function poolsStay([first, ...others]: readonly Resource[]): Finding[] {
  if (first === undefined) return [];
  const all = others.length === 0 ? "" : ` and ${counted(others.length, "other")}`;
  const message = `${describeResource(first)}${all} cannot become an OpenshiftNodePool: HyperShift as it ships does not have that kind`;
  const hint =
    "keep NodePools: anp render with nodePools: Raw, or anp guard, holds a policy for them; --wrapped adopts them for a cluster that gets the CRD (anp crds prints it)";
  return [findingAt("adopt-pool-kind-absent", first, ["kind"], { message, hint })];
}

/** The policy and RenderConfig if the input has one hosted cluster; of several, none. */
function clusterOf(resources: readonly Resource[], { hostedCluster, config }: GatherOptions): Outcome<Bundle> {
  const rules = resources.filter((resource) => ["policy", "render-config"].includes(String(roleOf(resource))));
  const { value, findings } = gatherBundles(rules, { hostedCluster, config });
  const [bundle, ...others] = value.bundles;
  if (bundle !== undefined && others.length === 0) {
    const all = [...findings, ...bundle.findings];
    return { value: bundle, findings: all.filter(({ severity }) => severity === "error") };
  }
  return { value: { ...gatherBundles([], { config }).value.bundles[0]!, hostedCluster: undefined }, findings: [] };
}

/** `anp adopt` must not write anything that `anp render` would refuse, regardless of the policy. */
function checkAdopted(raw: Resource, wrapper: KubeObject, settings: Settings): Finding[] {
  const { apiVersion, kind } = wrapper;
  // The wrapper has no file yet, so findings about it use the raw object.
  const written: Resource = { ...raw, apiVersion, kind, value: { ...wrapper } };
  const { value: rendered, findings } = renderAdopted(written, inputsOf(raw, settings));
  const found = findings.filter(({ severity, code }) => severity === "error" || code === "kubelet-field-not-rendered");
  if (rendered === undefined) return found;
  return [...found, ...checkRendered(rendered, settings.profile), ...rootVolume(raw, wrapper, rendered.object)];
}

function renderAdopted(wrapper: Resource, inputs: ResolvedInputs): Outcome<RenderedObject | undefined> {
  if (wrapper.kind !== "OpenshiftNodePool") return renderEC2NodeClass({ wrapper, ...readNodeClass(wrapper) }, inputs);
  const read = readNodePool(wrapper, inputs.settings);
  const pool = resolvePool(wrapper, read, { hostedCluster: undefined, inputs, classes: new Map() });
  return pool === undefined ? { value: undefined, findings: read.findings } : renderNodePool(pool, inputs.policy);
}

/**
 * Without a policy, and with placeholders for inputs that HyperShift provides, so that they are not reported missing.
 */
function inputsOf(raw: Resource, given: Settings): ResolvedInputs {
  const from = { resource: raw, path: [] };
  const hostedCluster = { namespace: "hosted", amis: { amd64: "ami-0" } };
  const settings = { ...given, resource: raw, config: { ...given.config, hostedCluster } };
  return {
    settings,
    policy: NO_POLICY,
    rootVolume: decideRootVolume({ policy: NO_POLICY, settings }),
    hidden: {
      infraID: { value: "hosted", from },
      instanceProfile: { value: "hosted", from },
      resourceTags: undefined,
      secrets: new Map(),
    },
  };
}

/** Rendering adds a root device if there is none. */
function rootVolume(raw: Resource, wrapper: KubeObject, rendered: KubeObject): Finding[] {
  const path = ["spec", "blockDeviceMappings"];
  const own = (wrapper.spec["blockDeviceMappings"] ?? []) as readonly unknown[];
  const all = (rendered.spec["blockDeviceMappings"] ?? []) as readonly { readonly ebs?: Record<string, unknown> }[];
  if (rendered.kind !== "EC2NodeClass" || all.length === own.length) return [];
  const { volumeSize, volumeType, encrypted } = all[0]?.ebs ?? {};
  const volume = `${String(volumeSize)} ${String(volumeType)}${encrypted === true ? " encrypted" : ""}`;
  const message = `${describeResource(raw)} names no root device (/dev/xvda), so nodes get the root volume of the policy, or else ${volume}; running nodes drift and are replaced`;
  const hint = "add a mapping for /dev/xvda to the wrapper to choose it";
  return [findingAt("adopt-nodes-replaced", raw, path, { message, hint })];
}
