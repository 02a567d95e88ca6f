/** Fields that have moved to another place or kind, and where they are now. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import type { Words } from "../../krm/findings/finding.ts";

export interface MovedField extends Words {
  readonly path: FieldPath;
  /** Only if it has this value: otherwise the field has stayed. */
  readonly value?: string;
  /** The required field in its place: if that one is missing, this one is why. */
  readonly now?: FieldPath;
}

/**
 * Fields of v1beta1 (docs/upstream/karpenter.md#nodepools-of-v1beta1).
 *
 * @param nodeClass the kind with the kubelet's settings
 * @param group of the node classes
 */
export function movedOfPool(nodeClass: string, group: string): readonly MovedField[] {
  const template = ["spec", "template", "spec"];
  return [
    {
      path: [...template, "kubelet"],
      message: `has moved to spec.kubelet of the ${nodeClass}: here it has no effect`,
      hint: "write it there; `anp migrate` moves it in manifests of v1beta1",
    },
    {
      path: ["spec", "disruption", "expireAfter"],
      message: "has moved to spec.template.spec.expireAfter: here it has no effect",
      hint: "write it there; `anp migrate` moves it in manifests of v1beta1",
    },
    {
      path: ["spec", "disruption", "consolidationPolicy"],
      value: "WhenUnderutilized",
      message: "has another name for WhenUnderutilized since v1",
      hint: "write WhenEmptyOrUnderutilized",
    },
    {
      path: [...template, "nodeClassRef", "apiVersion"],
      message: "is group since v1, without the version",
      hint: `write group: ${group} in place of apiVersion`,
      now: [...template, "nodeClassRef", "group"],
    },
  ];
}

export const MOVED_OF_POOL_WRAPPER: readonly MovedField[] = movedOfPool("OpenshiftEC2NodeClass", "karpenter.k8s.aws");

const ofHyperShift = (field: string, message: string, hint: string): MovedField => ({
  path: ["spec", field],
  message,
  hint,
});

const IMAGES = "leave it out: `anp adopt` makes wrappers of EC2NodeClasses and says what is lost";
const PROFILE = "leave it out, and give pods that need permissions a role of their own";

/** Fields that an EC2NodeClass has and its wrapper has not (docs/upstream/hypershift.md#ec2nodeclass). */
export const MOVED_OF_CLASS_WRAPPER: readonly MovedField[] = [
  ofHyperShift("amiFamily", "is a field of EC2NodeClass: HyperShift's nodes run RHCOS", IMAGES),
  ofHyperShift(
    "amiSelectorTerms",
    "is a field of EC2NodeClass: HyperShift takes the image of the hosted cluster's release",
    IMAGES,
  ),
  ofHyperShift("userData", "is a field of EC2NodeClass: HyperShift gives each node class its ignition", IMAGES),
  ofHyperShift("role", "is a field of EC2NodeClass: nodes get the hosted cluster's instance profile", PROFILE),
  ofHyperShift(
    "instanceProfile",
    "is a field of EC2NodeClass: nodes get the hosted cluster's instance profile",
    PROFILE,
  ),
  ofHyperShift(
    "associatePublicIPAddress",
    "is a field of EC2NodeClass: here it is ipAddressAssociation",
    "write ipAddressAssociation: Public for true, and SubnetDefault for false",
  ),
  ofHyperShift(
    "detailedMonitoring",
    "is a field of EC2NodeClass: here it is monitoring",
    "write monitoring: Detailed for true, and Basic for false",
  ),
];
