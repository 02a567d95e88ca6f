/** What a guard of the policy would still change: older fronts, root volumes that are lost. */
import { type Finding, findingAt } from "../../krm/finding.ts";
import { valueAt } from "../../krm/field-path.ts";
import { describeResource, type Resource } from "../../krm/resource.ts";
import { sameValue } from "../../krm/same-value.ts";
import { splitAtPolicyEnd } from "../../model/policy-end.ts";
import { isRootName, ROOT_DEVICE } from "../../render/block-devices.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { BLOCKER, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";
import { outsideBounds } from "./outside-bounds.ts";
import { decideRootVolume } from "../../resolve/root-volume.ts";

type Raw = Pick<ResolvedCluster, "pools" | "bundle" | "inputs">;

/** See docs/design.md#policy-by-admission. */
export function underGuard({ pools, bundle, inputs }: Raw, policy: EffectivePolicy, guarding?: Settings): Finding[] {
  const settings = guarding ?? inputs?.settings;
  const onPools = pools.flatMap((pool) => [
    ...outdatedFront(pool, policy),
    ...(settings === undefined ? [] : outsideBounds(pool, settings)),
  ]);
  if (policy.rootVolume === undefined || settings === undefined) return onPools;
  const { value } = decideRootVolume({ policy, settings });
  return [...onPools, ...bundle.nodeClasses.flatMap((nodeClass) => lostRootVolumes(nodeClass, value))];
}

const REQUIREMENTS = ["spec", "template", "spec", "requirements"];

/** A pool without a mark was never written under a guard, which says nothing of files. */
function outdatedFront({ wrapper, spec }: ResolvedPool, { requirements }: EffectivePolicy): Finding[] {
  const { front } = splitAtPolicyEnd(spec.template.spec.requirements ?? []);
  if (front === undefined || sameValue(front, requirements) || sameValue(front, [...requirements, BLOCKER])) return [];
  const message = `${describeResource(wrapper)} carries what another policy, or an earlier form of this one, asks for: it was not written since a guard of this policy acts`;
  const hint = "anp guard --touch makes pools of a cluster carry it; from a file take out everything up to the mark";
  return [findingAt("guard-outdated", wrapper, REQUIREMENTS, { message, hint })];
}

const DEVICES = ["spec", "blockDeviceMappings"];

function lostRootVolumes(nodeClass: Resource, root: object): Finding[] {
  const devices = valueAt(nodeClass.value, DEVICES);
  if (nodeClass.kind !== "EC2NodeClass" || !Array.isArray(devices)) return [];
  const kept = new Map(Object.entries(root));
  return devices.flatMap((device: unknown, index): Finding[] => {
    const name = valueAt(device, ["deviceName"]);
    const isRoot = isRootName(name) || (name === undefined && valueAt(device, ["rootVolume"]) === true);
    const asked = valueAt(device, ["ebs"]);
    if (!isRoot || typeof asked !== "object" || asked === null) return [];
    const lost = Object.entries(asked).filter(([field, value]) => kept.get(field) !== value);
    if (lost.length === 0) return [];
    const fields = lost.map(([field, value]) => {
      const now = kept.get(field);
      return `${field} ${String(value)}${now === undefined ? "" : ` (then ${String(now)})`}`;
    });
    const message = `${describeResource(nodeClass)}: a guard puts the policy's root volume in place of ${typeof name === "string" ? name : ROOT_DEVICE}; lost: ${fields.join(", ")}`;
    const hint = "take the root device out of the class";
    return [findingAt("root-volume-replaced", nodeClass, [...DEVICES, index], { message, hint })];
  });
}
