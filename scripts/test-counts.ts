/** The test runner's JSON reports in, one closing line with the counts out; fails when no test ran. */
import { existsSync, readFileSync } from "node:fs";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

const reports = process.argv
  .slice(2)
  .map((file): Report | undefined =>
    existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined,
  );
const total = (field: keyof Report): number => reports.reduce((sum, report) => sum + (report?.[field] ?? 0), 0);
const passed = total("numPassedTests");
const failed = total("numFailedTests");
const skipped = total("numPendingTests");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0 || passed === 0 || reports.includes(undefined)) process.exitCode = 1;
