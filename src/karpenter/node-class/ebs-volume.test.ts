/** Tests volumes that EC2 refuses: each limit of each type from both sides. */
import { describe, expect, it } from "vitest";
import { type EbsVolume, refusedVolume, VOLUME_TYPES } from "./ebs-volume.ts";

const NOTHING: EbsVolume = {
  type: undefined,
  gib: undefined,
  iops: undefined,
  throughput: undefined,
  encrypted: undefined,
  kmsKeyID: undefined,
  root: false,
};

function fields(volume: Partial<EbsVolume>): string[] {
  return refusedVolume({ ...NOTHING, ...volume }).map(({ field }) => field);
}

/** The sizes from both ends, with IOPS if the type requires them. */
it.each(Object.entries(VOLUME_TYPES))("%s has sizes, and nothing beyond them", (type, { gib: [least, most], iops }) => {
  const rest = type.startsWith("io") ? { type, iops: iops![0] } : { type };
  expect(fields({ ...rest, gib: least })).toStrictEqual([]);
  expect(fields({ ...rest, gib: most })).toStrictEqual([]);
  expect(fields({ ...rest, gib: least - 1 })).toStrictEqual(["gib"]);
  expect(fields({ ...rest, gib: most + 1 })).toStrictEqual(["gib"]);
});

describe("IOPS", () => {
  it.each([
    ["gp3", 1, 3000, []],
    ["gp3", 1, 2999, ["iops"]],
    ["gp3", 10, 5000, []],
    ["gp3", 10, 5001, ["iops"]],
    ["gp3", 1000, 80_000, []],
    ["gp3", 1000, 80_001, ["iops"]],
    ["io1", 4, 200, []],
    ["io1", 4, 201, ["iops"]],
    ["io1", 4, 99, ["iops"]],
    ["io1", 4, undefined, ["type"]],
    ["io1", 4, 0, ["type"]],
    ["io2", 256, 256_000, []],
    ["io2", 255, 256_000, ["iops"]],
    ["io2", undefined, 256_000, []],
    ["io2", undefined, 256_001, ["iops"]],
    ["gp2", 100, 300, ["iops"]],
    ["gp2", 100, 0, []],
    ["st1", 500, 100, ["iops"]],
    ["standard", 10, 100, ["iops"]],
    [undefined, 10, 100, []],
  ])("%s of %s GiB with %s", (type, gib, iops, wrong) => expect(fields({ type, gib, iops })).toStrictEqual(wrong));
});

describe("throughput", () => {
  it.each([
    ["gp3", undefined, 750, []],
    ["gp3", undefined, 751, ["throughput"]],
    ["gp3", 8000, 2000, []],
    ["gp3", 8000, 2001, ["throughput"]],
    ["gp3", 7999, 2000, ["throughput"]],
    ["gp3", 3000, 124, ["throughput"]],
    ["gp3", 3000, 0, []],
    ["gp2", undefined, 125, ["throughput"]],
    ["io2", 100, 125, ["throughput"]],
    [undefined, undefined, 5, []],
  ])("%s with %s IOPS and %s MiB/s", (type, iops, throughput, wrong) =>
    expect(fields({ type, iops, throughput })).toStrictEqual(wrong),
  );
});

it("a data-only volume type cannot be a root volume", () => {
  expect(fields({ type: "st1", gib: 500, root: true })).toStrictEqual(["type"]);
  expect(fields({ type: "sc1", gib: 500, root: true })).toStrictEqual(["type"]);
  expect(fields({ type: "standard", gib: 500, root: true })).toStrictEqual([]);
});

it("a KMS key requires an encrypted volume", () => {
  expect(fields({ kmsKeyID: "k", encrypted: false })).toStrictEqual(["kmsKeyID"]);
  expect(fields({ kmsKeyID: "k" })).toStrictEqual([]);
  expect(fields({ kmsKeyID: "k", encrypted: true })).toStrictEqual([]);
  expect(fields({ encrypted: false })).toStrictEqual([]);
});
