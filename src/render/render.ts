/** The whole transformation, to be read first: the manifests that a hosted cluster should run. */
import { type Finding, findingOnInput, hasErrors, type Outcome } from "../krm/finding.ts";
import { hasWrappers } from "../model/bundle.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import type { ClusterInTurn } from "../resolve/resolved-cluster.ts";
import { applyRules } from "../resolve/rules.ts";
import { admissionPolicies } from "./admission-policies.ts";
import { checkRendered } from "./check-rendered.ts";
import { renderEC2NodeClass } from "./render-ec2-node-class.ts";
import { renderNodePool } from "./render-node-pool.ts";

/**
 * The objects of a hosted cluster in the order they are applied: admission policies, node classes, pools, each by
 * name. A wrapper with an error has no object; a policy or RenderConfig with an error leaves no object at all.
 */
export function render(cluster: ClusterInTurn): Outcome<RenderedObject[]> {
  const { bundle, inputs } = cluster;
  if (cluster.gateOff || inputs === undefined || hasErrors(bundle.findings))
    return { value: [], findings: [...cluster.findings] };
  const { settings, policy } = inputs;
  const { rules } = settings.config;
  const value: RenderedObject[] = admissionPolicies(settings);
  const findings = [...cluster.findings];
  // Where the input names no hosted cluster either, that is said of the input.
  if (!hasWrappers(bundle) && bundle.hostedCluster !== undefined) findings.push(...applyRules([NO_WRAPPERS], rules));

  const add = ({ value: object, findings: own }: Outcome<RenderedObject | undefined>): void => {
    const { profile } = settings;
    const checked = object === undefined ? [] : checkRendered(object, profile);
    const all = applyRules([...own, ...checked], rules);
    for (const finding of all) findings.push(finding);
    if (object !== undefined && !hasErrors(all)) value.push(object);
  };
  // Pools go on: a root volume that nobody gets is no reason to leave requirements as they were.
  const launches = !findings.some(({ code, severity }) => code === "root-volume-refused" && severity === "error");
  if (settings.renderNodeClasses && launches)
    for (const nodeClass of cluster.nodeClasses) add(renderEC2NodeClass(nodeClass, inputs));
  for (const { pool, findings: onReading } of cluster.nodePools)
    add(pool === undefined ? { value: undefined, findings: onReading } : renderNodePool(pool, policy));
  return { value, findings };
}

const NO_WRAPPERS: Finding = findingOnInput("no-wrappers", {
  message: "no OpenshiftNodePool or OpenshiftEC2NodeClass was read: only the admission policies are rendered",
});
