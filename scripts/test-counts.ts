/** The test runner's JSON reports in, one closing line with the counts out; fails when no test ran. */
import { existsSync, readFileSync } from "node:fs";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** Files that failed; a set-up that failed runs none of its tests. */
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const reports = process.argv
  .slice(2)
  .map((file): Report | undefined =>
    existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined,
  );
const total = (field: "numPassedTests" | "numFailedTests" | "numPendingTests"): number =>
  reports.reduce((sum, report) => sum + (report?.[field] ?? 0), 0);
const passed = total("numPassedTests");
const brokenFiles = reports
  .flatMap((report) => report?.testResults ?? [])
  .filter((file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed")).length;
const failed = total("numFailedTests") + brokenFiles;
const skipped = total("numPendingTests");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0 || passed === 0 || reports.includes(undefined)) process.exitCode = 1;
