/** Removes from node classes the fields that this run cannot render for lack of inputs. */
import { type Fields, isFields } from "../../karpenter/conversion/plain-fields.ts";
import type { Resource } from "../../krm/resource.ts";
import type { Bundle } from "../../model/bundle.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";

/**
 * Some fields come from objects of the hosted cluster, which not every run has. Fields without inputs are not compared.
 * User data is compared only if this run has the Secret, and is never printed.
 */
export function withKnownInputs(
  kind: string,
  output: Resource,
  { spec, metadata }: KubeObject,
  { hidden }: ResolvedInputs,
  bundle: Bundle,
): { readonly from: unknown; readonly to: unknown } {
  const given = output.value["spec"];
  if (kind !== "EC2NodeClass" || !isFields(given)) return { from: given, to: spec };
  const from: Record<string, unknown> = { ...given };
  const to: Record<string, unknown> = { ...spec };
  for (const field of ["amiSelectorTerms", "subnetSelectorTerms", "securityGroupSelectorTerms"])
    if (to[field] === undefined) delete from[field];
  const isOfCluster = bundle.hostedControlPlane !== undefined || bundle.hostedClusterObject !== undefined;
  if (hidden.instanceProfile === undefined && !isOfCluster) delete from["instanceProfile"];
  // The platform's tags are added to the wrapper's, and may replace them.
  if (hidden.resourceTags === undefined && !isOfCluster && isFields(from["tags"]))
    to["tags"] = { ...(to["tags"] as Fields | undefined), ...from["tags"] };
  const userData = hidden.secrets.get(metadata.name)?.userData?.value;
  if (userData === undefined || from["userData"] === undefined || from["userData"] === userData) {
    delete from["userData"];
    delete to["userData"];
  } else to["userData"] = userData;
  return { from, to };
}
