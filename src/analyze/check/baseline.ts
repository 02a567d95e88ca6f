/** Baselines: files of accepted findings, which `anp check` writes, reads and compares. */
import { fingerprint } from "../../krm/values/fingerprint.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry, FINDING_CODES, type FindingCode } from "../../krm/findings/finding-codes.ts";

/** The identity of a finding. It has no line, so moved lines do not matter. */
export interface BaselineEntry {
  readonly code: string;
  /** `OpenshiftNodePool web`. */
  readonly resource?: string;
  readonly field?: string;
  /** Present if the run had several hosted clusters. An entry without one accepts findings of any. */
  readonly hostedCluster?: string;
  /** Present if there is no resource. */
  readonly file?: string;
  /** A hash, because the message may contain a sensitive value. */
  readonly message: string;
}

export interface Accepted {
  readonly left: readonly Finding[];
  readonly accepted: number;
  readonly stale: readonly BaselineEntry[];
}

/**
 * Whether a baseline may accept the code. Codes with a fixed severity cannot be accepted. Unknown codes, of another
 * version, are harmless.
 */
export function isAcceptable({ code }: { readonly code: string }): boolean {
  return !isFindingCode(code) || codeEntry(code).fixed !== true;
}

function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(FINDING_CODES, code);
}

/** Sorted, with one entry a line, so that diffs of a baseline are readable. */
export function formatBaseline(findings: readonly Finding[]): string {
  const lines = findings
    .filter(isAcceptable)
    .map((finding) => JSON.stringify(entryOf(finding)))
    .toSorted();
  const list = lines.length === 0 ? "[]" : `[\n    ${lines.join(",\n    ")}\n  ]`;
  return `{\n  "schemaVersion": 1,\n  "findings": ${list}\n}\n`;
}

/** Undefined if the text is not a baseline. */
export function parseBaseline(text: string): BaselineEntry[] | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value["schemaVersion"] !== 1 || !Array.isArray(value["findings"])) return undefined;
  const entries: unknown[] = value["findings"];
  return entries.every(isEntry) ? entries : undefined;
}

/** Each entry accepts one finding. A second one of the same kind is new. */
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
    // Collisions do not matter much, because code, resource and field are compared too.
    message: fingerprint(withoutPlaces(message)),
  };
}

function identity({ code, resource, hostedCluster, field, file, message }: BaselineEntry): string {
  return JSON.stringify([code, resource, hostedCluster, field, file, message]);
}

/** Removes places such as `(policy.yaml:12, pool.yaml:9)`, because lines move and paths depend on the command line. */
function withoutPlaces(message: string): string {
  return message.replaceAll(/ \([^()]*:\d+\)/g, "");
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
