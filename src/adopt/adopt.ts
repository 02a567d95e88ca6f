/** Converts raw Karpenter objects to wrappers that render to the same: the inverse of render.ts. */
import { type Finding, findingOnInput, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { gatherBundles, type GatherOptions } from "../model/inputs/gather.ts";
import { markUserData } from "../model/objects/mark-user-data.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { Profile } from "../model/crds/profile.ts";
import { roleOf } from "../model/objects/role.ts";
import { adoptEC2NodeClass } from "./adopt-ec2-node-class.ts";
import { type AdoptContext, adoptNodePool } from "./adopt-node-pool.ts";
import { checkAdopted } from "./check-adopted.ts";
import { effectivePolicy } from "../resolve/policy.ts";
import { rawObjects } from "./raw-objects.ts";
import { applyRules } from "../resolve/rules.ts";
import { settingsOf } from "../resolve/settings.ts";

export interface AdoptOptions extends GatherOptions {
  readonly profile?: Profile | undefined;
}

/** The wrappers in the order of rendering; an object with an error has no wrapper. */
export function adopt(resources: readonly Resource[], options: AdoptOptions): Outcome<KubeObject[]> {
  const cluster = clusterOf(resources, options);
  const settings = settingsOf(cluster.value, { profile: options.profile });
  const before: Finding[] = [...cluster.findings, ...settings.findings];
  if (settings.value === undefined) return { value: [], findings: before };
  const { value: rendering } = settings;
  const raw = rawObjects(markUserData(resources));
  const policy = cluster.value.policy === undefined ? undefined : effectivePolicy(cluster.value, rendering).value;
  const context: AdoptContext = { settings: rendering, policy, classNames: raw.classNames };
  const findings: Finding[] = [...before, ...raw.findings];
  const value: KubeObject[] = [];
  const adoptEach = (objects: readonly Resource[], one: AdoptOne): void => {
    for (const object of objects) {
      const outcome = one(object, context);
      const checked = outcome.value === undefined ? [] : checkAdopted(object, outcome.value, rendering);
      findings.push(...outcome.findings, ...checked);
      if (outcome.value !== undefined && !hasErrors(checked)) value.push(outcome.value);
    }
  };
  adoptEach(raw.nodeClasses, adoptEC2NodeClass);
  adoptEach(raw.nodePools, adoptNodePool);
  if (raw.nodeClasses.length + raw.nodePools.length + raw.findings.length === 0) findings.push(NOTHING);
  return { value, findings: applyRules(findings, rendering.config.rules) };
}

type AdoptOne = (raw: Resource, context: AdoptContext) => Outcome<KubeObject | undefined>;

const NOTHING: Finding = findingOnInput("adopt-nothing", {
  message: "no NodePool of karpenter.sh and no EC2NodeClass of karpenter.k8s.aws was read: there is nothing to adopt",
  hint: "kubectl get nodepools.karpenter.sh,ec2nodeclasses.karpenter.k8s.aws -o yaml | anp adopt -",
});

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
