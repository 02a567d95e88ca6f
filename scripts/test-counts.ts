/**
 * Summarises JSON reports of the test runner: failures, a line of counts for each report, and the sum. Fails if a
 * report is missing, or if none of its tests ran. It repeats the failures because the log of an earlier run may be
 * long, and cut at its beginning.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** Files that failed; if the set-up failed, none of their tests ran. */
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

/** Enough to show the expected value and the place: a diff of whole outputs can be very long. */
const LINES_PER_FAILURE = 40;

function tell(title: string, messages: readonly string[]): void {
  const lines = stripVTControlCharacters(messages.join("\n"))
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"));
  console.log(`\nfailed: ${title}`);
  for (const line of lines.slice(0, LINES_PER_FAILURE)) console.log(`  ${line}`);
  if (lines.length > LINES_PER_FAILURE) console.log(`  … ${lines.length - LINES_PER_FAILURE} lines more`);
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

function countsOf({ testResults, ...report }: Report): Counts {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !hasFailed(assertionResults),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests,
  };
}

function hasFailed(tests: Report["testResults"][number]["assertionResults"]): boolean {
  return tests.some(({ status }) => status === "failed");
}

function words({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const reports = process.argv.slice(2).map((file): readonly [string, Report | undefined] => {
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined;
  return [basename(file, ".json"), report];
});
for (const file of reports.flatMap(([, report]) => report?.testResults ?? [])) {
  const path = relative(".", file.name);
  for (const test of file.assertionResults.filter(({ status }) => status === "failed"))
    tell(`${path} > ${test.fullName}`, test.failureMessages ?? []);
  if (file.status === "failed" && !hasFailed(file.assertionResults)) tell(path, [file.message ?? ""]);
}
const counts = reports.map(([, report]) => (report === undefined ? NONE : countsOf(report)));
for (const [index, [tier, report]] of reports.entries())
  console.log(`npm run ${tier}: ${report === undefined ? "did not end" : words(counts[index]!)}`);
const sum = counts.reduce((all, one) => ({
  passed: all.passed + one.passed,
  failed: all.failed + one.failed,
  skipped: all.skipped + one.skipped,
}));
console.log(words(sum));
if (sum.failed > 0 || counts.some(({ passed }) => passed === 0)) process.exitCode = 1;
