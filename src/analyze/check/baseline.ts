/** Baselines, files of findings that somebody has accepted: written, read and compared. */
import type { Finding } from "../../krm/finding.ts";
import { codeEntry, FINDING_CODES, type FindingCode } from "../../krm/finding-codes.ts";

/** What tells findings apart; not the line, so that moving lines changes nothing. */
export interface BaselineEntry {
  readonly code: string;
  /** `OpenshiftNodePool web`. */
  readonly resource?: string;
  readonly field?: string;
  /** Where the run is about several. One that names none accepts a finding of any. */
  readonly hostedCluster?: string;
  /** Where there is no resource. */
  readonly file?: string;
  /** A hash: the words may show a value that was a secret to somebody. */
  readonly message: string;
}

export interface Accepted {
  readonly left: readonly Finding[];
  readonly accepted: number;
  readonly stale: readonly BaselineEntry[];
}

/** A law of anp cannot be accepted away. A code that anp does not know, of another version, can do no harm. */
export function isAcceptable({ code }: { readonly code: string }): boolean {
  return !isFindingCode(code) || codeEntry(code).fixed !== true;
}

function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(FINDING_CODES, code);
}

/** Sorted, a line each, so that a change of it can be read. */
export function formatBaseline(findings: readonly Finding[]): string {
  const lines = findings
    .filter(isAcceptable)
    .map((finding) => JSON.stringify(entryOf(finding)))
    .toSorted();
  const list = lines.length === 0 ? "[]" : `[\n    ${lines.join(",\n    ")}\n  ]`;
  return `{\n  "schemaVersion": 1,\n  "findings": ${list}\n}\n`;
}

/** Undefined for what is no baseline. */
export function parseBaseline(text: string): BaselineEntry[] | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value["schemaVersion"] !== 1 || !Array.isArray(value["findings"])) return undefined;
  const entries: unknown[] = value["findings"];
  return entries.every(isEntry) ? entries : undefined;
}

/** Each entry accepts one finding: what comes up a second time is new. */
export function acceptFindings(findings: readonly Finding[], entries: readonly BaselineEntry[]): Accepted {
  const open = new Map<string, BaselineEntry[]>();
  for (const entry of entries) open.set(identity(entry), [...(open.get(identity(entry)) ?? []), entry]);
  const isAccepted = (finding: Finding): boolean => {
    const { hostedCluster, ...ofAny } = entryOf(finding);
    const own = hostedCluster === undefined ? undefined : open.get(identity({ ...ofAny, hostedCluster }))?.pop();
    return (own ?? open.get(identity(ofAny))?.pop()) !== undefined;
  };
  const left = findings.filter((finding) => !isAcceptable(finding) || !isAccepted(finding));
  return { left, accepted: findings.length - left.length, stale: [...open.values()].flat() };
}

function entryOf({ code, resource, hostedCluster, field, file, message }: Finding): BaselineEntry {
  const where =
    resource === undefined
      ? file === undefined
        ? {}
        : { file }
      : {
          resource: `${resource.kind} ${resource.namespace === undefined ? "" : `${resource.namespace}/`}${resource.name}`,
        };
  const cluster = hostedCluster === undefined ? {} : { hostedCluster };
  return {
    code,
    ...where,
    ...cluster,
    ...(field === undefined ? {} : { field }),
    message: hashOf(withoutPlaces(message)),
  };
}

function identity({ code, resource, hostedCluster, field, file, message }: BaselineEntry): string {
  return JSON.stringify([code, resource, hostedCluster, field, file, message]);
}

/** `(policy.yaml:12, pool.yaml:9)` in the words: lines move, and a path is as somebody has typed it. */
function withoutPlaces(message: string): string {
  return message.replaceAll(/ \([^()]*:\d+\)/g, "");
}

/** FNV-1a, 64 bits: code, resource and field do most of the telling apart. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isEntry(value: unknown): value is BaselineEntry {
  if (!isRecord(value)) return false;
  const { code, message, resource, hostedCluster, field, file } = value;
  const optional = [resource, hostedCluster, field, file];
  return [code, message].every(isText) && optional.every((part) => part === undefined || isText(part));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
