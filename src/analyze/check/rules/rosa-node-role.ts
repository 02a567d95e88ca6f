/** Rule: node roles that ROSA's admission policies refuse. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { ownEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

const REFUSED = ["master", "infra", "control-plane"].map((role) => `node-role.kubernetes.io/${role}`);

/** See docs/upstream/hypershift.md#rosa. */
export function rosaNodeRole({ pools }: ExplainedCluster): Finding[] {
  return pools
    .flatMap(ownEntries)
    .filter(({ from, requirement: { key } }) => from === "label" && REFUSED.includes(key))
    .map((entry) => {
      const message = `${subjectOf(entry)}: ROSA's admission policies refuse the node label ${entry.requirement.key}`;
      const hint = "use a label of your own domain, such as example.com/role";
      return findingAt("rosa-node-role", entry.place.resource, entry.place.path, { message, hint });
    });
}
