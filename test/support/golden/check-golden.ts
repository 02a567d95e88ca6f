/** The checks of every golden case: outputs of each entry point, twice, and with the output fed back in. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Run } from "../process/run-anp.ts";
import { asStream, expected, type GoldenCase, stdoutFile } from "./case.ts";

/** @param stdin that of the case when left out */
export type RunAnp = (folder: string, args: readonly string[], stdin?: string) => Promise<Run>;

export function wantedOf({ folder, args, exit }: GoldenCase): Run {
  return { exit, stdout: expected(folder, stdoutFile(args)), stderr: expected(folder, "stderr.txt") };
}

export async function checkGolden(golden: GoldenCase, run: RunAnp): Promise<void> {
  const { folder, args, exit } = golden;
  const result = await run(folder, args);
  const wanted = wantedOf(golden);
  expect(result).toStrictEqual(wanted);
  expect(await run(folder, args)).toStrictEqual(wanted);
  if (exit !== 0 && args[0] === "render") expect(result.stdout).toBe("");
  if (exit === 0 && args[0] === "render") await throughOtherDoors(golden, wanted.stdout, run);
  if (exit === 0 && args[0] === "fn") expect((await run(folder, args, result.stdout)).stdout).toBe(result.stdout);
}

async function throughOtherDoors({ folder, args, stream }: GoldenCase, stdout: string, run: RunAnp): Promise<void> {
  if (stream) {
    const piped = await run(
      folder,
      args.map((argument) => (argument === "in" ? "-" : argument)),
      asStream(folder),
    );
    expect(piped.stdout).toBe(stdout);
  }
  const temporary = mkdtempSync(join(tmpdir(), "anp-golden-"));
  try {
    const earlier = join(temporary, "earlier.yaml");
    const output = withoutUsersPools(stdout);
    if (output === "") return;
    writeFileSync(earlier, output);
    expect((await run(folder, [...args, earlier])).stdout).toBe(stdout);
    // A check with --policy renders nothing that the output could be compared with.
    if (args.includes("--policy")) return;
    expect(staleIn(earlier, await run(folder, [...asCheck(args), earlier]))).toStrictEqual([]);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** A rendered NodePool of users would be given twice: it has no mark of anp, and is the object itself. */
function withoutUsersPools(stdout: string): string {
  const documents = stdout.split(/^---\n/m);
  const isUsers = (text: string): boolean => text.includes("\nkind: NodePool\n") && !text.includes("/rendered-from: ");
  return documents.filter((text) => !isUsers(text)).join("---\n");
}

/** Only findings of commands that write manifests are left out. */
function asCheck([, ...args]: readonly string[]): string[] {
  const format = args.indexOf("-o");
  const shared = args.filter((argument, index) => {
    return argument !== "--include-user-data" && (format === -1 || (index !== format && index !== format + 1));
  });
  return ["check", "-o", "json", ...shared];
}

function staleIn(file: string, { stdout }: Run): unknown[] {
  const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; file?: string; message: string }[] };
  return findings.filter((finding) => finding.code === "output-stale" && finding.file === file);
}
