/** Compares the table of EBS volume types with EC2's API reference in AWS's SDK for Go. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VOLUME_TYPES } from "../../../src/karpenter/node-class/ebs-volume.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";

const field = (name: "gib" | "iops"): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(VOLUME_TYPES).flatMap(([type, limits]) =>
      limits[name] === undefined ? [] : [[type, limits[name]] as const],
    ),
  );

/** `gp3 : 3,000 - 80,000 IOPS`, `st1 and sc1 : 125 - 16,384 GiB`. */
function rangesIn(text: string): Record<string, unknown> {
  const number = (digits = ""): number => Number(digits.replaceAll(",", ""));
  const lines = text.matchAll(/\/\/ +- +(\w+)(?: and (\w+))? ?: ([\d,]+) - ([\d,]+)/g);
  return Object.fromEntries(
    [...lines].flatMap(([, one, other, from, to]) =>
      [one, other].flatMap((type) => (type === undefined ? [] : [[type, [number(from), number(to)]] as const])),
    ),
  );
}

describe("EbsBlockDevice", () => {
  const source = async (): Promise<string> => {
    const folder = await goModuleDir("github.com/aws/aws-sdk-go-v2/service/ec2", "v1.311.0");
    const text = await readFile(join(folder, "types", "types.go"), "utf8");
    return /^type EbsBlockDevice struct \{[^]*?^\}/m.exec(text)?.[0] ?? "";
  };

  test("has these sizes and IOPS", async () => {
    const text = await source();
    const sizes = text.indexOf("The size of the volume");
    expect(rangesIn(text.slice(sizes))).toStrictEqual(field("gib"));
    expect(rangesIn(text.slice(0, sizes))).toStrictEqual(field("iops"));
  });

  test("has this throughput, only for gp3", async () => {
    const text = await source();
    expect(text).toMatch(
      /valid only for gp3 volumes\.\s+\/\/\s+\/\/ Valid Range: Minimum value of 125\. Maximum value of 2,000\./,
    );
    const able = Object.entries(VOLUME_TYPES).filter(([, { throughput }]) => throughput !== undefined);
    expect(able.map(([type, { throughput }]) => [type, throughput])).toStrictEqual([["gp3", [125, 2000]]]);
  });
});
