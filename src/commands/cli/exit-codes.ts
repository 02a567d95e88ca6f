/** The exit codes of every command. */
import { codeEntry, SEVERITIES, type Severity } from "../../krm/findings/finding-codes.ts";
import type { Finding } from "../../krm/findings/finding.ts";

/** Codes depend on the findings, never on the output format (docs/design.md#exit-codes). */
export const EXIT = { done: 0, no: 1, usage: 2, unreadable: 3, cluster: 4, internal: 70 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export type FailOn = Severity | "never";

/**
 * The exit code for the findings of a command that writes manifests. An error always counts, because what anp did not render
 * must not look like success.
 */
export function exitCodeOf(findings: readonly Finding[], failOn: FailOn): ExitCode {
  return exitCodeOfAnswer(findings, failOn === "never" ? "error" : failOn);
}

/** The exit code if findings are the answer: `never` then means never, except that unreadable input always counts. */
export function exitCodeOfAnswer(findings: readonly Finding[], failOn: FailOn): ExitCode {
  if (findings.some((finding) => codeEntry(finding.code).unreadable)) return EXIT.unreadable;
  // The file or report that an option asked for is not there.
  if (findings.some(({ code }) => code === "output-unwritable")) return EXIT.no;
  if (failOn === "never") return EXIT.done;
  const worst = SEVERITIES.indexOf(failOn);
  return findings.some((finding) => SEVERITIES.indexOf(finding.severity) <= worst) ? EXIT.no : EXIT.done;
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  /** Whether to print the whole help, because the command line asks for nothing. */
  readonly showHelp: boolean;

  constructor(message: string, showHelp = false) {
    super(message);
    this.showHelp = showHelp;
  }
}

export class UnreadableError extends Error {
  /** @param file as the user named it */
  constructor(file: string, message: string, hint?: string) {
    super(`${file} ${message}${hint === undefined ? "" : `\n  help: ${hint}`}`);
  }
}
