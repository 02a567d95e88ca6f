/**
 * The test runner's JSON reports in; what failed and a closing line with the counts out. Fails when no test ran.
 * The failures are told again here because the log of an earlier run may be long, and cut at its beginning.
 */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** Files that failed; a set-up that failed runs none of its tests. */
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** As much of a failure as tells what was expected and where: a difference of whole outputs can be very long. */
const LINES_PER_FAILURE = 40;

function tell(title: string, messages: readonly string[]): void {
  const lines = stripVTControlCharacters(messages.join("\n"))
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"));
  console.log(`\nfailed: ${title}`);
  for (const line of lines.slice(0, LINES_PER_FAILURE)) console.log(`  ${line}`);
  if (lines.length > LINES_PER_FAILURE) console.log(`  … ${lines.length - LINES_PER_FAILURE} lines more`);
}

const reports = process.argv
  .slice(2)
  .map((file): Report | undefined =>
    existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined,
  );
const total = (field: "numPassedTests" | "numFailedTests" | "numPendingTests"): number =>
  reports.reduce((sum, report) => sum + (report?.[field] ?? 0), 0);
const passed = total("numPassedTests");
const failedFiles = reports.flatMap((report) => report?.testResults ?? []).filter((file) => file.status === "failed");
const brokenFiles = failedFiles.filter((file) => file.assertionResults.every((test) => test.status !== "failed"));
const failed = total("numFailedTests") + brokenFiles.length;
const skipped = total("numPendingTests");
for (const file of failedFiles)
  for (const test of file.assertionResults.filter(({ status }) => status === "failed"))
    tell(`${relative(".", file.name)} > ${test.fullName}`, test.failureMessages ?? []);
for (const file of brokenFiles) tell(relative(".", file.name), [file.message ?? ""]);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0 || passed === 0 || reports.includes(undefined)) process.exitCode = 1;
