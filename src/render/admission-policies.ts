/** The admission policies that keep users from going round the wrappers. */
import type { KubeObject } from "../model/kube-object.ts";
import { marks } from "../model/marks.ts";
import { admissionBindingName, admissionPolicyName, type Guarded } from "../model/reserved-names.ts";
import { boundsProtection } from "./bounds-protection.ts";
import { metadataProtection } from "./metadata-protection.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import type { Settings } from "../resolve/settings.ts";
import { appliedKind } from "../model/applied-kinds.ts";

type Guarding = Pick<Settings, "config" | "karpenterUsers">;

interface Validation {
  readonly expression: string;
  readonly message: string;
}

interface Protection {
  readonly name: Guarded;
  readonly group: string;
  readonly resource: string;
  readonly operations: readonly string[];
  readonly validations: readonly Validation[];
  /** Users beside HyperShift's operator that the policy does not concern. */
  readonly writers: readonly string[];
}

/**
 * Karpenter itself (system:admin) writes annotations and finalizers, so an unchanged spec must pass
 * (docs/upstream/hypershift.md#admission-policy).
 */
const SPEC_EQUAL =
  "request.operation == 'UPDATE' && has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec";

/**
 * A NodeClaim made by hand belongs to no pool, so no policy reaches it. Karpenter's own carry both, and anybody can
 * write both: so it must be Karpenter that makes it (pkg/controllers/provisioning/provisioner.go, `Create`).
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

function protectionsOf({ config, karpenterUsers }: Guarding): Protection[] {
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
      group: "karpenter.k8s.aws",
      resource: "ec2nodeclasses",
      operations,
      validations: direct("EC2NodeClass", "OpenshiftEC2NodeClass"),
      writers: allowedWriters,
    });
  }
  if (nodeClaims === "OwnedOnly") {
    protections.push({
      name: "nodeclaim",
      group: "karpenter.sh",
      resource: "nodeclaims",
      operations: ["CREATE"],
      validations: [
        {
          expression: isKarpenter === undefined ? OWNED_BY_POOL : `${isKarpenter} && ${OWNED_BY_POOL}`,
          message: "NodeClaim resources cannot be created directly. Use OpenshiftNodePool instead.",
        },
      ],
      // Nobody applies NodeClaims: a writer let through here could escape the policy.
      writers: [],
    });
  }
  if (mode !== "None") {
    const forOthers = direct("NodePool", "OpenshiftNodePool");
    // Where nobody but the operator may write, there is nobody to bound.
    const bounds = allowedWriters.length === 0 ? [] : boundsProtection(config);
    protections.push({
      name: "nodepool",
      group: "karpenter.sh",
      resource: "nodepools",
      operations,
      validations:
        bounds.length === 0 ? forOthers : [...forOthers.map((one) => exceptOf(one, allowedWriters)), ...bounds],
      writers: bounds.length === 0 ? allowedWriters : [],
    });
  }
  return protections;
}

/** Of a policy with rules that bind writers too, one that does not. */
function exceptOf({ expression, message }: Validation, writers: readonly string[]): Validation {
  return { expression: `${isOneOf(writers)} || (${expression})`, message };
}

/** Match conditions for everybody but HyperShift's operator and these. */
export function exceptWriters(writers: readonly string[]): readonly { name: string; expression: string }[] {
  const operator = {
    name: "exclude-hcco-user",
    expression: "'system:hosted-cluster-config' != request.userInfo.username",
  };
  if (writers.length === 0) return [operator];
  return [operator, { name: "exclude-allowed-writers", expression: `!(${isOneOf(writers)})` }];
}

function policy({ name, group, resource, operations, validations, writers }: Protection): KubeObject {
  return {
    ...head("ValidatingAdmissionPolicy", admissionPolicyName(name)),
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [{ apiGroups: [group], apiVersions: ["v1"], operations, resources: [resource] }],
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
