/** Tests which instance types and labels EKS Auto Mode has, and the owners of labels. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueOfTable } from "../../../scripts/build-catalogue.ts";
import { valuesOf } from "../catalogue/type-filter.ts";
import { AWS } from "./aws.ts";
import { EKS_AUTO } from "./eks-auto.ts";
import { foreignLabel, providerOf } from "./providers.ts";

const table = readFileSync(new URL("../../../data/ec2-instance-types.csv", import.meta.url), "utf8");
const all = catalogueOfTable(table);
const types = EKS_AUTO.typesOf(all)!;

describe("its instance types", () => {
  it.each([
    ["m5.large", true],
    ["t3.medium", true],
    ["t3.small", false],
    ["t2.nano", false],
    ["m3.xlarge", false],
    ["p5.48xlarge", true],
    ["c5.metal", true],
  ])("%s: %s", (name, offered) => {
    expect(all.names).toContain(name);
    expect(types.names.includes(name)).toBe(offered);
  });

  it("have the labels of EC2's types, under EKS names", () => {
    const [ours, theirs] = [types, all].map((catalogue) => catalogue.names.indexOf("g5.xlarge"));
    const ofEC2 = (name: string) => valuesOf(all, theirs!, `karpenter.k8s.aws/instance-${name}`);
    for (const name of ["family", "size", "cpu", "gpu-name", "gpu-count", "local-nvme"])
      expect(valuesOf(types, ours!, `eks.amazonaws.com/instance-${name}`)).toStrictEqual(ofEC2(name));
    expect(valuesOf(types, ours!, "eks.amazonaws.com/compute-type")).toStrictEqual(["auto"]);
    expect([...types.labels.keys()].filter((key) => key.startsWith("karpenter.k8s.aws/"))).toStrictEqual([]);
  });

  it("are created once for each catalogue, and only of EC2's", () => {
    expect(EKS_AUTO.typesOf(all)).toBe(types);
    expect(EKS_AUTO.typesOf(types)).toBe(types);
    expect(EKS_AUTO.typesOf({ ...all, labels: new Map() })).toBeUndefined();
  });
});

describe("labels of one provider", () => {
  const azure = providerOf({ group: "karpenter.azure.com" });
  it.each([
    ["karpenter.azure.com/sku-family", AWS, "remove it, or use a label of Karpenter on AWS"],
    ["eks.amazonaws.com/instance-family", AWS, "did you mean karpenter.k8s.aws/instance-family?"],
    ["karpenter.k8s.aws/instance-cpu", EKS_AUTO, "did you mean eks.amazonaws.com/instance-cpu?"],
    ["karpenter.k8s.aws/instance-cpu", azure, "remove it, or use a label of Karpenter on Azure"],
  ])("%s is foreign to another", (key, provider, hint) => {
    expect(foreignLabel(key, provider)?.hint).toBe(hint);
  });

  it.each([
    ["karpenter.k8s.aws/instance-cpu", AWS],
    ["eks.amazonaws.com/instance-cpu", EKS_AUTO],
    ["kubernetes.azure.com/mode", azure],
    ["eks.amazonaws.com/nodegroup", AWS],
    ["topology.k8s.aws/zone-id", EKS_AUTO],
    ["example.com/team", AWS],
    ["karpenter.kwok.sh/instance-family", AWS],
  ])("%s is not", (key, provider) => {
    expect(foreignLabel(key, provider)).toBeUndefined();
  });
});
