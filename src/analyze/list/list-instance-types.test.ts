/** The order of instance types and the words of their rows. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { catalogueOfTable } from "../../../scripts/build-catalogue.ts";
import { catalogueOf } from "../../karpenter/catalogue/catalogue-of.ts";
import { AWS_LABELS } from "../../karpenter/requirements/label-presence.ts";
import { maskOf } from "../../karpenter/catalogue/type-mask.ts";
import { listInstanceTypes } from "./list-instance-types.ts";

const catalogue = catalogueOfTable(
  readFileSync(new URL("../../../data/ec2-instance-types.csv", import.meta.url), "utf8"),
);

const rowsOf = (...names: string[]) =>
  listInstanceTypes(
    catalogue,
    maskOf(catalogue.names.length, (type) => names.includes(catalogue.names[type]!)),
  );

it("sorts from small to large, with metal after types of the same size", () => {
  const names = ["c5.12xlarge", "c5.24xlarge", "c5.2xlarge", "c5.large", "c5.metal", "c5.xlarge"];
  expect(rowsOf(...names).map(({ name }) => name)).toStrictEqual([
    "c5.large",
    "c5.xlarge",
    "c5.2xlarge",
    "c5.12xlarge",
    "c5.24xlarge",
    "c5.metal",
  ]);
});

it("keeps families together, numbers as numbers", () => {
  const types = ["m10.large", "m5.large", "m5.xlarge", "m5a.large"].map((name) => ({
    name,
    labels: new Map([
      ["karpenter.k8s.aws/instance-family", label("karpenter.k8s.aws/instance-family", name.split(".")[0]!)],
      ["karpenter.k8s.aws/instance-cpu", label("karpenter.k8s.aws/instance-cpu", name.endsWith("x") ? "4" : "2")],
    ]),
    offerings: [],
    allocatable: {},
  }));
  const made = catalogueOf({ source: "", date: "", ...AWS_LABELS }, types);
  expect(
    listInstanceTypes(
      made,
      maskOf(4, () => true),
    ).map(({ name }) => name),
  ).toStrictEqual(["m5.large", "m5.xlarge", "m5a.large", "m10.large"]);
});

function label(key: string, value: string) {
  return { key, complement: false, values: new Set([value]) };
}

it.each([
  [
    "p5.48xlarge",
    { vcpu: "192", memory: "2048 GiB", network: "3200 Gbps", disk: "30400 GB", accelerators: "8 nvidia h100" },
  ],
  ["c1.medium", { memory: "1.7 GiB", network: "-", disk: "-", accelerators: "-", ebs: "-", hypervisor: "xen" }],
  ["t3.nano", { memory: "0.5 GiB" }],
  ["trn2.48xlarge", { accelerators: "16 aws trainium2", hypervisor: "nitro" }],
  ["dl2q.24xlarge", { accelerators: "8 qualcomm-ai100" }],
  ["g6f.large", { accelerators: "0 nvidia l4" }],
  ["m5.metal", { hypervisor: "-", allocatableCpu: "95690m", allocatableMemory: "355262Mi", pods: "737" }],
  ["m5.large", { arch: "amd64", cpuManufacturer: "intel", zones: undefined, capacityTypes: undefined }],
])("%s", (name, expected) => {
  expect(rowsOf(name)).toMatchObject([{ name, ...expected }]);
});
