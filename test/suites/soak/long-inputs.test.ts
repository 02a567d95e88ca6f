/** Long inputs through whole commands: none of them keeps anp busy for more than it has characters. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FIELD_INPUTS, TEXT_INPUTS, type LongInput } from "../../support/hostile/long-inputs.ts";
import { PatientWorker } from "../../support/hostile/patient-worker.ts";
import type { LongRun } from "../../support/hostile/run-long.ts";

/** What is quadratic takes minutes at this length. */
const SIZE = 400_000;

const REPORTS = ["json", "sarif", "junit", "github", "markdown"].flatMap((format) => [
  "--report",
  `${format}=${format}`,
]);

const worker = new PatientWorker(fileURLToPath(new URL("../../support/hostile/run-long.ts", import.meta.url)));
let empty: string;
beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), "anp-empty-"));
});
afterAll(async () => {
  rmSync(empty, { recursive: true });
  await worker.end();
});

async function endsOn(inputs: readonly LongInput[], commands: readonly (readonly string[])[]): Promise<void> {
  const slow: string[] = [];
  for (const { name, of } of inputs) {
    const text = of(SIZE);
    for (const args of commands) {
      const stdin = args[0] === "fn" ? asItem(text) : text;
      const exit = await worker.ask<number>({ args, stdin } satisfies LongRun);
      if (exit === undefined || ![0, 1, 2, 3].includes(exit)) slow.push(`${args[0]}: ${name}: ${exit ?? "no end"}`);
    }
  }
  expect(slow).toStrictEqual([]);
}

function asItem(text: string): string {
  const item = text.replaceAll("\n", "\n  ");
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item}\n`;
}

const isAnnotation = ({ name }: LongInput): boolean => name.startsWith("annotation:");

test("long values end in check, with every report", async () => {
  await endsOn(FIELD_INPUTS, [["check", "-", ...REPORTS]]);
});

test("long annotations end where they are written", async () => {
  await endsOn(FIELD_INPUTS.filter(isAnnotation), [
    ["render", "-"],
    ["fn"],
    ["diff", "-", "--against", empty, "-o", "markdown"],
  ]);
});

test("long texts end where they are read", async () => {
  await endsOn(TEXT_INPUTS, [["check", "-", ...REPORTS], ["fn"], ["migrate", "-"], ["adopt", "-"]]);
});
