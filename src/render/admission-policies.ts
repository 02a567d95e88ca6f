/** The admission policies that keep users from going round the wrappers: RenderConfig's `admission` in, objects out (DESIGN.md 3.4). */
import type { KubeObject } from "../model/kube-object.ts";
import { marks } from "../model/marks.ts";
import type { RenderConfigSpec } from "../model/render-config.ts";
import type { RenderedObject } from "./origin.ts";

type Admission = RenderConfigSpec["admission"];

interface Protection {
  /** The policy's name without domain: `nodepool`. */
  readonly name: string;
  readonly group: string;
  readonly resource: string;
  readonly operations: readonly string[];
  readonly expression: string;
  readonly message: string;
  /** Users beside HyperShift's operator that the policy does not concern. */
  readonly writers: readonly string[];
}

/** Karpenter itself (system:admin) writes annotations and finalizers, so an unchanged spec must pass (hypershift.md 3.1). */
const SPEC_EQUAL =
  "request.operation == 'UPDATE' && has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec";

/** A NodeClaim made by hand belongs to no pool, so no policy reaches it. Karpenter's own carry both. */
const OWNED_BY_POOL = [
  "has(object.metadata.labels) && 'karpenter.sh/nodepool' in object.metadata.labels",
  "has(object.metadata.ownerReferences)",
  "object.metadata.ownerReferences.exists(o, o.kind == 'NodePool' && o.apiVersion.startsWith('karpenter.sh/') && o.name == object.metadata.labels['karpenter.sh/nodepool'])",
].join(" && ");

/** Policies first, then their bindings, each by name. */
export function admissionPolicies(admission: Admission): RenderedObject[] {
  const protections = protectionsOf(admission);
  return [...protections.map(policy), ...protections.map(binding)].map((object) => ({
    object,
    wrapper: undefined,
    origins: [],
  }));
}

function protectionsOf(admission: Admission): Protection[] {
  const { mode = "SpecEqual", allowedWriters = [], nodeClaims = "OwnedOnly" } = admission ?? {};
  const expression = mode === "DenyAll" ? "false" : SPEC_EQUAL;
  const operations = ["CREATE", "UPDATE", "DELETE"];
  const direct = (kind: string, wrapper: string) =>
    `${kind} resources cannot be modified directly. Use ${wrapper} instead.`;
  const protections: Protection[] = [];
  if (mode !== "None") {
    protections.push({
      name: "ec2nodeclass",
      group: "karpenter.k8s.aws",
      resource: "ec2nodeclasses",
      operations,
      expression,
      message: direct("EC2NodeClass", "OpenshiftEC2NodeClass"),
      writers: allowedWriters,
    });
  }
  if (nodeClaims === "OwnedOnly") {
    protections.push({
      name: "nodeclaim",
      group: "karpenter.sh",
      resource: "nodeclaims",
      operations: ["CREATE"],
      expression: OWNED_BY_POOL,
      message: "NodeClaim resources cannot be created directly. Use OpenshiftNodePool instead.",
      // Nobody applies NodeClaims: a writer let through here could escape the policy.
      writers: [],
    });
  }
  if (mode !== "None") {
    protections.push({
      name: "nodepool",
      group: "karpenter.sh",
      resource: "nodepools",
      operations,
      expression,
      message: direct("NodePool", "OpenshiftNodePool"),
      writers: allowedWriters,
    });
  }
  return protections;
}

function policy({ name, group, resource, operations, expression, message, writers }: Protection): KubeObject {
  const matchConditions = [
    { name: "exclude-hcco-user", expression: "'system:hosted-cluster-config' != request.userInfo.username" },
  ];
  if (writers.length > 0) {
    const list = `[${writers.toSorted().map(celString).join(", ")}]`;
    matchConditions.push({ name: "exclude-allowed-writers", expression: `!(request.userInfo.username in ${list})` });
  }
  return {
    ...head("ValidatingAdmissionPolicy", `karpenter.${name}.hypershift.io`),
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [{ apiGroups: [group], apiVersions: ["v1"], operations, resources: [resource] }],
      },
      matchConditions,
      validations: [{ expression, message }],
    },
  };
}

function binding({ name }: Protection): KubeObject {
  return {
    ...head("ValidatingAdmissionPolicyBinding", `karpenter-binding.${name}.hypershift.io`),
    spec: { policyName: `karpenter.${name}.hypershift.io`, validationActions: ["Deny"] },
  };
}

function head(kind: string, name: string) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name, ...marks("AutoNodePolicy", "default") },
  };
}

function celString(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
}
