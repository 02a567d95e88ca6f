/** Reports what a guard of the policy would change in raw pools and node classes. */
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import {
  blockDevicesOf,
  isRootMapping,
  type RootDevice,
  rootDeviceOf,
  UNKNOWN_ROOT_HINT,
} from "../../karpenter/node-class/root-device.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import { splitAtPolicyEnd } from "../../model/requirements/policy-end.ts";
import { MAX_OWN_VALUES, OWN_SHARE, POLICY_SHARE } from "../../model/requirements/requirement.ts";
import { frontsOf, hasFewValues, ownCount } from "../../resolve/guarded-list.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";
import { markLabels, refusedMark } from "../../resolve/reserved-keys.ts";
import { decideRootVolume } from "../../resolve/root-volume.ts";
import { locationOf } from "../../krm/places/location.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import { type AppliedBound, boundPool } from "../../resolve/bound-pool.ts";

type Raw = Pick<ResolvedCluster, "pools" | "bundle" | "inputs">;

/** See docs/design.md#policy-by-admission. */
export function underGuard({ pools, bundle, inputs }: Raw, policy: EffectivePolicy, guarding?: Settings): Finding[] {
  const settings = guarding ?? inputs?.settings;
  const onPools = pools.flatMap((pool) => [
    ...outdatedFront(pool, policy),
    ...beyondShare(pool, policy),
    ...markLabels(pool.wrapper).map((key) => refusedMark(pool.wrapper, key)),
    ...(settings === undefined ? [] : outsideBounds(pool, settings)),
  ]);
  if (policy.rootVolume === undefined || settings === undefined) return onPools;
  const { value } = decideRootVolume({ policy, settings });
  return [...onPools, ...bundle.nodeClasses.flatMap((nodeClass) => ofRootVolume(nodeClass, value))];
}

const REQUIREMENTS = ["spec", "template", "spec", "requirements"];

/** A pool without a mark was never written under a guard. In files that is normal. */
function outdatedFront({ wrapper, spec }: ResolvedPool, { requirements }: EffectivePolicy): Finding[] {
  const { front } = splitAtPolicyEnd(spec.template.spec.requirements ?? []);
  if (front === undefined || frontsOf(requirements).some((one) => sameValue(front, one))) return [];
  const message = `${describeResource(wrapper)} has the entries of another policy, or of an earlier version of this one: it was not written since the guard became active`;
  const hint = "run anp guard --touch for pools of a cluster; in a file, remove everything up to the mark";
  return [findingAt("guard-outdated", wrapper, REQUIREMENTS, { message, hint })];
}

/** A guard does not reject a stored pool for this. It is still reported, because nothing can be added to the pool. */
function beyondShare({ wrapper, spec, labels }: ResolvedPool, { requirements }: EffectivePolicy): Finding[] {
  if (requirements.length === 0) return [];
  const { own } = splitAtPolicyEnd(spec.template.spec.requirements ?? []);
  const overLimit = (message: string, hint: string): Finding[] => [
    findingAt("guard-limit", wrapper, REQUIREMENTS, { message: `${describeResource(wrapper)} ${message}`, hint }),
  ];
  const count = ownCount(own, labels);
  if (count > OWN_SHARE)
    return overLimit(
      `has ${count} requirements and template labels of its own, and a guard allows ${OWN_SHARE}: ${POLICY_SHARE} places of a NodeClaim are reserved for the policy, and a pool without room for it is blocked`,
      "merge entries of one key, or remove some",
    );
  if (hasFewValues(own, labels)) return [];
  return overLimit(
    `lists more than ${MAX_OWN_VALUES} values, and a guard allows no more`,
    "ask for what the values have in common, such as a family instead of its types",
  );
}

const DEVICES = ["spec", "blockDeviceMappings"];

function ofRootVolume(nodeClass: Resource, root: object): Finding[] {
  if (nodeClass.kind !== "EC2NodeClass") return [];
  const found = rootDeviceOf(nodeClass.value);
  return "unknown" in found ? [unknownRoot(nodeClass, found)] : lostRootVolumes(nodeClass, root, found.device);
}

function unknownRoot(nodeClass: Resource, { unknown }: Extract<RootDevice, { unknown: string }>): Finding {
  const path = blockDevicesOf(nodeClass.value).length > 0 ? DEVICES : ["spec", "amiFamily"];
  const message = `${describeResource(nodeClass)}: a guard refuses it, because the policy has a root volume and the root device of the class's images is unknown: ${unknown}`;
  return findingAt("root-volume-unknown", nodeClass, path, { message, hint: UNKNOWN_ROOT_HINT });
}

function lostRootVolumes(nodeClass: Resource, root: object, target: string): Finding[] {
  const kept = new Map(Object.entries(root));
  return blockDevicesOf(nodeClass.value).flatMap((device: unknown, index): Finding[] => {
    const asked = valueAt(device, ["ebs"]);
    if (!isRootMapping(device) || typeof asked !== "object" || asked === null) return [];
    const lost = Object.entries(asked).filter(([field, value]) => kept.get(field) !== value);
    if (lost.length === 0) return [];
    const fields = lost.map(([field, value]) => {
      const now = kept.get(field);
      return `${field} ${String(value)}${now === undefined ? "" : ` (then ${String(now)})`}`;
    });
    const name = valueAt(device, ["deviceName"]) ?? target;
    const where = name === target ? "" : `, as ${target}`;
    const message = `${describeResource(nodeClass)}: a guard replaces the root volume ${String(name)} with the policy's${where}; lost: ${fields.join(", ")}`;
    const hint = "remove the root device from the class";
    return [findingAt("root-volume-replaced", nodeClass, [...DEVICES, index], { message, hint })];
  });
}

/** See docs/decisions/0024-bounds-by-admission.md. */
function outsideBounds({ wrapper, spec }: ResolvedPool, settings: Settings): Finding[] {
  return boundPool(wrapper, spec, settings).bounds.map((bound): Finding => {
    const { field, value, by, unreadable } = bound;
    const given = bound.given ?? "nothing";
    const subject = describeResource(wrapper);
    const where = locationOf(by.resource, by.path);
    const name = field.includes("budgets") ? "budgets" : String(field.at(-1));
    if (isUnset(bound, spec)) {
      const taken = name === "terminationGracePeriod" ? "waits without a time limit" : `uses ${DEFAULTS[name]}`;
      const what = name === "budgets" ? `a budget of ${value} for Drifted` : `${name} ${value}`;
      const message = `${subject}: a guard sets ${what} (${where}); without it, Karpenter ${taken}`;
      return findingAt("default-bounded", wrapper, field, { message });
    }
    if (name !== "budgets") {
      const message = `${subject}: ${name} ${given} is beyond the bound of ${value} (${where}): a guard refuses it in a new NodePool, and sets ${value} in a stored one`;
      return findingAt("outside-bounds", wrapper, field, { message, hint: `set ${name}: ${value}, or less` });
    }
    const why =
      unreadable === undefined
        ? "allows fewer Drifted nodes than"
        : `cannot be read (${unreadable}) and counts as less than`;
    const message = `${subject}: the budget of ${given} ${why} the floor of ${value} (${where}): a guard refuses it in a new NodePool, and allows ${value} for Drifted in a stored one`;
    const hint =
      unreadable === undefined ? `allow ${value} or more, or remove Drifted from its reasons` : "correct the schedule";
    return findingAt("outside-bounds", wrapper, field, { message, hint });
  });
}

const DEFAULTS: Readonly<Record<string, string>> = { expireAfter: DEFAULT_EXPIRY, budgets: DEFAULT_BUDGET_NODES };

/** The API server sets Karpenter's defaults before a guard sees a pool, so a written default counts as not set. */
function isUnset({ field, given }: AppliedBound, { disruption }: ResolvedPool["spec"]): boolean {
  if (given === undefined) return true;
  const budgets = disruption?.budgets?.map((budget) => ({ nodes: DEFAULT_BUDGET_NODES, ...budget }));
  return field.includes("budgets")
    ? sameValue(budgets, DEFAULT_BUDGETS)
    : field.at(-1) === "expireAfter" && given === DEFAULT_EXPIRY;
}
