/** Resolves the node class reference of a pool for Karpenter (docs/design.md#nodepools). */
import { findingAt, type Outcome } from "../krm/findings/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import { nearestWord } from "../krm/values/nearest-word.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";

export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Karpenter's CRD requires a reference; the type, which the wrapper shares, does not. */
export const NO_CLASS: NodeClassRef = { group: "", kind: "", name: "" };

const PATH = ["spec", "template", "spec", "nodeClassRef"];

export function resolveNodeClassRef(wrapper: Resource, given: NodeClassRef | undefined): Outcome<NodeClassRef> {
  const karpenters = (name: string): NodeClassRef => ({ group: KARPENTER_AWS_GROUP, kind: "EC2NodeClass", name });
  if (given === undefined) {
    const message = `${describeResource(wrapper)} has no nodeClassRef and gets the class \`default\``;
    return { value: karpenters("default"), findings: [findingAt("node-class-defaulted", wrapper, PATH, { message })] };
  }
  // Only the kind counts, as in HyperShift (docs/upstream/hypershift.md#openshiftnodepool).
  if (given.kind === "OpenshiftEC2NodeClass") return { value: karpenters(given.name), findings: [] };
  const ours = [KARPENTER_AWS_GROUP, HYPERSHIFT_KARPENTER_GROUP].includes(given.group);
  if (given.kind === "EC2NodeClass" || (!ours && !/^Openshift\w+NodeClass$/.test(given.kind)))
    return { value: given, findings: [] };
  const message = `${describeResource(wrapper)} refers to the kind ${given.kind}, which anp does not render`;
  const nearest = nearestWord(given.kind, ["OpenshiftEC2NodeClass", "EC2NodeClass"], 3);
  const supported = "supported are OpenshiftEC2NodeClass and EC2NodeClass (AWS)";
  const hint = nearest === undefined ? supported : `did you mean ${nearest}?`;
  return {
    value: given,
    findings: [findingAt("provider-not-supported", wrapper, [...PATH, "kind"], { message, hint })],
  };
}
