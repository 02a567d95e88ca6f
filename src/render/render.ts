/** Renders the manifests of a hosted cluster: the whole transformation, to be read first. */
import { type Finding, findingOnInput, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { hasWrappers } from "../model/inputs/bundle.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import type { ResolvedPool } from "../resolve/resolve-pool.ts";
import type { ClusterInTurn } from "../resolve/resolved-cluster.ts";
import { applyRules } from "../resolve/rules.ts";
import type { Settings } from "../resolve/settings.ts";
import { admissionPolicies } from "./admission-policies.ts";
import { checkRendered } from "./check-rendered.ts";
import { renderEC2NodeClass } from "./render-ec2-node-class.ts";
import { renderNodePool } from "./render-node-pool.ts";
import { renderRawPool } from "./render-raw-pool.ts";

/**
 * The objects of a hosted cluster in the order of application: admission policies, node classes, pools, each sorted by
 * name. A wrapper with an error has no object; a policy or RenderConfig with an error leaves no objects.
 */
export function render(cluster: ClusterInTurn): Outcome<RenderedObject[]> {
  const { bundle, inputs } = cluster;
  if (cluster.gateOff || inputs === undefined || hasErrors(bundle.findings))
    return { value: [], findings: [...cluster.findings] };
  const { settings } = inputs;
  const { rules } = settings.config;
  const value: RenderedObject[] = settings.inferred ? [] : admissionPolicies(settings);
  const findings = [...cluster.findings];
  // If the input names no hosted cluster, another finding reports that.
  if (!hasWrappers(bundle) && bundle.hostedCluster !== undefined)
    findings.push(...applyRules([noWrappers(settings)], rules));

  const add = ({ value: object, findings: own }: Outcome<RenderedObject | undefined>): void => {
    const { profile } = settings;
    const checked = object === undefined ? [] : checkRendered(object, profile);
    const all = applyRules([...own, ...checked], rules);
    for (const finding of all) findings.push(finding);
    if (object !== undefined && !hasErrors(all)) value.push(object);
  };
  // Pools are still rendered: a refused root volume must not keep old requirements.
  const launches = !findings.some(({ code, severity }) => code === "root-volume-refused" && severity === "error");
  if (settings.renderNodeClasses && launches)
    for (const nodeClass of cluster.nodeClasses) add(renderEC2NodeClass(nodeClass, inputs));
  for (const { pool, findings: onReading } of cluster.nodePools)
    add(pool === undefined ? { value: undefined, findings: onReading } : renderPool(pool, inputs));
  return { value, findings };
}

function renderPool(pool: ResolvedPool, inputs: ResolvedInputs): Outcome<RenderedObject | undefined> {
  return pool.mode === "shipped" ? renderRawPool(pool, inputs) : renderNodePool(pool, inputs.policy);
}

function noWrappers({ nodePools }: Settings): Finding {
  const kinds = `${nodePools === "Raw" ? "NodePool, " : ""}OpenshiftNodePool or OpenshiftEC2NodeClass`;
  const message = `no ${kinds} was read: only the admission policies are rendered`;
  return findingOnInput("no-wrappers", { message });
}
