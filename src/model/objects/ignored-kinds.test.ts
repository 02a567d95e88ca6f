/** Which ignored objects of Karpenter are reported. */
import { expect, it } from "vitest";
import { testSource } from "../../../test/support/source.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { ignoredKinds } from "./ignored-kinds.ts";

it.each([
  ["karpenter.sh/v1alpha1", "NodeOverlay", ["changes prices and resources of instance types"]],
  ["autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", ["makes Karpenter keep nodes for pods that do not exist yet"]],
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
