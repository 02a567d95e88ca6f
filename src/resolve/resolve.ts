/** What a hosted cluster comes to, worked out once for rendering and for every question. */
import { type Finding, findingOnInput, type Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import type { Bundle } from "../model/bundle.ts";
import { type ResolvedInputs, resolveInputs } from "./inputs.ts";
import { type NodeClassWrapper, readNodeClass } from "./read-node-class.ts";
import { type NodePoolWrapper, readNodePool } from "./read-node-pool.ts";
import { type ResolvedPool, resolvePool } from "./resolve-pool.ts";
import { applyRules } from "./rules.ts";
import { rulesLoosened } from "./rules-loosened.ts";
import { type RenderOptions, type Settings, settingsOf } from "./settings.ts";

/** A wrapper as it was read; undefined when it is invalid. */
export interface ReadWrapper<T> extends Outcome<T | undefined> {
  readonly wrapper: Resource;
}

interface ReadNodePool extends ReadWrapper<NodePoolWrapper> {
  /** Undefined when the wrapper is invalid, or the cluster has no `inputs`. */
  readonly pool: ResolvedPool | undefined;
}

export interface ResolvedCluster {
  readonly bundle: Bundle;
  /** `--feature-gates AutoNode=false`: nothing is rendered, and nothing is removed. */
  readonly gateOff: boolean;
  /** Undefined when the RenderConfig cannot be read; then there are no wrappers either. */
  readonly settings: Settings | undefined;
  /** Undefined when nobody can tell what the policy or the hosted cluster's own objects say; then there are no pools either. */
  readonly inputs: ResolvedInputs | undefined;
  /** By name, as the bundle has them. */
  readonly nodeClasses: readonly ReadWrapper<NodeClassWrapper>[];
  readonly nodePools: readonly ReadNodePool[];
  /** Of the node pools those that are valid, in the same order. */
  readonly pools: readonly ResolvedPool[];
  /** Of the hosted cluster as a whole, under its rules. */
  readonly findings: readonly Finding[];
}

export function resolve(bundle: Bundle, options: RenderOptions): ResolvedCluster {
  const { value: settings, findings: onSettings } = settingsOf(bundle, options);
  const gateOff = options.autoNode === false;
  const found = [...bundle.findings, ...onSettings];
  if (settings === undefined)
    return { bundle, gateOff, settings, inputs: undefined, nodeClasses: [], nodePools: [], pools: [], findings: found };
  const { value: inputs, findings: onInputs } = resolveInputs(bundle, settings);
  found.push(...rulesLoosened(settings, options), ...(gateOff ? [GATE_OFF] : onInputs));
  const nodeClasses = bundle.nodeClasses.map((wrapper) => ({ wrapper, ...readNodeClass(wrapper) }));
  const classes = new Map(nodeClasses.map(({ wrapper, value }) => [wrapper.name, value]));
  const { hostedCluster } = bundle;
  const nodePools = bundle.nodePools.map((wrapper) => {
    const read = readNodePool(wrapper, settings);
    const pool = inputs && resolvePool(wrapper, read, { hostedCluster, inputs, classes });
    return { wrapper, ...read, pool };
  });
  const pools = nodePools.flatMap(({ pool }) => pool ?? []);
  const findings = applyRules(found, settings.config.rules);
  return { bundle, gateOff, settings, inputs, nodeClasses, nodePools, pools, findings };
}

const GATE_OFF: Finding = findingOnInput("feature-gate-off", {
  message: "the feature gate AutoNode is off: nothing is rendered, and nothing is removed",
});
