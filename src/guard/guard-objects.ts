/** What a guard is made of: admission policies and their bindings, by name and form. */
import { ADMISSION_GROUP } from "../model/applied-kinds.ts";
import type { KubeObject } from "../model/kube-object.ts";
import type { Variable } from "./guarded-key.ts";

/** Where the API server takes the policies from: its own API, or files beside it (docs/guard.md). */
export type GuardForm = "api" | "static";

/** What validating policies do where an object is not as it has to be. */
export type GuardAction = "Deny" | "Audit" | "Warn";

export interface GuardMaking {
  readonly form: GuardForm;
  readonly action: "Deny" | "Audit";
}

const DOMAIN = "guard.anp.hypershift.openshift.io";

/** Names that end so are of files, and nobody can make one through the API (docs/upstream/hosts.md#static-admission-manifests). */
const STATIC = ".static.k8s.io";

export function guardName(guarded: string, form: GuardForm): string {
  return `${guarded}.${DOMAIN}${form === "static" ? STATIC : ""}`;
}

/** Whether a policy or binding of the API has a name that only anp gives. */
export function isGuardName(name: string): boolean {
  return name.endsWith(`.${DOMAIN}`);
}

const GUARD_OF = "anp.hypershift.openshift.io/guard-of";

const MARKS = { labels: { "app.kubernetes.io/managed-by": "anp" }, annotations: { [GUARD_OF]: "AutoNodePolicy" } };

/** Whether anp made it as part of a guard: only such files of an output directory are replaced or removed. */
export function isOfGuard(object: unknown): boolean {
  const { metadata } = object as { metadata?: { annotations?: Record<string, unknown> | null } | null };
  return metadata?.annotations?.[GUARD_OF] === MARKS.annotations[GUARD_OF];
}

interface Rule {
  readonly group: string;
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  /** What is sent in another one the API server converts; all of them when left out. */
  readonly version?: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
}

interface Conditioned {
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly Variable[];
}

interface Mutating extends Conditioned {
  readonly rules: readonly Rule[];
  /** A list of JSONPatch; an atomic list takes no ApplyConfiguration. */
  readonly patches: readonly string[];
}

interface Validating extends Conditioned {
  readonly rules: readonly Rule[];
  readonly validations: readonly Validation[];
}

/** It is asked again after other mutations, its own among them: what is right already it leaves alone. */
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
