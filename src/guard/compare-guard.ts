/** Compares the guard in a cluster with the expected one, and lists subjects that may remove it. */
import { valueAt } from "../krm/places/field-path.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { isGuardName } from "../model/objects/reserved-names.ts";
import { isOfGuard } from "./guard-objects.ts";

interface Stored {
  readonly kind: string;
  readonly name: string;
  readonly value: unknown;
}

export interface GuardDifference {
  /** As `ValidatingAdmissionPolicy name`. */
  readonly missing: readonly string[];
  readonly weakened: readonly string[];
  /** Policies and bindings of an earlier guard, which are still in force. */
  readonly leftover: readonly string[];
  /** Whether the cluster has any of the expected objects. */
  readonly isThere: boolean;
}

const KINDS: ReadonlySet<string> = new Set(
  ["MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"].flatMap((kind) => [kind, `${kind}Binding`]),
);

/** Ignores defaults that the API server adds, and Karpenter's user names. */
export function compareGuard(expected: readonly KubeObject[], stored: readonly Stored[]): GuardDifference {
  const byId = new Map(stored.map((one) => [`${one.kind} ${one.name}`, one]));
  const [missing, weakened]: [string[], string[]] = [[], []];
  const asked = new Set(expected.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const leftover = [...byId].flatMap(([id, { kind, name, value }]) =>
    KINDS.has(kind) && !asked.has(id) && (isGuardName(name) || isOfGuard(value)) ? [id] : [],
  );
  for (const { kind, metadata, spec } of expected) {
    const id = `${kind} ${metadata.name}`;
    const live = byId.get(id);
    if (live === undefined) missing.push(id);
    else if (!holds(spec, valueAt(live.value, ["spec"]))) weakened.push(id);
  }
  return { missing, weakened, leftover: leftover.toSorted(), isThere: missing.length < expected.length };
}

/** Whether the stored value equals the expected one; stored objects may have additional fields. */
function holds(expected: unknown, live: unknown): boolean {
  if (typeof expected === "string" && typeof live === "string") return withoutUsers(expected) === withoutUsers(live);
  if (typeof expected !== "object" || expected === null) return expected === live;
  if (typeof live !== "object" || live === null) return false;
  if (Array.isArray(expected))
    return (
      Array.isArray(live) &&
      live.length === expected.length &&
      expected.every((one: unknown, index) => holds(one, live[index]))
    );
  const fields = Object.entries(expected).filter(([, value]) => value !== undefined);
  return (
    fields.every(([name, value]) => holds(value, (live as Record<string, unknown>)[name])) &&
    NARROWING.every((name) => name in expected || !narrows((live as Record<string, unknown>)[name]))
  );
}

/** Fields that exempt requests if they are set. */
const NARROWING = [
  "namespaceSelector",
  "objectSelector",
  "excludeResourceRules",
  "matchConditions",
  "matchResources",
  "paramKind",
  "paramRef",
];

function narrows(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function withoutUsers(expression: string): string {
  return expression.replace(/^request\.userInfo\.username in \[[^\]]*\]/, "");
}

const GROUP = "admissionregistration.k8s.io";
const RESOURCES = new Set([
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
]);
const VERBS = new Set(["delete", "deletecollection", "update", "patch"]);

/**
 * Subjects that may change or delete admission policies or bindings by a ClusterRole, as `Group system:masters`,
 * sorted.
 */
export function removersOf(roles: readonly Stored[], bindings: readonly Stored[]): string[] {
  const powerful = new Set(
    roles.filter(({ value }) => listAt(value, ["rules"]).some(mayRemove)).map(({ name }) => name),
  );
  const subjects = bindings
    .filter(({ value }) => powerful.has(String(valueAt(value, ["roleRef", "name"]))))
    .flatMap(({ value }) => listAt(value, ["subjects"]));
  const names = subjects.map((subject) => {
    const part = (field: string): string => String(valueAt(subject, [field]) ?? "");
    const namespace = part("namespace");
    return `${part("kind")} ${namespace === "" ? "" : `${namespace}/`}${part("name")}`;
  });
  return [...new Set(names)].toSorted();
}

function mayRemove(rule: unknown): boolean {
  const has = (field: string, wanted: ReadonlySet<string>): boolean =>
    listAt(rule, [field]).some((one) => one === "*" || wanted.has(String(one)));
  // A rule with resource names counts only if it names the guard.
  const names = listAt(rule, ["resourceNames"]);
  return (
    has("apiGroups", new Set([GROUP])) &&
    has("resources", RESOURCES) &&
    has("verbs", VERBS) &&
    (names.length === 0 || names.some((name) => String(name).includes("guard.anp.hypershift.openshift.io")))
  );
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}
