/** What is said of a label key whose merge is not as somebody asked. */
import { type MergedKey, policyMisfit } from "../karpenter/requirements/merged-key.ts";
import type { Misfit } from "../karpenter/requirements/node-label.ts";
import { formatRequirement, type Requirement } from "../karpenter/requirements/requirement.ts";
import { type Finding, findingAt, type Words } from "../krm/finding.ts";
import { locationOf } from "../krm/location.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import type { Demand } from "./demands.ts";

/** @param block whether the pool is rendered without nodes, where it would get round the policy */
export function explainMerge(wrapper: Resource, merged: MergedKey, group: readonly Demand[], block: boolean): Finding {
  const { resource, path } = demandToBlame(merged, group).place;
  switch (merged.outcome as Exclude<MergedKey["outcome"], "holds">) {
    case "bypassed":
      return findingAt(
        block ? "policy-bypass-blocked" : "policy-bypassed",
        resource,
        path,
        bypassWords(wrapper, merged, group, block),
      );
    case "blocking":
      return findingAt("requirements-conflict", resource, path, conflictWords(wrapper, merged, group));
    case "drifts":
      return findingAt("drifts-forever", resource, path, driftWords(wrapper, merged, group));
    case "ignored":
      return findingAt("requirement-ignored", resource, path, ignoredWords(wrapper, merged, group));
  }
}

/** The label where it is what nodes get; the policy's entry where no pool has a part in it; else the pool's last entry. */
function demandToBlame({ misfit, policy }: MergedKey, group: readonly Demand[]): Demand {
  if (misfit?.label.from === "template") return group.find(({ from }) => from === "label")!;
  const byPolicy = misfit !== undefined && policy !== undefined && policyMisfit(policy) !== undefined;
  const blamed = group.findLast(({ from }) => (from === "policy") === byPolicy);
  return blamed ?? group.at(-1)!;
}

function bypassWords(wrapper: Resource, merged: MergedKey, group: readonly Demand[], block: boolean): Words {
  const { key, policy, misfit } = merged;
  const says = `the policy's \`${formatRequirement(policy!)}\` (${placesOf(group, "policy")})`;
  const message =
    misfit !== undefined && misfit.value !== undefined
      ? `${describeResource(wrapper)}: ${nodesGet(merged, misfit, group)}, and ${says} does not admit that`
      : `${describeResource(wrapper)}: ${userSays(merged)} on ${key} together with ${says} would admit nodes without the label, which the policy does not: ${whatIsWithout(merged)}`;
  return {
    message: block ? `${message}; the pool is blocked and gets no new nodes` : message,
    hint: hintFor(
      misfit,
      "ask for values that the policy allows; the policy holds without exception on keys that every instance type has, such as node.kubernetes.io/instance-type",
    ),
  };
}

function whatIsWithout({ presence, effective, misfit }: MergedKey): string {
  if (misfit !== undefined && effective.values.has(""))
    return "Karpenter takes an empty value for none and leaves the label out";
  return `${whoHas(presence)} it, and Karpenter lets such nodes pass`;
}

function conflictWords(wrapper: Resource, { key, policy, user }: MergedKey, group: readonly Demand[]): Words {
  const pool = describeResource(wrapper);
  const message =
    policy !== undefined && user !== undefined
      ? `${pool}: \`${formatRequirement(user)}\` on ${key} has nothing in common with the policy's \`${formatRequirement(policy)}\` (${placesOf(group, "policy")})`
      : `${pool}: the entries for ${key} (${placesOf(group, "everybody")}) have no value in common`;
  return {
    message: `${message}; the pool gets no new nodes and its existing nodes drift`,
    hint: "ask for values that both allow",
  };
}

function driftWords(wrapper: Resource, merged: MergedKey, group: readonly Demand[]): Words {
  const entries = group.filter(({ from }) => from !== "label");
  const misfit = merged.misfit!;
  const who = misfit.always
    ? "every node drifts as soon as it is up, and so does the one that replaces it"
    : "such a node drifts as soon as it is up";
  const message = `${describeResource(wrapper)}: ${nodesGet(merged, misfit, group)}, and the entries for it (${placesOf(entries, "everybody")}) do not admit that: ${who}`;
  return {
    message,
    hint: hintFor(misfit, "give the label a value in the template, or list values that are not empty"),
  };
}

/** What becomes of the label on nodes, and why. */
function nodesGet({ key, effective }: MergedKey, misfit: Misfit, group: readonly Demand[]): string {
  const { label, value } = misfit;
  if (label.from === "template") {
    const source = group.find(({ from }) => from === "label")!.place.resource;
    const whose = source.kind === "RenderConfig" ? `, which ${describeResource(source)} sets,` : "";
    return `the node label ${key}: "${value ?? ""}"${whose} stays on every node, whatever the requirements come to`;
  }
  return describeMisfit(effective, misfit);
}

/** What Karpenter makes of a label that no template has, and why. */
export function describeMisfit(merged: Requirement, { value, always }: Misfit): string {
  if (value === undefined)
    return `${always ? "nodes" : "some nodes"} come without ${merged.key}, because Karpenter takes an empty value for none`;
  return `Karpenter makes up a number for ${merged.key} within \`${formatRequirement(merged)}\` and does not look at what is excluded, so ${always ? "nodes get" : "some nodes get"} ${value}`;
}

function ignoredWords(wrapper: Resource, { key, presence, policy, user }: MergedKey, group: readonly Demand[]): Words {
  const pool = describeResource(wrapper);
  const passedBy = `${whoHas(presence)} this label, so Karpenter passes the entries by and launches nodes without it`;
  return policy !== undefined && user !== undefined
    ? {
        message: `${pool}: \`${formatRequirement(user)}\` on ${key} together with the policy's \`${formatRequirement(policy)}\` (${placesOf(group, "policy")}) admits nodes without the label: ${passedBy}`,
        hint: "ask for values that the policy allows",
      }
    : {
        message: `${pool}: the entries for ${key} (${placesOf(group, "everybody")}) contradict each other: ${passedBy}`,
        hint: "keep one of the entries",
      };
}

function hintFor(misfit: Misfit | undefined, otherwise: string): string {
  if (misfit?.label.from === "template")
    return "take the label out, or give it a value that all entries of its key admit";
  return misfit?.label.from === "range" ? "list the values with In" : otherwise;
}

const userSays = ({ user }: MergedKey): string => (user === undefined ? "" : `\`${formatRequirement(user)}\``);

const whoHas = (presence: MergedKey["presence"]): string =>
  presence === "custom" ? "no instance type has" : "not every instance type has";

function placesOf(group: readonly Demand[], whose: "policy" | "everybody"): string {
  return group
    .filter(({ from }) => whose === "everybody" || from === "policy")
    .map(({ place }) => locationOf(place.resource, place.path))
    .join(", ");
}
