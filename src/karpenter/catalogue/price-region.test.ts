/** Which region the zones of pools name. */
import { expect, it } from "vitest";
import { requirementOf } from "../requirements/requirement.ts";
import { isRegionName, regionOfLabels, regionOfPools } from "./price-region.ts";

const ZONE = "topology.kubernetes.io/zone";
const REGION = "topology.kubernetes.io/region";

it.each<[key: string, value: string, region: string | undefined]>([
  [ZONE, "eu-central-1a", "eu-central-1"],
  [ZONE, "us-gov-west-1b", "us-gov-west-1"],
  [ZONE, "us-east-1-bos-1a", "us-east-1"],
  [ZONE, "us-east-1-wl1-bos-wlz-1", "us-east-1"],
  [REGION, "ap-southeast-7", "ap-southeast-7"],
  [REGION, "ap-southeast-7a", undefined],
  [ZONE, "us-central1-a", undefined],
  [ZONE, "westeurope-1", undefined],
  [ZONE, "zone-a", undefined],
  ["karpenter.k8s.aws/instance-family", "eu-central-1a", undefined],
])("%s %s: %s", (key, value, region) => {
  expect(regionOfLabels([[key, value]])).toBe(region);
});

it("lists several regions, once each", () => {
  const zones = ["us-west-2a", "eu-west-1a", "us-west-2b"].map((zone): [string, string] => [ZONE, zone]);
  expect(regionOfLabels(zones)).toBe("eu-west-1, us-west-2");
  expect(isRegionName("eu-west-1, us-west-2")).toBe(true);
});

it("takes only zones that are asked for", () => {
  const of = (operator: "In" | "NotIn") =>
    regionOfPools([{ demands: [{ requirement: requirementOf({ key: ZONE, operator, values: ["eu-west-1a"] }) }] }]);
  expect([of("In"), of("NotIn")]).toStrictEqual(["eu-west-1", undefined]);
});
