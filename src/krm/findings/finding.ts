/** Findings: what anp reports about its input, with a code, a severity and a place. */
import { FINDING_CODES, type FindingCode, type Severity } from "./finding-codes.ts";
import { type EntryPart, type FieldPath, formatFieldPath } from "../places/field-path.ts";
import { withoutValues } from "../values/placeholders.ts";
import { locateField } from "../places/locate.ts";
import { type Resource, type SourceDocument, writtenPath } from "../places/resource.ts";
import { lineText, originOf, positionAt } from "../places/source.ts";

interface ResourceReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A value, never thrown: the fields up to `hint` are the JSON contract of `anp check -o json`. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  readonly resource?: ResourceReference;
  /** The hosted cluster that the finding is about, if an answer covers several. */
  readonly hostedCluster?: string;
  readonly field?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
  /** The source line at the place, if it is short enough to read; never a line of a document that holds a secret. */
  readonly excerpt?: string;
}

/** The value of a stage and the findings made on the way. */
export interface Outcome<T> {
  readonly value: T;
  readonly findings: readonly Finding[];
}

export interface Words {
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * A finding about a field of an object; the place is that of the field, or of its nearest parent that is written down.
 */
export function findingAt(
  code: FindingCode,
  resource: Resource,
  path: FieldPath,
  words: Words,
  part?: EntryPart,
): Finding {
  const { document, filled } = resource;
  const { message, hint } = words;
  return {
    ...start(code, withoutValues(message, filled) + ofPlan(document)),
    resource: referenceTo(resource),
    ...(path.length > 0 ? { field: formatFieldPath(writtenPath(resource, path)) } : {}),
    ...(document.source.withoutLines === true
      ? { file: document.source.file }
      : place(document, locateField(resource, path, part))),
    ...end({ message, hint: withoutValues(hint, filled) }),
  };
}

function ofPlan({ source: { address } }: SourceDocument): string {
  return address === undefined ? "" : ` (${address})`;
}

/** A finding about a place in a document without a readable object. */
export function findingInDocument(code: FindingCode, document: SourceDocument, offset: number, words: Words): Finding {
  return { ...start(code, words.message), ...place(document, offset), ...end(words) };
}

/** A finding about a whole file. */
export function findingInFile(code: FindingCode, file: string, words: Words): Finding {
  return { ...start(code, words.message), file, ...end(words) };
}

/** A finding about the whole input. */
export function findingOnInput(code: FindingCode, words: Words): Finding {
  return { ...start(code, words.message), ...end(words) };
}

function referenceTo(resource: Resource): ResourceReference {
  const { apiVersion, kind, name, namespace } = resource;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Adds the hosted cluster's name if there are several; a finding that has one keeps it. */
export function ofCluster(hostedCluster: string | undefined, findings: readonly Finding[]): readonly Finding[] {
  if (hostedCluster === undefined) return findings;
  return findings.map((finding) => (finding.hostedCluster === undefined ? { ...finding, hostedCluster } : finding));
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === "error");
}

function start(code: FindingCode, message: string): Pick<Finding, "code" | "severity" | "message"> {
  return { code, severity: FINDING_CODES[code].severity, message };
}

function end(words: Words): Pick<Finding, "hint"> {
  return words.hint === undefined ? {} : { hint: words.hint };
}

function place(document: SourceDocument, offset: number): Pick<Finding, "file" | "line" | "column" | "excerpt"> {
  const { source, offset: at } = originOf(document.source, offset);
  const { line, column } = positionAt(source, at);
  const excerpt = document.secret || source.withoutExcerpts === true ? undefined : lineText(source, line);
  const shown = excerpt !== undefined && excerpt.length <= MAX_EXCERPT;
  return { file: source.file, line, column, ...(shown ? { excerpt } : {}) };
}

/** A longer line was not written by hand, and each of thousands of findings in minified JSON would carry all of it. */
const MAX_EXCERPT = 2000;
