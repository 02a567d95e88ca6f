/** A policy that a RenderConfig extends does what the same policy does as the cluster's own; mistakes in it never turn it off. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { stringify } from "yaml";
import { scenario } from "../../support/property/arbitraries.ts";
import { objectsOf } from "../../support/property/documents.ts";
import { FILE_MISTAKES } from "../../support/property/file-mistakes.ts";
import { codes, renderFiles, WRAPPERS } from "../../support/property/mistake-run.ts";
import { type Files, POLICY, POLICY_FILE } from "../../support/property/mistakes.ts";
import { NAMESPACE, type Scenario } from "../../support/property/scenario.ts";
import { seedOf } from "../../support/property/seed.ts";
import { HEAD_MISTAKES, SPEC_MISTAKES } from "../../support/property/text-mistakes.ts";
import { run } from "../../support/golden/case.ts";
import { addFiles } from "../../support/process/inputs.ts";

const RULES: readonly string[] = ["AutoNodePolicy", "RenderConfig", "HostedControlPlane", "Secret"];
const COMMANDS = [
  ["render", "in", "--policy-dir", "rules", "--report", "json"],
  ["check", "in", "--policy-dir", "rules", "-o", "json"],
  ["check", "in", "--policy-dir", "rules", "--prove", "-o", "json"],
  ["explain", "in", "--policy-dir", "rules", "-o", "json"],
];

/** Lines and columns of fields are the same in both forms. */
function filesOf(given: Scenario, extended: boolean): Record<string, string> {
  const files = objectsOf(given).map((object, index): [string, string] => {
    const { kind, spec } = object as { kind: string; spec: object };
    const folder = RULES.includes(kind) ? "rules" : "in";
    if (kind === "AutoNodePolicy") {
      const { metadata: _written, ...rest } = object;
      const metadata = extended ? "{name: default}" : `{name: default, namespace: ${NAMESPACE}}`;
      return ["rules/base/policy.yaml", `metadata: ${metadata}\n${stringify(rest)}`];
    }
    if (kind !== "RenderConfig") return [`${folder}/${index}.yaml`, stringify(object)];
    const { hostedCluster, ...others } = spec as { hostedCluster?: object };
    const config = { ...object, spec: { hostedCluster: { ...hostedCluster, namespace: NAMESPACE }, ...others } };
    // The spec is the last field.
    return ["rules/config.yaml", `${stringify(config)}${extended ? "  extends: base/policy.yaml\n" : ""}`];
  });
  return Object.fromEntries(files);
}

test("an extended policy gives the same answers as the same policy of the cluster", async () => {
  const seen = { rendered: 0, refused: 0 };
  const ofCluster = fc.tuple(scenario, fc.constantFrom(...COMMANDS.slice(1)));
  await fc.assert(
    fc.asyncProperty(ofCluster, async ([given, command]) => {
      const policy = given.policy ?? {};
      const results = async (extended: boolean) => {
        const folder = mkdtempSync(join(tmpdir(), "anp-extended-"));
        addFiles(folder, { "in/none.txt": "", ...filesOf({ ...given, policy }, extended) });
        const both = [await run(folder, COMMANDS[0]!), await run(folder, command)];
        rmSync(folder, { recursive: true });
        return both;
      };
      const own = await results(false);
      expect(await results(true)).toStrictEqual(own);
      seen[own[0]!.exit === 0 ? "rendered" : "refused"] += 1;
    }),
    { numRuns: 60, seed: seedOf("extended policies", 20_261_127) },
  );
  console.log(`extended policies: ${JSON.stringify(seen)}`);
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(2);
}, 300_000);

describe("a mistake in a policy that a RenderConfig extends", () => {
  const base = POLICY.replace(/^ {2}namespace:.*\n/m, "");
  const config = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: shop}
spec: {extends: policy.yaml, hostedCluster: {namespace: clusters-shop}, paths: [../users]}
`;
  const files: readonly [string, string][] = [[POLICY_FILE, base], ["provider/config.yaml", config], ...WRAPPERS];
  const args = ["in", "--policy-dir", "in/provider"];
  const all = [...FILE_MISTAKES, ...HEAD_MISTAKES, ...SPEC_MISTAKES];
  // It has no namespace.
  const mistakes = all.filter(({ what }) => !what.includes("namespace"));

  it("is enforced without one", async () => {
    const { exit, stdout } = await renderFiles(new Map(files), args);
    expect([exit, stdout.includes("- amd64"), stdout.includes("volumeSize: 100Gi")]).toStrictEqual([0, true, true]);
  });

  // More than of a policy of the cluster itself: without the file nothing is rendered, whatever happened to it.
  it.each(mistakes.map((mistake) => [mistake.what, mistake] as const))("%s", async (_what, mistake) => {
    const changed: Files = new Map(files);
    mistake.apply(changed);
    const { exit, stdout, findings } = await renderFiles(changed, args);
    if (exit !== 0) {
      expect(stdout).toBe("");
      return;
    }
    expect(codes(findings)).not.toContain("policy-absent");
    if (mistake.says === "holds") expect(stdout).toContain("- amd64");
    if (!stdout.includes("- amd64")) expect(codes(findings)).toContain(mistake.says);
  });
});
