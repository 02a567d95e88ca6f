/** Tests node resources against the numbers that OpenShift's fork of the provider returns. */
import { expect, it } from "vitest";
import { catalogueOf, type InstanceType } from "../catalogue/catalogue-of.ts";
import { systemReservedGiB, systemReservedMillicores, typesOfProfile } from "./node-resources.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import { requirementOf } from "../requirements/requirement.ts";

/** Computed with the fork's openShiftSystemReservedCPU, by vCPUs. */
it.each([
  [1, 500],
  [2, 500],
  [38, 500],
  [39, 520],
  [40, 530],
  [43, 560],
  [48, 620],
  [64, 820],
  [96, 1200],
  [128, 1580],
  [192, 2350],
  [224, 2740],
  [448, 5420],
  [896, 10_800],
])("%d vCPUs reserve %dm", (vcpus, millicores) => {
  expect(systemReservedMillicores(vcpus)).toBe(millicores);
});

/** Computed with the fork's openShiftSystemReservedMemory: the steps up to 209 GiB, and large nodes. */
it.each([
  [0, 1],
  [8, 1],
  [16, 1],
  [17, 2],
  [32, 2],
  [33, 3],
  [49, 3],
  [50, 4],
  [66, 4],
  [67, 5],
  [82, 5],
  [83, 6],
  [99, 6],
  [100, 7],
  [116, 7],
  [117, 8],
  [128, 8],
  [129, 8],
  [158, 8],
  [159, 9],
  [208, 9],
  [209, 10],
  [768, 21],
  [24_576, 497],
  [32_758, 660],
  [32_759, 661],
])("%d GiB reserve %d", (gib, reserved) => {
  expect([systemReservedGiB(gib * 1024), systemReservedGiB(gib * 1024 + 1023)]).toStrictEqual([reserved, reserved]);
});

const label = (key: string, value: string | undefined) =>
  value === undefined ? [] : [[key, requirementOf({ key, operator: "In", values: [value] })] as const];

function type(name: string, vcpus?: string, mebibytes?: string, arch = "amd64"): InstanceType {
  return {
    name,
    labels: new Map([
      ...label("kubernetes.io/arch", arch),
      ...label("karpenter.k8s.aws/instance-cpu", vcpus),
      ...label("karpenter.k8s.aws/instance-memory", mebibytes),
    ]),
    offerings: [],
    allocatable: { cpu: "1", "ephemeral-storage": "17Gi", memory: "1Mi", pods: "8", "nvidia.com/gpu": "4" },
  };
}

const catalogue = catalogueOf({ source: "a test", date: "2026-11", ...AWS_LABELS }, [
  type("a-small", "1", "512"),
  type("b-m6i.xlarge", "4", "16384"),
  type("c-m6g.xlarge", "4", "16384", "arm64"),
  type("d-m6i.32xlarge", "128", "524288"),
  type("e-unknown"),
  type("f-not-a-number", "many", "16384"),
]);

it("counts 250 pods and OpenShift's reserves, and takes the rest from the catalogue", () => {
  const { allocatable, ...rest } = typesOfProfile(catalogue, "hypershift");
  expect(Object.fromEntries(allocatable)).toStrictEqual({
    cpu: ["500m", "3500m", "3500m", "126420m", "1", "1"],
    "ephemeral-storage": Array(6).fill("17Gi"),
    // Of 473, 15,155, 15,096 and 484,966 MiB.
    memory: ["-651Mi", "14031Mi", "13972Mi", "469506Mi", "1Mi", "1Mi"],
    "nvidia.com/gpu": Array(6).fill("4"),
    pods: ["250", "250", "250", "250", "8", "8"],
  });
  const { allocatable: _, ...given } = catalogue;
  expect(rest).toStrictEqual(given);
});

it("leaves other profiles and catalogues of other providers unchanged, and computes once", () => {
  expect(typesOfProfile(catalogue, "karpenter-1.15")).toBe(catalogue);
  expect(typesOfProfile(catalogue, "hypershift")).toBe(typesOfProfile(catalogue, "hypershift"));
  const foreign = catalogueOf({ source: "a test", date: "2026-11", ...AWS_LABELS }, [type("rack-1")]);
  expect(typesOfProfile(foreign, "hypershift")).toBe(foreign);
});
