/** The node class of a pool: what the wrapper refers to in, what Karpenter must be told out (DESIGN.md 3.2). */
import { findingAt, type Outcome } from "../krm/finding.ts";
import { KARPENTER_AWS_GROUP } from "../krm/known-kinds.ts";
import { describeResource, type Resource } from "../krm/resource.ts";

export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

const PATH = ["spec", "template", "spec", "nodeClassRef"];

export function resolveNodeClassRef(wrapper: Resource, given: NodeClassRef | undefined): Outcome<NodeClassRef> {
  const karpenters = (name: string): NodeClassRef => ({ group: KARPENTER_AWS_GROUP, kind: "EC2NodeClass", name });
  if (given === undefined) {
    const message = `${describeResource(wrapper)} names no node class and gets the class \`default\``;
    return { value: karpenters("default"), findings: [findingAt("node-class-defaulted", wrapper, PATH, { message })] };
  }
  // Only the kind is looked at, as HyperShift does it (hypershift.md 4).
  if (given.kind === "OpenshiftEC2NodeClass") return { value: karpenters(given.name), findings: [] };
  if (!/^Openshift\w+NodeClass$/.test(given.kind)) return { value: given, findings: [] };
  const message = `${describeResource(wrapper)} refers to ${given.kind}, another provider's wrapper`;
  const hint = "not supported yet: only OpenshiftEC2NodeClass and EC2NodeClass (AWS)";
  return {
    value: given,
    findings: [findingAt("provider-not-supported", wrapper, [...PATH, "kind"], { message, hint })],
  };
}
