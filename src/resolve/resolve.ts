/** Resolves a hosted cluster once, for rendering and analysis. */
import type { Resource } from "../krm/places/resource.ts";
import { AWS } from "../karpenter/provider/aws.ts";
import { type Finding, findingOnInput } from "../krm/findings/finding.ts";
import { type Bundle, isUsersNodePool } from "../model/inputs/bundle.ts";
import { resolveInputs } from "./inputs.ts";
import { readNodeClass } from "./read-node-class.ts";
import { readNodePool } from "./read-node-pool.ts";
import type { ClusterInTurn, ReadNodePool, ResolvedCluster } from "./resolved-cluster.ts";
import { readRawPool, type ReadRawPool } from "./read-raw-pool.ts";
import { withoutReservedKeys } from "./reserved-keys.ts";
import { resolvePool, resolveRawPool } from "./resolve-pool.ts";
import { applyRules } from "./rules.ts";
import { rulesLoosened } from "./rules-loosened.ts";
import { type RenderOptions, type Settings, settingsOf } from "./settings.ts";

/** For callers that read the pools more than once. */
export function resolve(bundle: Bundle, options: RenderOptions): ResolvedCluster {
  const cluster = resolveInTurn(bundle, options);
  const nodePools = [...cluster.nodePools];
  return { ...cluster, nodePools, pools: nodePools.flatMap(({ pool }) => pool ?? []) };
}

/** HyperShift runs Karpenter on AWS. */
const HOSTED = { mode: "hosted", provider: AWS } as const;

/** For callers that only render. */
export function resolveInTurn(bundle: Bundle, options: RenderOptions): ClusterInTurn {
  const { value: settings, findings: onSettings } = settingsOf(bundle, options);
  const gateOff = options.autoNode === false;
  const found = [...bundle.findings, ...onSettings];
  if (settings === undefined)
    return { ...HOSTED, bundle, gateOff, settings, inputs: undefined, nodeClasses: [], nodePools: [], findings: found };
  const { value: inputs, findings: onInputs } = resolveInputs(bundle, settings);
  found.push(...rulesLoosened(settings, options), ...(gateOff ? [GATE_OFF] : onInputs));
  const nodeClasses = bundle.nodeClasses.map((wrapper) => ({ wrapper, ...readNodeClass(wrapper) }));
  const classes = new Map(nodeClasses.map(({ wrapper, value }) => [wrapper.name, value]));
  const { hostedCluster } = bundle;
  const made = bundle.operatorOutput;
  const nodePools = inTurn(bundle.nodePools, (wrapper): ReadNodePool => {
    if (isUsersNodePool(wrapper)) {
      const isRuled = inputs?.policy.resource !== undefined;
      const { resource, ...read } = readUsersPool(wrapper, settings, isRuled);
      const pool = inputs && resolveRawPool({ resource, ...read }, { hostedCluster, inputs, classes, made });
      return { wrapper: resource, ...read, pool };
    }
    const read = readNodePool(wrapper, settings);
    const pool = inputs && resolvePool(wrapper, read, { hostedCluster, inputs, classes });
    return { wrapper, ...read, pool };
  });
  const findings = applyRules(found, settings.config.rules);
  const mode = settings.nodePools === "Raw" ? "shipped" : "hosted";
  return { ...HOSTED, mode, bundle, gateOff, settings, inputs, nodeClasses, nodePools, findings };
}

/** @param isRuled whether a policy applies: then Karpenter's own keys are refused or removed, as in wrappers */
function readUsersPool(given: Resource, settings: Settings, isRuled: boolean): ReadRawPool {
  const kept = isRuled ? withoutReservedKeys(given, settings) : { value: given, findings: [] };
  const read = readRawPool(kept.value, settings.profile);
  return { ...read, findings: [...kept.findings, ...read.findings] };
}

function inTurn<T, R>(items: readonly T[], make: (item: T) => R): Iterable<R> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield make(item);
    },
  };
}

const GATE_OFF: Finding = findingOnInput("feature-gate-off", {
  message: "the feature gate AutoNode is off: anp renders nothing and removes nothing",
});
