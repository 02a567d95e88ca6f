/** The table of instance types as people see it, at different widths. */
import { expect, it } from "vitest";
import type { InstanceTypeRow } from "../../analyze/list/list-instance-types.ts";
import { catalogueTable } from "./catalogue-table.ts";

const ROW: InstanceTypeRow = {
  name: "m5.large",
  arch: "amd64",
  vcpu: "2",
  memory: "8 GiB",
  price: undefined,
  spotPrice: undefined,
  accelerators: "-",
  network: "0.75 Gbps",
  disk: "-",
  cpuManufacturer: "intel",
  ebs: "4.75 Gbps",
  hypervisor: "nitro",
  allocatableCpu: "1930m",
  allocatableMemory: "6903Mi",
  pods: "29",
  capacityTypes: undefined,
  zones: undefined,
};
const LARGE: InstanceTypeRow = {
  ...ROW,
  name: "p5.48xlarge",
  vcpu: "192",
  memory: "2048 GiB",
  accelerators: "8 nvidia h100",
  network: "3200 Gbps",
  disk: "30400 GB",
};

const table = (rows: readonly InstanceTypeRow[], options: { wide?: boolean; width?: number } = {}): string[] =>
  catalogueTable(rows, { wide: false, width: 100, ...options }).split("\n");

it("aligns names to the left and numbers to the right", () => {
  expect(table([ROW, LARGE])).toStrictEqual([
    "NAME          ARCH    VCPU     MEMORY     NETWORK       DISK   ACCELERATORS",
    "m5.large      amd64      2      8 GiB   0.75 Gbps          -   -",
    "p5.48xlarge   amd64    192   2048 GiB   3200 Gbps   30400 GB   8 nvidia h100",
    "",
  ]);
});

it("leaves out the disk, then the network, if they do not fit", () => {
  expect(table([ROW, LARGE], { width: 70 })[0]).toBe(
    "NAME          ARCH    VCPU     MEMORY     NETWORK   ACCELERATORS",
  );
  expect(table([ROW, LARGE], { width: 40 })[0]).toBe("NAME          ARCH    VCPU     MEMORY   ACCELERATORS");
});

it("shows all columns with wide, on any terminal", () => {
  expect(table([ROW], { wide: true, width: 40 })).toStrictEqual([
    "NAME       ARCH    VCPU   MEMORY     NETWORK   DISK   ACCELERATORS   CPU           EBS   HYPERVISOR   ALLOC-CPU   ALLOC-MEMORY   PODS",
    "m5.large   amd64      2    8 GiB   0.75 Gbps      -   -              intel   4.75 Gbps   nitro            1930m         6903Mi     29",
    "",
  ]);
});

it("prints nothing without rows, and no escape sequences of a user's catalogue", () => {
  expect(catalogueTable([], { wide: false, width: 100 })).toBe("");
  expect(table([{ ...ROW, name: "a\u001b[31m" }])[1]).toContain("a\u{fffd}[31m");
});
