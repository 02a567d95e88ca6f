/** The guard that a cluster has, against the one that a policy asks for, and who may remove it. */
import { valueAt } from "../krm/field-path.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { isGuardName, isOfGuard } from "./guard-objects.ts";

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
  /** Whether any object of its names is there. */
  readonly isThere: boolean;
}

const KINDS: ReadonlySet<string> = new Set(
  ["MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"].flatMap((kind) => [kind, `${kind}Binding`]),
);

/** What the API server adds by default is no difference; who Karpenter is, is not asked. */
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

/** Whether all that is expected stands there, as it is or, of objects, with more beside it. */
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

/** What lets requests pass by where it is set. */
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

/** Those that a ClusterRole lets change or delete admission policies or bindings, as `Group system:masters`, sorted. */
export function removersOf(roles: readonly Stored[], bindings: readonly Stored[]): string[] {
  const mighty = new Set(roles.filter(({ value }) => listAt(value, ["rules"]).some(mayRemove)).map(({ name }) => name));
  const subjects = bindings
    .filter(({ value }) => mighty.has(String(valueAt(value, ["roleRef", "name"]))))
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
  // A rule for objects of some names is for others.
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
