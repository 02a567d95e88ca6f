/** The answers for a fleet of twelve hosted clusters fit on a screen, and JSON has each cluster. */
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";

/** The lines of a screen. */
const SCREEN = 60;

const RULES = ["clusters", "--policy-dir", "clusters/policies"];
const CHANGE = [...RULES, "--against", "before", "--node-data", "dumps", "--at", "2026-11-23T09:00:00Z"];

function fleet(): string {
  const cwd = mkdtempSync(join(tmpdir(), "anp-fleet-"));
  cpSync(join(ROOT, "fixtures/fleet"), cwd, { recursive: true });
  return cwd;
}

it.each<[string, readonly string[], (answer: never) => readonly unknown[]]>([
  ["check", ["check", ...RULES], ({ findings }: { findings: unknown[] }) => findings],
  ["proof", ["check", ...RULES, "--prove"], ({ proofs }: { proofs: unknown[] }) => proofs],
  ["diff", ["diff", ...CHANGE], ({ rollout }: { rollout: unknown[] }) => rollout],
  [
    "rollout",
    ["rollout", "plan", ...CHANGE, "--waves", "canary,10%,rest"],
    ({ waves }: { waves: { clusters: unknown[] }[] }) => waves.flatMap(({ clusters }) => clusters),
  ],
])("the %s of twelve clusters fits on a screen, and JSON has each", async (_what, args, each) => {
  const cwd = fleet();
  const text = await runAnp([...args], { cwd });
  expect([0, 1], text.stderr).toContain(text.exit);
  expect((text.stdout + text.stderr).trimEnd().split("\n").length).toBeLessThanOrEqual(SCREEN);
  const answer = await runAnp([...args, "-o", "json"], { cwd });
  expect(each(JSON.parse(answer.stdout) as never)).toHaveLength(12);
});

it("writes a plan, and no file that is there with another text", async () => {
  const cwd = fleet();
  const plan = ["rollout", "plan", ...CHANGE, "--waves", "canary,rest", "-d", "plan"];
  const again = () => runAnp([...plan], { cwd });
  expect(await again()).toMatchObject({ exit: 0, stderr: "plan: 12 files and plan.json\n" });
  expect((await again()).exit).toBe(0);
  const other = await runAnp([...plan.slice(0, -3), "2,rest", "-d", "plan"], { cwd });
  expect(other.exit).toBe(1);
  expect(other.stderr).toContain("plan/plan.json");
});

it("writes nothing for manifests outside the current folder", async () => {
  const cwd = fleet();
  const rules = ["../clusters", "--policy-dir", "../clusters/policies", "--against", "../before"];
  const args = ["rollout", "plan", ...rules, "--waves", "rest", "-d", "plan"];
  const { exit, stderr } = await runAnp(args, { cwd: join(cwd, "dumps") });
  expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining("not below the current folder") });
});
