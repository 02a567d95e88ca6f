/** Rule: settings in a wrapper named `default`, which HyperShift's operator overwrites. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { sameValue } from "../../../krm/values/canonical.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf, PROVIDED_CLASS } from "../checked-classes.ts";

/** The only fields of the operator's class: subnets and security groups of the hosted cluster. */
const PROVIDED_FIELDS: readonly string[] = ["subnetSelectorTerms", "securityGroupSelectorTerms"];

/** HyperShift's operator writes this class in every reconcile loop (docs/upstream/hypershift.md#the-default-class). */
export function nodeClassOverwritten(cluster: ExplainedCluster): Finding[] {
  const infraID = cluster.inputs.hidden.infraID?.value;
  return nodeClassesOf(cluster).flatMap(({ wrapper, spec }) => {
    if (wrapper.name !== PROVIDED_CLASS) return [];
    const own = Object.entries(spec)
      .filter(([field, value]) => !PROVIDED_FIELDS.includes(field) || !isProvided(field, value, infraID))
      .map(([field]) => field);
    const [first] = own;
    if (first === undefined) return [];
    const message = `${describeResource(wrapper)}: HyperShift's operator overwrites this class, so ${own.join(", ")} will be lost`;
    const hint = "give the class another name, and refer to that in the pools";
    return [findingAt("node-class-overwritten", wrapper, ["spec", first], { message, hint })];
  });
}

/** @param infraID undefined accepts any id */
function isProvided(field: string, value: unknown, infraID: string | undefined): boolean {
  const [term, ...more] = value as { readonly tags?: Readonly<Record<string, string>> }[];
  const { tags = {}, ...others } = term ?? {};
  if (more.length > 0 || Object.keys(others).length > 0) return false;
  const ofSubnets = field === "subnetSelectorTerms";
  const written = ofSubnets ? Object.keys(tags).find((key) => key.startsWith(CLUSTER)) : tags[DISCOVERY];
  const id = infraID ?? (ofSubnets ? written?.slice(CLUSTER.length) : written) ?? "";
  if (id === "" || id.includes("/")) return false;
  return sameValue(
    tags,
    ofSubnets ? { [CLUSTER + id]: "*", "kubernetes.io/role/internal-elb": "1" } : { [DISCOVERY]: id },
  );
}

const CLUSTER = "kubernetes.io/cluster/";
const DISCOVERY = "karpenter.sh/discovery";
