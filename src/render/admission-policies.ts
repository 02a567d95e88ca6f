/** Renders the admission policies that prevent users from bypassing the wrappers. */
import type { KubeObject } from "../model/objects/kube-object.ts";
import { marks } from "../model/objects/marks.ts";
import { admissionBindingName, admissionPolicyName, type Guarded } from "../model/objects/reserved-names.ts";
import { boundsProtection, claimBoundsProtection } from "./bounds-protection.ts";
import { metadataProtection, statusMessage, statusRules } from "./metadata-protection.ts";
import { BEGINS_WITHOUT, keysOfKarpenter, type Validation } from "./reserved-key-rules.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import type { Settings } from "../resolve/settings.ts";
import { appliedKind } from "../model/objects/applied-kinds.ts";

type Guarding = Pick<Settings, "config" | "karpenterUsers" | "nodePools">;

interface Protection {
  readonly name: Guarded;
  readonly rules: readonly { readonly group: string; readonly resources: readonly string[] }[];
  readonly operations: readonly string[];
  readonly validations: readonly Validation[];
  /** Users that the policy exempts, in addition to HyperShift's operator. */
  readonly writers: readonly string[];
}

/**
 * Karpenter itself (system:admin) writes annotations and finalizers, so an unchanged spec must pass
 * (docs/upstream/hypershift.md#admission-policy).
 */
const SPEC_EQUAL =
  "request.operation == 'UPDATE' && has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec";

/**
 * A NodeClaim that a user creates belongs to no pool, so no policy applies to it. Karpenter's own have both the label
 * and the owner, but users can set both. So Karpenter must be the creator
 * (pkg/controllers/provisioning/provisioner.go, `Create`).
 */
export const OWNED_BY_POOL = [
  "has(object.metadata.labels) && 'karpenter.sh/nodepool' in object.metadata.labels",
  "has(object.metadata.ownerReferences)",
  "object.metadata.ownerReferences.exists(o, o.kind == 'NodePool' && o.apiVersion.startsWith('karpenter.sh/') && o.name == object.metadata.labels['karpenter.sh/nodepool'])",
].join(" && ");

/** Policies first, then their bindings, each by name. See docs/design.md#admission-policies. */
export function admissionPolicies(settings: Guarding): RenderedObject[] {
  const protections = protectionsOf(settings);
  return [...protections.map(policy), ...protections.map(binding)].map((object) => ({
    object,
    wrapper: undefined,
    origins: [],
  }));
}

function protectionsOf({ config, karpenterUsers, nodePools }: Guarding): Protection[] {
  const { mode = "SpecEqual", allowedWriters = [], nodeClaims = "OwnedOnly" } = config.admission ?? {};
  const operations = ["CREATE", "UPDATE", "DELETE"];
  const isKarpenter = karpenterUsers === undefined ? undefined : isOneOf(karpenterUsers);
  const direct = (kind: string, wrapper: string) => {
    const message = `${kind} resources cannot be modified directly. Use ${wrapper} instead.`;
    if (mode === "DenyAll") return [{ expression: "false", message }];
    return [{ expression: SPEC_EQUAL, message }, ...metadataProtection(kind, isKarpenter)];
  };
  const protections: Protection[] = [];
  if (mode !== "None") {
    protections.push({
      name: "ec2nodeclass",
      rules: [{ group: "karpenter.k8s.aws", resources: ["ec2nodeclasses"] }],
      operations,
      validations: direct("EC2NodeClass", "OpenshiftEC2NodeClass"),
      writers: allowedWriters,
    });
  }
  if (nodeClaims === "OwnedOnly") {
    protections.push({
      name: "nodeclaim",
      rules: [{ group: "karpenter.sh", resources: ["nodeclaims"] }],
      // If Karpenter's users are unknown, its later writes cannot be distinguished from those of others.
      operations: isKarpenter === undefined ? ["CREATE"] : ["CREATE", "UPDATE"],
      validations: [
        {
          expression:
            isKarpenter === undefined
              ? OWNED_BY_POOL
              : `${isKarpenter} && ${OWNED_BY_POOL} || request.operation == 'UPDATE'`,
          message: `NodeClaim resources cannot be created directly. Use ${nodePools === "Raw" ? "NodePool" : "OpenshiftNodePool"} instead.`,
        },
        BEGINS_WITHOUT,
        ...(isKarpenter === undefined ? [] : [keysOfKarpenter(isKarpenter)]),
        ...claimBoundsProtection(config),
      ],
      // No client applies NodeClaims: an allowed writer could bypass the policy here.
      writers: [],
    });
  }
  if (mode !== "None" && nodePools === "Wrapped") {
    const forOthers = direct("NodePool", "OpenshiftNodePool");
    // If only the operator may write, no bounds are needed.
    const bounds = allowedWriters.length === 0 ? [] : boundsProtection(config);
    protections.push({
      name: "nodepool",
      rules: [{ group: "karpenter.sh", resources: ["nodepools"] }],
      operations,
      validations:
        bounds.length === 0 ? forOthers : [...forOthers.map((one) => exceptOf(one, allowedWriters)), ...bounds],
      writers: bounds.length === 0 ? allowedWriters : [],
    });
  }
  const rules = statusRules({ nodeClaims: nodeClaims !== "None", others: mode !== "None" });
  if (isKarpenter !== undefined && rules.length > 0) {
    const validations = [{ expression: isKarpenter, message: statusMessage() }];
    protections.push({ name: "status", rules, operations: ["UPDATE"], validations, writers: [] });
  }
  return protections;
}

/** Exempts writers from one rule of a policy whose other rules apply to them. */
function exceptOf({ expression, message }: Validation, writers: readonly string[]): Validation {
  return { expression: `${isOneOf(writers)} || (${expression})`, message };
}

/** Match conditions that exempt HyperShift's operator and these users. */
export function exceptWriters(writers: readonly string[]): readonly { name: string; expression: string }[] {
  const operator = {
    name: "exclude-hcco-user",
    expression: "'system:hosted-cluster-config' != request.userInfo.username",
  };
  if (writers.length === 0) return [operator];
  return [operator, { name: "exclude-allowed-writers", expression: `!(${isOneOf(writers)})` }];
}

function policy({ name, rules, operations, validations, writers }: Protection): KubeObject {
  return {
    ...head("ValidatingAdmissionPolicy", admissionPolicyName(name)),
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: rules.map(({ group, resources }) => ({
          apiGroups: [group],
          apiVersions: ["v1"],
          operations,
          resources,
        })),
      },
      matchConditions: exceptWriters(writers),
      validations,
    },
  };
}

function binding({ name }: Protection): KubeObject {
  return {
    ...head("ValidatingAdmissionPolicyBinding", admissionBindingName(name)),
    spec: { policyName: admissionPolicyName(name), validationActions: ["Deny"] },
  };
}

function head(kind: string, name: string) {
  return {
    apiVersion: appliedKind(kind).apiVersion,
    kind,
    metadata: { name, ...marks("AutoNodePolicy", "default") },
  };
}

export function isOneOf(users: readonly string[]): string {
  return `request.userInfo.username in [${users.toSorted().map(celString).join(", ")}]`;
}

function celString(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
}
