/** Tests which NodeOverlays are compared with pools: none of them if they are too many. */
import { expect, it } from "vitest";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { comparableOverlays } from "./node-overlays.ts";

function overlays(count: number, key: string) {
  const objects = Array.from({ length: count }, (_, index) => ({
    apiVersion: "karpenter.sh/v1alpha1",
    kind: "NodeOverlay",
    metadata: { name: `overlay-${index}` },
    spec: { requirements: [{ key, operator: "NotIn", values: ["x"] }], priceAdjustment: "-10%", weight: index + 1 },
  }));
  return parseSources([testSource(objects.map((one) => JSON.stringify(one)).join("\n---\n"))]).value;
}

const pools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `pool-${index}`, labels: { team: `team-${index % 2}` } }));

it.each([
  ["few", overlays(3, "karpenter.sh/nodepool"), pools(3), 3],
  ["many, with pools that they treat alike", overlays(40, "kubernetes.io/arch"), pools(1000), 40],
  ["many, with two kinds of pools", overlays(200, "team"), pools(1000), 200],
  ["many, with as many kinds of pools", overlays(200, "karpenter.sh/nodepool"), pools(1000), 0],
  ["more than are ever compared", overlays(600, "kubernetes.io/arch"), pools(1), 0],
])("%s", (_what, resources, given, compared) => {
  expect(comparableOverlays(resources, given).size).toBe(compared);
});
