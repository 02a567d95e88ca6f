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
  readonly numPendingTests: number;
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

interface Tier {
  readonly name: string;
  readonly ended: boolean;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly title: string; readonly messages: readonly string[] }[];
}

/** Enough to show the expected value and the place: a diff of whole outputs can be very long. */
const LINES_PER_FAILURE = 40;

function tierOf(file: string): Tier {
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined;
  const { numPassedTests: passed = 0, numPendingTests: skipped = 0, testResults = [] } = report ?? {};
  const failures = testResults.flatMap(({ name, status, message = "", assertionResults }) => {
    const path = relative(".", name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    // If the set-up failed, none of the file's tests ran.
    if (status === "failed" && failed.length === 0) return [{ title: path, messages: [message] }];
    return failed.map((test) => ({ title: `${path} > ${test.fullName}`, messages: test.failureMessages ?? [] }));
  });
  return { name: basename(file, ".json"), ended: report !== undefined, passed, skipped, failures };
}

function counts(of: readonly Tier[]): string {
  const sum = (count: (tier: Tier) => number): number => of.reduce((all, tier) => all + count(tier), 0);
  const skipped = sum((tier) => tier.skipped);
  const failed = sum((tier) => tier.failures.length);
  return `${sum((tier) => tier.passed)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const tiers = process.argv.slice(2).map(tierOf);
for (const { title, messages } of tiers.flatMap(({ failures }) => failures)) {
  const lines = stripVTControlCharacters(messages.join("\n"))
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"));
  console.log(`\nfailed: ${title}`);
  for (const line of lines.slice(0, LINES_PER_FAILURE)) console.log(`  ${line}`);
  if (lines.length > LINES_PER_FAILURE) console.log(`  … ${lines.length - LINES_PER_FAILURE} lines more`);
}
for (const tier of tiers) console.log(`npm run ${tier.name}: ${tier.ended ? counts([tier]) : "did not end"}`);
console.log(counts(tiers));
if (tiers.some(({ passed, failures }) => passed === 0 || failures.length > 0)) process.exitCode = 1;
