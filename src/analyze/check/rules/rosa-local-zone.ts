/** Rule: pools on ROSA without a list of zones, or with a Local Zone. */
import { ZONE } from "../../../model/requirements/label-keys.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { Requirement } from "../../../karpenter/requirements/requirement.ts";
import { entriesOf, placeOfValue, policyEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { isUnsatisfiable } from "../../explain/explain-pool.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";

/** `us-east-1-bos-1a` and `us-east-1-wl1-bos-wlz-1`; a standard zone is its region and one letter. */
const LOCAL = /^[a-z]+(-[a-z]+)+-\d+-/;

/** ROSA supports only standard zones (docs/upstream/hypershift.md#rosa). */
export function rosaLocalZone(cluster: ExplainedCluster): Finding[] {
  const { policy } = cluster.inputs;
  const listed = policyEntries(cluster).some(({ requirement }) => isAllowList(requirement));
  const open = listed ? [] : cluster.explanations.filter(isOpen);
  const words = { hint: `list the zones: an entry for ${ZONE} with In` };
  const unlisted =
    policy.resource === undefined
      ? open.map(({ pool: { wrapper } }) => {
          const message = `${describeResource(wrapper)} lists no zones, so its nodes may land in Local Zones`;
          return findingAt("rosa-local-zone", wrapper, ["spec", "template", "spec", "requirements"], {
            ...words,
            message,
          });
        })
      : open.slice(0, 1).map(() => {
          const message = `AutoNodePolicy ${policy.resource?.name} lists no zones, so nodes may land in Local Zones`;
          const path = ["spec", "nodePoolDefaults", "requirements"];
          return findingAt("rosa-local-zone", policy.resource!, path, { ...words, message });
        });
  return [...localZones(cluster), ...unlisted];
}

function localZones(cluster: ExplainedCluster): Finding[] {
  return entriesOf(cluster).flatMap((entry) => {
    const { requirement, place } = entry;
    if (!isAllowList(requirement)) return [];
    return [...requirement.values]
      .filter((zone) => LOCAL.test(zone))
      .map((zone) => {
        const message = `${subjectOf(entry)}: ${zone} is a Local Zone`;
        const hint = "list standard zones only, such as us-east-1a";
        return findingAt("rosa-local-zone", place.resource, placeOfValue(entry, zone), { message, hint });
      });
  });
}

function isAllowList({ key, complement, values }: Requirement): boolean {
  return key === ZONE && !complement && values.size > 0;
}

/** Whether the pool lists no zones. If the catalogue knows zones, a Local Zone must also remain. */
function isOpen({ requirements, zones, obstacles }: PoolExplanation): boolean {
  const asked = requirements.find(({ key }) => key === ZONE);
  if (isUnsatisfiable({ obstacles }) || (asked !== undefined && isAllowList(asked.effective))) return false;
  const known = [...zones.allowed, ...zones.excluded];
  return known.length === 0 || zones.allowed.some((zone) => LOCAL.test(zone));
}
