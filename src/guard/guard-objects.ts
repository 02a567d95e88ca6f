/** Creates the objects of a guard: admission policies and bindings, by name and form. */
import { GUARD_DOMAIN } from "../model/objects/reserved-names.ts";
import { ADMISSION_GROUP } from "../model/objects/applied-kinds.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { Variable } from "./guarded-key.ts";

/** Where the API server loads the policies from: its API, or manifest files (docs/guard.md). */
export type GuardForm = "api" | "static";

/** The action of validating policies on a violation. */
export type GuardAction = "Deny" | "Audit" | "Warn";

export interface GuardMaking {
  readonly form: GuardForm;
  readonly action: "Deny" | "Audit";
}

/**
 * Suffix of policies from files, which cannot be created through the API
 * (docs/upstream/hosts.md#static-admission-manifests).
 */
const STATIC = ".static.k8s.io";

export function guardName(guarded: string, form: GuardForm): string {
  return `${guarded}.${GUARD_DOMAIN}${form === "static" ? STATIC : ""}`;
}

const GUARD_OF = "anp.hypershift.openshift.io/guard-of";

const MARKS = { labels: { "app.kubernetes.io/managed-by": "anp" }, annotations: { [GUARD_OF]: "AutoNodePolicy" } };

/** Whether anp created it as part of a guard: only such files of an output directory are replaced or removed. */
export function isOfGuard(object: unknown): boolean {
  const { metadata } = object as { metadata?: { annotations?: Record<string, unknown> | null } | null };
  return metadata?.annotations?.[GUARD_OF] === MARKS.annotations[GUARD_OF];
}

interface Rule {
  readonly group: string;
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  /** The API server converts requests in other versions; all versions if omitted. */
  readonly version?: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
}

interface Condition {
  readonly name: string;
  readonly expression: string;
}

/**
 * A write that removes a finalizer from a terminating object and keeps its spec always passes, and so does the removal
 * of the last finalizer, which deletes the object. A finalizer that cannot be removed blocks nodes forever.
 */
export const UNLESS_RELEASED: readonly Condition[] = [
  {
    name: "exclude-removal-of-finalizers",
    expression: [
      "request.operation != 'UPDATE' || !has(oldObject.metadata.deletionTimestamp)",
      "object.metadata.?finalizers.orValue([]).size() > 0 && (object.metadata.?finalizers == oldObject.metadata.?finalizers || object.?spec != oldObject.?spec)",
    ].join(" || "),
  },
];

interface Conditioned {
  readonly matchConditions?: readonly Condition[];
  readonly variables?: readonly Variable[];
}

interface Mutating extends Conditioned {
  readonly rules: readonly Rule[];
  /** A list of JSONPatch: ApplyConfiguration does not support atomic lists. */
  readonly patches: readonly string[];
}

interface Validating extends Conditioned {
  readonly rules: readonly Rule[];
  readonly validations: readonly Validation[];
}

/** Reinvoked after other mutations, including its own: it must not change a correct object. */
export function mutating(name: string, { rules, patches, ...conditioned }: Mutating): KubeObject[] {
  const spec = {
    failurePolicy: "Fail",
    reinvocationPolicy: "IfNeeded",
    ...constraints(rules, conditioned),
    mutations: patches.map((expression) => ({ patchType: "JSONPatch", jsonPatch: { expression } })),
  };
  return [
    object("MutatingAdmissionPolicy", name, spec),
    object("MutatingAdmissionPolicyBinding", name, { policyName: name }),
  ];
}

export function validating(
  name: string,
  action: GuardAction,
  { rules, validations, ...conditioned }: Validating,
): KubeObject[] {
  const spec = {
    failurePolicy: "Fail",
    ...constraints(rules, conditioned),
    validations: validations.map((validation) => ({ ...validation, reason: "Invalid" })),
  };
  const binding = { policyName: name, validationActions: [action] };
  return [object("ValidatingAdmissionPolicy", name, spec), object("ValidatingAdmissionPolicyBinding", name, binding)];
}

function constraints(rules: readonly Rule[], { matchConditions, variables }: Conditioned) {
  return {
    matchConstraints: {
      resourceRules: rules.map(({ group, resources, operations, version = "*" }) => ({
        apiGroups: [group],
        apiVersions: [version],
        operations,
        resources,
      })),
    },
    ...(matchConditions === undefined ? {} : { matchConditions }),
    ...(variables === undefined ? {} : { variables }),
  };
}

function object(kind: string, name: string, spec: KubeObject["spec"]): KubeObject {
  return { apiVersion: `${ADMISSION_GROUP}/v1`, kind, metadata: { name, ...MARKS }, spec };
}
