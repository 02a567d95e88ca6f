/** Policy entries before the user's, unmerged, with what each label key comes to; a way round the policy is refused (DESIGN.md 3.2). */
import { type Finding, findingAt, type Outcome, type Words } from "../krm/finding.ts";
import type { FieldPath } from "../krm/field-path.ts";
import { locationOf } from "../krm/location.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { type KnownLabels, labelPresence } from "../karpenter/label-presence.ts";
import { canInventValue } from "../karpenter/invented-value.ts";
import { type MergedKey, mergeKey } from "../karpenter/merged-key.ts";
import { formatRequirement } from "../karpenter/requirement.ts";
import { MAX_REQUIREMENTS, type NodeSelectorRequirement } from "../model/requirement.ts";
import { type Demand, demandsOf } from "./demands.ts";
import type { Origin } from "./origin.ts";
import type { RenderContext } from "./render-context.ts";

export interface MergedRequirements {
  readonly entries: readonly NodeSelectorRequirement[];
  readonly origins: readonly Origin[];
}

const OUTPUT: FieldPath = ["spec", "template", "spec", "requirements"];

/** Every instance type has the label and none has this value: the pool gets no nodes (karpenter.md 8 #1). */
export const BLOCKER: NodeSelectorRequirement = {
  key: "node.kubernetes.io/instance-type",
  operator: "In",
  values: ["blocked-by-autonodepolicy"],
};

/** @param labels the template labels of the pool: each counts as `In [value]` (karpenter.md 1.5) */
export function mergeRequirements(
  wrapper: Resource,
  own: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
  { policy, settings }: RenderContext,
): Outcome<MergedRequirements> {
  const findings: Finding[] = [];
  const entries = [...policy.requirements, ...own];
  const demands = demandsOf(wrapper, own, labels, policy);
  let blocked = false;
  for (const [key, group] of Map.groupBy(demands, (demand) => demand.requirement.key)) {
    const merged = mergeDemands(key, group);
    if (labelPresence(key) === "custom" && !canInventValue(merged.effective))
      findings.push(lethal(wrapper, merged, group));
    if (merged.outcome === "holds") continue;
    const block = merged.outcome === "bypassed" && settings.onBypass === "Block";
    blocked ||= block;
    findings.push(explain(wrapper, merged, group, block));
  }
  if (blocked) entries.push(BLOCKER);
  const origins = entries.map((entry, index): Origin => ({
    output: [...OUTPUT, index],
    input: entry === BLOCKER ? undefined : demands[index]?.place,
  }));
  if (entries.length + Object.keys(labels).length > MAX_REQUIREMENTS)
    findings.push(tooMany(wrapper, entries.length, labels));
  return { value: { entries, origins }, findings };
}

/** The merge of one key, with the demands' sides told apart: template labels are the user's. */
export function mergeDemands(key: string, group: readonly Demand[], known?: KnownLabels): MergedKey {
  const requirements = (demands: readonly Demand[]) => demands.map(({ requirement }) => requirement);
  const policy = group.filter(({ from }) => from === "policy");
  const user = group.filter(({ from }) => from !== "policy");
  return mergeKey(key, requirements(policy), requirements(user), known);
}

function explain(wrapper: Resource, merged: MergedKey, group: readonly Demand[], block: boolean): Finding {
  const users = group.filter((demand) => demand.from !== "policy");
  const { resource, path } = (users.at(-1) ?? group.at(-1)!).place;
  const words = wordsFor(wrapper, merged, group, block);
  const code = (
    {
      bypassed: block ? "policy-bypass-blocked" : "policy-bypassed",
      blocking: "requirements-conflict",
      ignored: "requirement-ignored",
    } as const
  )[merged.outcome as "bypassed" | "blocking" | "ignored"];
  return findingAt(code, resource, path, words);
}

function wordsFor(
  wrapper: Resource,
  { key, policy, user, outcome }: MergedKey,
  group: readonly Demand[],
  block: boolean,
): Words {
  const pool = describeResource(wrapper);
  const kind = labelPresence(key) === "custom" ? "no instance type has" : "not every instance type has";
  const policySays =
    policy === undefined ? "" : `the policy's \`${formatRequirement(policy)}\` (${placesOf(group, "policy")})`;
  const userSays = user === undefined ? "" : `\`${formatRequirement(user)}\``;
  if (outcome === "bypassed") {
    const message = `${pool}: ${userSays} on ${key} together with ${policySays} would admit nodes without the label, which the policy does not: ${kind} it, and Karpenter lets such nodes pass`;
    return {
      message: block ? `${message}; the pool is blocked and gets no new nodes` : message,
      hint: "ask for values that the policy allows; the policy holds without exception on keys that every instance type has, such as node.kubernetes.io/instance-type",
    };
  }
  if (outcome === "blocking") {
    const message =
      policy !== undefined && user !== undefined
        ? `${pool}: ${userSays} on ${key} has nothing in common with ${policySays}`
        : `${pool}: the entries for ${key} (${placesOf(group, "everybody")}) have no value in common`;
    return {
      message: `${message}; the pool gets no new nodes and its existing nodes drift`,
      hint: "ask for values that both allow",
    };
  }
  const passedBy = `${kind} this label, so Karpenter passes the entries by and launches nodes without it`;
  return policy !== undefined && user !== undefined
    ? {
        message: `${pool}: ${userSays} on ${key} together with ${policySays} admits nodes without the label: ${passedBy}`,
        hint: "ask for values that the policy allows",
      }
    : {
        message: `${pool}: the entries for ${key} (${placesOf(group, "everybody")}) contradict each other: ${passedBy}`,
        hint: "keep one of the entries",
      };
}

function placesOf(group: readonly Demand[], whose: "policy" | "everybody"): string {
  return group
    .filter(({ from }) => whose === "everybody" || from === "policy")
    .map(({ place }) => locationOf(place.resource, place.path))
    .join(", ");
}

/** Whoever may write a pool could stop the autoscaling of the whole cluster. */
function lethal(wrapper: Resource, { key, effective }: MergedKey, group: readonly Demand[]): Finding {
  const { resource, path } = (group.findLast(({ from }) => from !== "policy") ?? group.at(-1)!).place;
  const message = `${describeResource(wrapper)}: \`${formatRequirement(effective)}\` on ${key} ends Karpenter: it makes up a number for a label that no instance type has, finds none, and panics at each start`;
  const hint = "list the values with In, or leave a range above 0 and below 9223372036854775807";
  return findingAt("requirement-crashes-karpenter", resource, path, { message, hint });
}

function tooMany(wrapper: Resource, entries: number, labels: Readonly<Record<string, string>>): Finding {
  const count = Object.keys(labels).length;
  const message = `${describeResource(wrapper)}: ${entries} requirements (policy and pool together) and ${count} node label${count === 1 ? "" : "s"} are more than the ${MAX_REQUIREMENTS} entries that a NodeClaim can hold`;
  return findingAt("requirements-limit", wrapper, OUTPUT, { message, hint: "join entries of one key, or drop some" });
}
