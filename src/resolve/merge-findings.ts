/** Writes the findings about label keys whose merge does not hold. */
import { type MergedKey, policyMisfit } from "../karpenter/requirements/merged-key.ts";
import type { Misfit } from "../karpenter/requirements/node-label.ts";
import { formatRequirement } from "../karpenter/requirements/requirement.ts";
import { type Finding, findingAt, type Words } from "../krm/findings/finding.ts";
import { locationOf } from "../krm/places/location.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { PoolRequirement } from "./pool-requirements.ts";
import { describeMisfit, PRESENCE_HINTS, whyWithout } from "./ineffective-entries.ts";

/** @param block whether the pool is rendered without nodes because it would bypass the policy */
export function explainMerge(
  wrapper: Resource,
  merged: MergedKey,
  group: readonly PoolRequirement[],
  block: boolean,
): Finding {
  const { resource, path } = requirementToBlame(merged, group).place;
  switch (merged.outcome as Exclude<MergedKey["outcome"], "holds">) {
    case "bypassed":
      return findingAt(
        block ? "policy-bypass-blocked" : "policy-bypassed",
        resource,
        path,
        bypassWords(wrapper, merged, group, block),
      );
    case "blocking":
    case "undecided":
      return findingAt("requirements-conflict", resource, path, conflictWords(wrapper, merged, group));
    case "drifts":
      return findingAt("drifts-forever", resource, path, driftWords(wrapper, merged, group));
    case "ignored":
      return findingAt("requirement-ignored", resource, path, ignoredWords(wrapper, merged, group));
  }
}

/**
 * The demand to report: the template label if nodes get its value; the policy's entry if it causes the misfit itself;
 * else the pool's last entry.
 */
function requirementToBlame({ misfit, policy }: MergedKey, group: readonly PoolRequirement[]): PoolRequirement {
  if (misfit?.label.from === "template") return group.find(({ from }) => from === "label")!;
  const byPolicy = misfit !== undefined && policy !== undefined && policyMisfit(policy) !== undefined;
  const blamed = group.findLast(({ from }) => (from === "policy") === byPolicy);
  return blamed ?? group.at(-1)!;
}

function bypassWords(wrapper: Resource, merged: MergedKey, group: readonly PoolRequirement[], block: boolean): Words {
  const { key, policy, misfit, presence } = merged;
  const policyEntry = `the policy's \`${formatRequirement(policy!)}\` (${placesOf(group, "policy")})`;
  const message =
    presence === "class" && misfit?.value === undefined
      ? `${describeResource(wrapper)}: ${misfit === undefined ? "nodes may" : "its nodes"} come without ${key}, but ${policyEntry} does not allow that: ${whyWithout(key)}`
      : misfit !== undefined && misfit.value !== undefined
        ? `${describeResource(wrapper)}: ${nodesGet(merged, misfit, group)}, but ${policyEntry} does not allow that`
        : `${describeResource(wrapper)}: ${userEntry(merged)} on ${key} merged with ${policyEntry} would allow nodes without the label, but the policy does not: ${whyAbsent(merged)}`;
  return {
    message: block ? `${message}; the pool is blocked and gets no new nodes` : message,
    hint:
      presence === "class"
        ? PRESENCE_HINTS.class
        : hintFor(
            misfit,
            "use values that the policy allows; a policy always holds on keys that every instance type has, such as node.kubernetes.io/instance-type",
          ),
  };
}

function whyAbsent({ presence, effective, misfit }: MergedKey): string {
  if (misfit !== undefined && effective.values.has(""))
    return "Karpenter treats an empty value as absent and omits the label";
  return `${PRESENCE_WORDS[presence]} it, and Karpenter accepts nodes without it`;
}

function conflictWords(wrapper: Resource, merged: MergedKey, group: readonly PoolRequirement[]): Words {
  const { key, policy, user, outcome } = merged;
  const pool = describeResource(wrapper);
  const message =
    policy !== undefined && user !== undefined
      ? `${pool}: \`${formatRequirement(user)}\` on ${key} has nothing in common with the policy's \`${formatRequirement(policy)}\` (${placesOf(group, "policy")})`
      : `${pool}: the entries for ${key} (${placesOf(group, "all")}) have no value in common`;
  const effect = "the pool gets no new nodes and its existing nodes drift";
  return {
    message: `${message}; ${outcome === "blocking" ? effect : `if every instance type of its provider has this label, ${effect}; if not, Karpenter ignores the entries`}`,
    hint: "use values that both allow",
  };
}

function driftWords(wrapper: Resource, merged: MergedKey, group: readonly PoolRequirement[]): Words {
  const entries = group.filter(({ from }) => from !== "label");
  const misfit = merged.misfit!;
  const effect = misfit.always
    ? "every node drifts as soon as it is registered, and so does its replacement"
    : "such a node drifts as soon as it is registered";
  const message = `${describeResource(wrapper)}: ${nodesGet(merged, misfit, group)}, but the entries for it (${placesOf(entries, "all")}) do not allow that: ${effect}`;
  return {
    message,
    hint:
      merged.presence === "class" && misfit.value === undefined
        ? "refer to a class in the placement group, or remove the entry"
        : hintFor(misfit, "set the label in the template, or list values that are not empty"),
  };
}

/** The value of the label on nodes, and the reason. */
function nodesGet({ key, effective }: MergedKey, misfit: Misfit, group: readonly PoolRequirement[]): string {
  const { label, value } = misfit;
  if (label.from === "template") {
    const source = group.find(({ from }) => from === "label")!.place.resource;
    const setBy = source.kind === "RenderConfig" ? `, which ${describeResource(source)} sets,` : "";
    return `the node label ${key}: "${value ?? ""}"${setBy} is set on every node, regardless of the requirements`;
  }
  return describeMisfit(effective, misfit);
}

function ignoredWords(
  wrapper: Resource,
  { key, presence, policy, user }: MergedKey,
  group: readonly PoolRequirement[],
): Words {
  const pool = describeResource(wrapper);
  const dropped = `${PRESENCE_WORDS[presence]} this label, so Karpenter ignores the entries and launches nodes without it`;
  return policy !== undefined && user !== undefined
    ? {
        message: `${pool}: \`${formatRequirement(user)}\` on ${key} merged with the policy's \`${formatRequirement(policy)}\` (${placesOf(group, "policy")}) allows nodes without the label: ${dropped}`,
        hint: "use values that the policy allows",
      }
    : {
        message: `${pool}: the entries for ${key} (${placesOf(group, "all")}) contradict each other: ${dropped}`,
        hint: "keep one of the entries",
      };
}

function hintFor(misfit: Misfit | undefined, otherwise: string): string {
  if (misfit?.label.from === "template")
    return "remove the label, or give it a value that all entries of its key allow";
  const isOfNumbers = misfit?.label.from === "range" || misfit?.label.from === "instance";
  return isOfNumbers ? "list the values with In" : otherwise;
}

const userEntry = ({ user }: MergedKey): string => (user === undefined ? "" : `\`${formatRequirement(user)}\``);

/** What has a label, in words. */
export const PRESENCE_WORDS: Readonly<Record<MergedKey["presence"], string>> = {
  always: "every instance type has",
  optional: "not every instance type has",
  offering: "only capacity in a reservation has",
  class: "only a class with a placementGroupSelector sets",
  unknown: "perhaps not every instance type has",
  custom: "no instance type has",
};

function placesOf(group: readonly PoolRequirement[], of: "policy" | "all"): string {
  return group
    .filter(({ from }) => of === "all" || from === "policy")
    .map(({ place }) => locationOf(place.resource, place.path))
    .join(", ");
}
