/** Renders an adopted wrapper to report errors and additions of rendering. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { checkRendered } from "../render/check-rendered.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import { NO_POLICY } from "../resolve/policy.ts";
import { readNodeClass } from "../resolve/read-node-class.ts";
import { readNodePool } from "../resolve/read-node-pool.ts";
import { resolvePool } from "../resolve/resolve-pool.ts";
import { decideRootVolume } from "../resolve/root-volume.ts";
import { renderEC2NodeClass } from "../render/render-ec2-node-class.ts";
import { renderNodePool } from "../render/render-node-pool.ts";
import type { Settings } from "../resolve/settings.ts";

/** `anp adopt` must not write anything that `anp render` would refuse, regardless of the policy. */
export function checkAdopted(raw: Resource, wrapper: KubeObject, settings: Settings): Finding[] {
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
