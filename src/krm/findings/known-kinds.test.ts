/** Which apiVersion and kind look like a misspelling of one of ours, and the hint for it. */
import { describe, expect, it } from "vitest";
import { suspectKind } from "./known-kinds.ts";

const GROUP = "karpenter.hypershift.openshift.io";
const ANP = "anp.hypershift.openshift.io";
const KINDS = "kinds of this group: AutoNodePolicy, OpenshiftNodePool, OpenshiftEC2NodeClass";

describe("suspectKind", () => {
  it.each<[apiVersion: unknown, kind: unknown]>([
    [`${GROUP}/v1beta1`, "AutoNodePolicy"],
    [`${GROUP}/v1beta1`, "OpenshiftNodePool"],
    [`${GROUP}/v1`, "OpenshiftEC2NodeClass"],
    [`${GROUP}/v1beta1`, "OpenshiftEC2NodeClass"],
    [`${ANP}/v1alpha1`, "RenderConfig"],
    [`${ANP}/v1alpha1`, "WatchConfig"],
    ["v1", "Secret"],
    ["v1", "toString"],
    ["example.com/v1", "RenderConfig"],
    ["karpenter.sh/v1", "NodePool"],
    ["karpenter.k8s.aws/v1", "EC2NodeClass"],
    ["hypershift.openshift.io/v1beta1", "NodePool"],
    ["hypershift.openshift.io/v1beta1", "HostedCluster"],
    [undefined, undefined],
    ["", ""],
    [1, []],
    [{}, null],
    [undefined, "constructor"],
    [undefined, "__proto__"],
  ])("accepts %j %j", (apiVersion, kind) => {
    expect(suspectKind(apiVersion, kind)).toBeUndefined();
  });

  it.each<[apiVersion: unknown, kind: unknown, message: string, hint: string]>([
    [`${GROUP}/v1beta1`, undefined, `has the apiVersion \`${GROUP}/v1beta1\` and no kind`, KINDS],
    [`${GROUP}/v1beta1`, "", `has the apiVersion \`${GROUP}/v1beta1\` and no kind`, KINDS],
    [`${GROUP}/v1beta1`, 1, `has the apiVersion \`${GROUP}/v1beta1\` and no kind`, KINDS],
    [
      `${ANP}/v1alpha1`,
      null,
      `has the apiVersion \`${ANP}/v1alpha1\` and no kind`,
      "kinds of this group: RenderConfig, WatchConfig",
    ],
    [
      `${GROUP}/v1beta1`,
      "AutoNodePolcy",
      `has the kind \`AutoNodePolcy\`, which is none of ${GROUP} that anp knows`,
      "did you mean AutoNodePolicy?",
    ],
    [
      `${GROUP}/v1beta1`,
      "openshiftnodepool",
      `has the kind \`openshiftnodepool\`, which is none of ${GROUP} that anp knows`,
      "did you mean OpenshiftNodePool?",
    ],
    [`${GROUP}/v1beta1`, "Banana", `has the kind \`Banana\`, which is none of ${GROUP} that anp knows`, KINDS],
    [
      `${GROUP}/v1beta1`,
      "constructor",
      `has the kind \`constructor\`, which is none of ${GROUP} that anp knows`,
      KINDS,
    ],
    [`${GROUP}/v1beta1`, "__proto__", `has the kind \`__proto__\`, which is none of ${GROUP} that anp knows`, KINDS],
    [
      `${GROUP}/v1beta1`,
      "RenderConfig",
      `has the kind \`RenderConfig\`, which is none of ${GROUP} that anp knows`,
      KINDS,
    ],
    [
      `${GROUP}/v2`,
      "AutoNodePolicy",
      "has the version `v2`, which anp does not know",
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      `${GROUP}/v1`,
      "OpenshiftNodePool",
      "has the version `v1`, which anp does not know",
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      `${GROUP}/v1alpha1`,
      "OpenshiftEC2NodeClass",
      "has the version `v1alpha1`, which anp does not know",
      `write apiVersion: ${GROUP}/v1`,
    ],
    [
      `${GROUP}/v1beta1/x`,
      "AutoNodePolicy",
      "has the version `v1beta1/x`, which anp does not know",
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [GROUP, "AutoNodePolicy", "has no version in its apiVersion", `write apiVersion: ${GROUP}/v1beta1`],
    [
      "v1",
      "AutoNodePolicy",
      "has the API group `v1`, so it would not be read as a rule or wrapper",
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      undefined,
      "OpenshiftNodePool",
      "has no API group, so it would not be read as a rule or wrapper",
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      ["x"],
      "OpenshiftEC2NodeClass",
      "has no API group, so it would not be read as a rule or wrapper",
      `write apiVersion: ${GROUP}/v1`,
    ],
    [
      "karpenter.sh/v1",
      "AutoNodePolicy",
      "has the API group `karpenter.sh`, so it would not be read as a rule or wrapper",
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      `${ANP}/v1alpha1`,
      "AutoNodePolicy",
      `has the API group \`${ANP}\`, so it would not be read as a rule or wrapper`,
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      "karpenter.hypershift.openshift.oi/v1beta1",
      "Whatever",
      `has the API group \`karpenter.hypershift.openshift.oi\`, which looks like \`${GROUP}\``,
      `write apiVersion: ${GROUP}/v1beta1`,
    ],
    [
      "Karpenter.Hypershift.openshift.io/v1",
      undefined,
      `has the API group \`Karpenter.Hypershift.openshift.io\`, which looks like \`${GROUP}\``,
      `write apiVersion: ${GROUP}/v1`,
    ],
    [
      "anp.hypershift.openshft.io/v1alpha1",
      "RenderConfig",
      `has the API group \`anp.hypershift.openshft.io\`, which looks like \`${ANP}\``,
      `write apiVersion: ${ANP}/v1alpha1`,
    ],
  ])("%j %j", (apiVersion, kind, message, hint) => {
    expect(suspectKind(apiVersion, kind)).toStrictEqual({ message, hint });
  });
});
