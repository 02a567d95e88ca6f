/** Findings as SARIF 2.1.0, for code scanning. */
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry, type FindingCode, FINDING_CODES, type Severity } from "../../krm/findings/finding-codes.ts";
import { printableJson } from "../terminal/printable.ts";
import { identitiesOf, inOrder, withCluster } from "./common.ts";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const satisfies Record<Severity, string>;

/** The program that made the findings. */
export interface Tool {
  /** The version of anp. */
  readonly version: string;
  /** What a finding means and what to do, as text that is also Markdown. */
  readonly helpOn: (code: FindingCode) => string;
}

/**
 * GitHub refuses a whole file for one result without a place (`expected at least one location`), so a finding about the
 * input as a whole is a notification of the run. The line's hash that GitHub wants is left to its upload action, which
 * warns about any other.
 */
export function sarifReport(findings: readonly Finding[], { version, helpOn }: Tool): string {
  const sorted = inOrder(findings);
  const identities = identitiesOf(sorted);
  const placed = sorted.filter(({ file }) => file !== undefined);
  const others = sorted.filter(({ file }) => file === undefined);
  const rules = codesOf(placed);
  const notifications = codesOf(others);
  const describe = (code: FindingCode) => descriptor(code, helpOn(code));
  const run = {
    tool: {
      driver: { name: "anp", version, rules: rules.map(describe), notifications: notifications.map(describe) },
    },
    invocations: [
      {
        executionSuccessful: !findings.some(({ code }) => codeEntry(code).unreadable),
        toolExecutionNotifications: others.map((finding) => ({
          descriptor: { id: finding.code, index: notifications.indexOf(finding.code) },
          level: LEVELS[finding.severity],
          message: messageOf(finding),
        })),
      },
    ],
    columnKind: "unicodeCodePoints",
    results: sorted.flatMap((finding, index) =>
      finding.file === undefined
        ? []
        : {
            ruleId: finding.code,
            ruleIndex: rules.indexOf(finding.code),
            level: LEVELS[finding.severity],
            message: messageOf(finding),
            locations: [locationOf(finding, finding.file)],
            partialFingerprints: { "finding/v1": identities[index] },
            ...(finding.hostedCluster === undefined ? {} : { properties: { hostedCluster: finding.hostedCluster } }),
          },
    ),
  };
  const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  return printableJson(`${JSON.stringify(log, undefined, 2)}\n`);
}

/** Each code once, in the order of the closed list. */
function codesOf(findings: readonly Finding[]): FindingCode[] {
  const found = new Set(findings.map(({ code }) => code));
  return (Object.keys(FINDING_CODES) as FindingCode[]).filter((code) => found.has(code));
}

function descriptor(code: FindingCode, help: string) {
  const { says, severity } = codeEntry(code);
  const text = `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
  return {
    id: code,
    shortDescription: { text },
    fullDescription: { text },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

/** `[text](place)` in a message is a link (SARIF 2.1.0, 3.11.6), so brackets from the input are escaped. */
function messageOf(finding: Finding): { text: string } {
  const { hint } = finding;
  const message = withCluster(finding);
  const text = hint === undefined ? message : `${message}\nhelp: ${hint}`;
  return { text: text.replaceAll("](", "] (") };
}

function locationOf({ line, column, resource, field }: Finding, file: string) {
  const region = line === undefined ? {} : { region: { startLine: line, ...start(column) } };
  const physicalLocation = { artifactLocation: { uri: uriOf(file) }, ...region };
  if (resource === undefined) return { physicalLocation };
  const parts = [resource.kind, resource.namespace, resource.name, field].filter((part) => part !== undefined);
  return { physicalLocation, logicalLocations: [{ fullyQualifiedName: parts.join("/") }] };
}

function start(column: number | undefined): { startColumn?: number } {
  return column === undefined ? {} : { startColumn: column };
}

/** A file as a URI reference: a relative path stays relative, and special characters are percent-encoded. */
function uriOf(file: string): string {
  // With an encoded colon, a first segment such as `a:b` is not taken for a scheme.
  const path = file.toWellFormed().split("/").map(encodeURIComponent).join("/");
  return file.startsWith("/") ? `file://${path}` : path;
}
