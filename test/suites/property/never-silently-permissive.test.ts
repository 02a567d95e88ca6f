/**
 * Tests law 1: for any mistake in the policy, the input is refused, or a finding reports that the policy has changed.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { FILE_MISTAKES } from "../../support/property/file-mistakes.ts";
import { keyMistakes } from "../../support/property/key-mistakes.ts";
import { codes, CONTROL_PLANE, renderFiles, type Result, WRAPPERS } from "../../support/property/mistake-run.ts";
import { type Files, POLICY, POLICY_FILE, type Mistake } from "../../support/property/mistakes.ts";
import { HEAD_MISTAKES, ROOT_VOLUME_MISTAKES, SPEC_MISTAKES } from "../../support/property/text-mistakes.ts";

const ROOT_VOLUME_ONLY = POLICY.replace(/ {2}nodePoolDefaults:[^]*(?= {2}ec2)/, "");

interface Surroundings {
  readonly what: string;
  readonly files: readonly (readonly [string, string])[];
  /** The findings without a policy. */
  readonly absent: string;
  /** What the rendered objects contain while the policy is enforced. */
  readonly enforced: readonly string[];
  readonly mistakes: readonly Mistake[];
}

const SURROUNDINGS: readonly Surroundings[] = [
  {
    what: "beside a HostedControlPlane",
    files: [[POLICY_FILE, POLICY], CONTROL_PLANE, ...WRAPPERS],
    absent: "policy-absent",
    enforced: ["- amd64", "- us-east-1-bos-1a", "volumeSize: 100Gi"],
    mistakes: [...FILE_MISTAKES, ...HEAD_MISTAKES, ...SPEC_MISTAKES, ...ROOT_VOLUME_MISTAKES, ...keyMistakes(POLICY)],
  },
  {
    what: "as the only thing that names the hosted cluster",
    files: [[POLICY_FILE, POLICY], ...WRAPPERS],
    absent: "hosted-cluster-absent",
    enforced: ["- amd64", "- us-east-1-bos-1a", "volumeSize: 100Gi"],
    mistakes: [...FILE_MISTAKES, ...HEAD_MISTAKES, ...SPEC_MISTAKES, ...ROOT_VOLUME_MISTAKES, ...keyMistakes(POLICY)],
  },
  {
    what: "with a root volume and nothing else",
    files: [[POLICY_FILE, ROOT_VOLUME_ONLY], CONTROL_PLANE, ...WRAPPERS],
    absent: "policy-absent",
    enforced: ["volumeSize: 100Gi"],
    mistakes: [...FILE_MISTAKES, ...HEAD_MISTAKES, ...ROOT_VOLUME_MISTAKES, ...keyMistakes(ROOT_VOLUME_ONLY)],
  },
];

describe.each(SURROUNDINGS)("a policy $what", ({ files, absent, enforced, mistakes }) => {
  let before: Result;
  beforeAll(async () => {
    before = await renderFiles(new Map(files));
  });

  it("is enforced without a mistake", () => {
    expect(before.exit).toBe(0);
    for (const text of enforced) expect(before.stdout).toContain(text);
  });

  it.each(mistakes.map((mistake) => [mistake.what, mistake] as const))("%s", async (_what, mistake) => {
    const changed: Files = new Map(files);
    mistake.apply(changed);
    const { exit, stdout, findings } = await renderFiles(changed);
    expect({ exit, codes: codes(findings) }).toMatchObject({ exit: mistake.exit });
    if (exit !== 0) expect(stdout).toBe("");
    if (mistake.says === "holds") {
      for (const text of enforced) expect(stdout).toContain(text);
      return;
    }
    // Findings without the mistake do not count.
    const known = new Set(before.findings.map(({ code, message }) => `${code} ${message}`));
    const said = findings.filter(({ code, message }) => !known.has(`${code} ${message}`));
    expect(codes(said)).toContain(mistake.says === "absent" ? absent : mistake.says);
  });
});

it("reports nothing about a correct policy", async () => {
  const { findings } = await renderFiles(new Map(SURROUNDINGS[0]!.files));
  expect(codes(findings)).toStrictEqual(["hidden-inputs-missing"]);
});
