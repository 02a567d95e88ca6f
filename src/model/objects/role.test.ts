/** The role of an object, by its group, version and kind. */
import { expect, it } from "vitest";
import { testSource } from "../../../test/support/source.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { marks } from "./marks.ts";
import { ignoredKinds, roleOf } from "./role.ts";

function role(apiVersion: string, kind: string, metadata: object = {}): string {
  const text = JSON.stringify({ apiVersion, kind, metadata: { name: "x", ...metadata } });
  const source = { file: "f", folder: "", text, explicit: true, trusted: true, config: false };
  const [resource] = parseSources([source]).value;
  const result = roleOf(resource!);
  return typeof result === "string" ? result : `!${result.code}`;
}

const OURS = "karpenter.hypershift.openshift.io";
const MARKS = marks("OpenshiftNodePool", "x");
const secret = (labels: object, annotations: object) => role("v1", "Secret", { labels, annotations });
const MANAGED = { "hypershift.openshift.io/managed-by-karpenter": "true" };
const OWNER = { "hypershift.openshift.io/nodePool": "ns/web-karpenter" };

it.each([
  [`${OURS}/v1beta1`, "AutoNodePolicy", "policy"],
  [`${OURS}/v1`, "AutoNodePolicy", "!unknown-kind"],
  [`${OURS}/v1beta1`, "OpenshiftNodePool", "node-pool"],
  [`${OURS}/v1`, "OpenshiftNodePool", "!unknown-kind"],
  [`${OURS}/v1`, "OpenshiftEC2NodeClass", "node-class"],
  [`${OURS}/v1beta1`, "OpenshiftEC2NodeClass", "node-class"],
  [`${OURS}/v1beta1`, "OpenshiftAzureNodeClass", "!provider-not-supported"],
  [`${OURS}/v1alpha1`, "OpenshiftAzureNodeClass", "!karpenter-kind-ignored"],
  [`${OURS}/v1alpha1`, "OpenshiftGCPNodeClass", "!provider-not-supported"],
  [`${OURS}/v1beta1`, "NodePool", "!unknown-kind"],
  ["hypershift.openshift.io/v1beta1", "AutoNodePolicy", "!unknown-kind"],
  ["example.com/v1", "OpenshiftNodePool", "!unknown-kind"],
  ["v1", "OpenshiftNodePool", "!unknown-kind"],
  ["anp.hypershift.openshift.io/v1alpha1", "RenderConfig", "render-config"],
  ["anp.hypershift.openshift.io/v1", "RenderConfig", "!unknown-kind"],
  ["example.com/v1", "RenderConfig", "not-ours"],
  ["hypershift.openshift.io/v1beta1", "HostedControlPlane", "hosted-control-plane"],
  ["hypershift.openshift.io/v1beta1", "HostedCluster", "hosted-cluster"],
  ["hypershift.openshift.io/v1beta1", "NodePool", "not-ours"],
  ["example.com/v1", "HostedCluster", "not-ours"],
  ["karpenter.sh/v1", "NodePool", "!raw-object"],
  ["karpenter.sh/v1beta1", "NodePool", "!raw-object"],
  ["karpenter.sh/v1", "NodeClaim", "!raw-object"],
  ["karpenter.k8s.aws/v1", "EC2NodeClass", "!raw-object"],
  ["karpenter.sh/v1", "NodeOverlay", "not-ours"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "not-ours"],
  ["example.com/v1", "NodePool", "not-ours"],
  ["v1", "ConfigMap", "not-ours"],
])("%s %s: %s", (apiVersion, kind, expected) => {
  expect(role(apiVersion, kind)).toBe(expected);
});

it.each([
  ["karpenter.sh/v1", "NodePool", "earlier-output"],
  ["karpenter.k8s.aws/v1", "EC2NodeClass", "earlier-output"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "earlier-output"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "earlier-output"],
  // anp makes none: the marks on it are forged.
  ["karpenter.sh/v1", "NodeClaim", "!raw-object"],
  [`${OURS}/v1beta1`, "AutoNodePolicy", "policy"],
  [`${OURS}/v1beta1`, "OpenshiftNodePool", "node-pool"],
  ["v1", "ConfigMap", "not-ours"],
])("%s %s with our marks: %s", (apiVersion, kind, expected) => {
  expect(role(apiVersion, kind, MARKS)).toBe(expected);
});

it.each([["labels"], ["annotations"]] as const)("a NodePool with our %s alone is raw", (field) => {
  expect(role("karpenter.sh/v1", "NodePool", { [field]: MARKS[field] })).toBe("!raw-object");
});

it("knows the Secrets with user data", () => {
  expect(secret(MANAGED, OWNER)).toBe("user-data");
  expect(secret({}, OWNER)).toBe("not-ours");
  expect(secret(MANAGED, {})).toBe("not-ours");
  expect(secret(MANAGED, { "hypershift.openshift.io/nodePool": "ns/web" })).toBe("not-ours");
  expect(secret(MANAGED, { ...OWNER, "hypershift.openshift.io/ignition-config": "true" })).toBe("not-ours");
  expect(role("example.com/v1", "Secret", { labels: MANAGED, annotations: OWNER })).toBe("not-ours");
});

it.each([
  ["karpenter.sh/v1alpha1", "NodeOverlay", ["changes prices and resources of instance types"]],
  ["autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", ["makes Karpenter keep nodes for pods that do not exist yet"]],
  [
    "autoscaling.openshift.io/v1alpha1",
    "Karpenter",
    ["makes OpenShift's operator run Karpenter in a cluster that is not hosted"],
  ],
  ["karpenter.sh/v2", "Tomorrow", ["is of a kind of karpenter.sh that anp does not know"]],
  ["karpenter.sh/v1", "NodePool", []],
  ["karpenter.sh/v1", "NodeClaim", []],
  ["autoscaling.k8s.io/v1", "VerticalPodAutoscaler", []],
  ["example.com/v1", "NodeOverlay", []],
])("%s %s", (apiVersion, kind, does) => {
  const found = ignoredKinds(
    parseSources([testSource(JSON.stringify({ apiVersion, kind, metadata: { name: "x" } }))]).value,
  );
  expect(found.map(({ message }) => message)).toStrictEqual(
    does.map((words) => `${kind} x ${words}, and anp ignores it`),
  );
});
