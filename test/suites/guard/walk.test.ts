/** Runs the walkthrough of docs/guard.md on a real API server: from nothing to a refused bypass. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { create, remove, until } from "../../support/controlplane/objects.ts";
import { fillIn } from "../../support/docs/match-output.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { goProgram } from "../../support/go/programs.ts";
import { enforce, guardObjects, poolOf, requirementsOf, startCluster } from "../../support/guard/guarded-cluster.ts";
import { buildOnce } from "../../support/process/built.ts";
import { commandsOf } from "../../support/process/follow-page.ts";
import { programsIn } from "../../support/process/programs.ts";

const NOTE = "needs a cluster, run by test/suites/guard/walk.test.ts";

let controlPlane: ControlPlane;
let folder: string;

beforeAll(async () => {
  await buildOnce();
  folder = mkdtempSync(join(tmpdir(), "anp-guard-walk-"));
  controlPlane = await startCluster();
  // In real clusters the CRDs of pools are old: those of new CRDs cannot be mutated yet.
  await enforce(controlPlane, []);
  for (const object of guardObjects([])) await remove(controlPlane, "system:admin", object);
  await until("the guard is gone", async () => {
    const { status, body } = await create(controlPlane, "system:admin", poolOf("probe", []), { dryRun: true });
    return status === 201 && requirementsOf(body).length === 0;
  });
}, 1_200_000);

afterAll(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

test("every command of the walkthrough does what the page says", async () => {
  const blocks = blocksOf(readPage("docs/guard.md"));
  for (const { note, lines } of blocks)
    if (note?.name === "file" && !note.value.includes("/")) writeFileSync(join(folder, note.value), lines.join("\n"));
  writeFileSync(join(folder, "kubeconfig"), controlPlane.kubeconfig("system:admin"), { mode: 0o600 });
  const programs = programsIn(mkdtempSync(join(folder, "bin-")));
  symlinkSync(await goProgram("kubectl"), join(programs, "kubectl"));
  const type = (command: string): string[] => {
    const env = {
      ...process.env,
      LC_ALL: "C",
      HOME: folder,
      KUBECONFIG: join(folder, "kubeconfig"),
      PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}`,
    };
    const options = { cwd: folder, env, encoding: "utf8", timeout: 120_000 } as const;
    return spawnSync("sh", ["-c", `{ ${command}; } 2>&1`], options)
      .stdout.trimEnd()
      .split(/ *\n/);
  };
  const walk = blocks.filter(({ note }) => note?.name === "not run" && note.value === NOTE);
  const commands = walk.flatMap(({ lines }) => commandsOf(lines));
  expect(commands.length).toBeLessThanOrEqual(10);
  for (const { command, output } of commands) {
    // Applied policies take effect after some moments: until then touching is refused, but a bypass is not.
    if (command.includes("--touch"))
      await until(
        "the guard is in force",
        async () => !type(`${command} --dry-run`).join().includes("is not in force"),
      );
    if (command.includes("escape"))
      await until("the guard refuses", async () =>
        type(`${command} --dry-run=server`).join().includes("denied request"),
      );
    const printed = type(command);
    expect(fillIn(output, printed), command).toStrictEqual(printed);
  }
});
