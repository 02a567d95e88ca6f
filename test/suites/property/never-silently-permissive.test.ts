/**
 * Tests law 1: for any mistake in the policy, the input is refused, or a finding reports that the policy has changed.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { FILE_SLIPS } from "../../support/property/file-slips.ts";
import { keySlips } from "../../support/property/key-slips.ts";
import { codes, CONTROL_PLANE, renderFiles, type Result, WRAPPERS } from "../../support/property/slip-run.ts";
import { type Files, POLICY, POLICY_FILE, type Slip } from "../../support/property/slips.ts";
import { HEAD_SLIPS, ROOT_VOLUME_SLIPS, SPEC_SLIPS } from "../../support/property/text-slips.ts";

const ROOT_VOLUME_ONLY = POLICY.replace(/ {2}nodePoolDefaults:[^]*(?= {2}ec2)/, "");

interface Surroundings {
  readonly what: string;
  readonly files: readonly (readonly [string, string])[];
  /** The findings without a policy. */
  readonly absent: string;
  /** What the rendered objects contain while the policy is enforced. */
  readonly enforced: readonly string[];
  readonly slips: readonly Slip[];
}

const SURROUNDINGS: readonly Surroundings[] = [
  {
    what: "beside a HostedControlPlane",
    files: [[POLICY_FILE, POLICY], CONTROL_PLANE, ...WRAPPERS],
    absent: "policy-absent",
    enforced: ["- amd64", "- us-east-1-bos-1a", "volumeSize: 100Gi"],
    slips: [...FILE_SLIPS, ...HEAD_SLIPS, ...SPEC_SLIPS, ...ROOT_VOLUME_SLIPS, ...keySlips(POLICY)],
  },
  {
    what: "as the only thing that names the hosted cluster",
    files: [[POLICY_FILE, POLICY], ...WRAPPERS],
    absent: "hosted-cluster-absent",
    enforced: ["- amd64", "- us-east-1-bos-1a", "volumeSize: 100Gi"],
    slips: [...FILE_SLIPS, ...HEAD_SLIPS, ...SPEC_SLIPS, ...ROOT_VOLUME_SLIPS, ...keySlips(POLICY)],
  },
  {
    what: "with a root volume and nothing else",
    files: [[POLICY_FILE, ROOT_VOLUME_ONLY], CONTROL_PLANE, ...WRAPPERS],
    absent: "policy-absent",
    enforced: ["volumeSize: 100Gi"],
    slips: [...FILE_SLIPS, ...HEAD_SLIPS, ...ROOT_VOLUME_SLIPS, ...keySlips(ROOT_VOLUME_ONLY)],
  },
];

describe.each(SURROUNDINGS)("a policy $what", ({ files, absent, enforced, slips }) => {
  let before: Result;
  beforeAll(async () => {
    before = await renderFiles(new Map(files));
  });

  it("is enforced without a mistake", () => {
    expect(before.exit).toBe(0);
    for (const text of enforced) expect(before.stdout).toContain(text);
  });

  it.each(slips.map((slip) => [slip.what, slip] as const))("%s", async (_what, slip) => {
    const changed: Files = new Map(files);
    slip.apply(changed);
    const { exit, stdout, findings } = await renderFiles(changed);
    expect({ exit, codes: codes(findings) }).toMatchObject({ exit: slip.exit });
    if (exit !== 0) expect(stdout).toBe("");
    if (slip.says === "holds") {
      for (const text of enforced) expect(stdout).toContain(text);
      return;
    }
    // Findings without the mistake do not count.
    const known = new Set(before.findings.map(({ code, message }) => `${code} ${message}`));
    const said = findings.filter(({ code, message }) => !known.has(`${code} ${message}`));
    expect(codes(said)).toContain(slip.says === "absent" ? absent : slip.says);
  });
});

it("reports nothing about a correct policy", async () => {
  const { findings } = await renderFiles(new Map(SURROUNDINGS[0]!.files));
  expect(codes(findings)).toStrictEqual(["hidden-inputs-missing"]);
});
