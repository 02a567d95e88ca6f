/** The verdict of anp's models on an object, with the messages of findings. */
import { parseSources } from "../../../src/krm/parse/parse.ts";
import type { Resource } from "../../../src/krm/places/resource.ts";
import { autoNodePolicySchema } from "../../../src/model/policy/auto-node-policy.ts";
import { ec2NodeClassSpec } from "../../../src/model/ec2/node-class.ts";
import { nodePoolSpec } from "../../../src/model/pools/node-pool.ts";
import { memoizeByKey } from "../../../src/model/schema/memoize.ts";
import { openshiftNodePoolSchema } from "../../../src/model/pools/openshift-node-pool.ts";
import type { Profile } from "../../../src/model/crds/profile.ts";
import { check, validate } from "../../../src/model/schema/validate.ts";
import { readNodeClass } from "../../../src/resolve/read-node-class.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { no, ok } from "./faults/table.ts";
import type { Judgement } from "./server-verdict.ts";

/** Goes through text, as a user's file does. */
export function askModel(object: KubernetesObject, profile: Profile): Judgement {
  const messages = messagesOn(resourceOf(object), profile);
  return { verdict: messages.length === 0 ? ok : no, message: messages.join("\n") };
}

const WRAPPER = { code: "wrapper-invalid", unknownField: "unknown-field" } as const;
const POLICY = { code: "policy-invalid", unknownField: "policy-invalid" } as const;

function messagesOn(resource: Resource, profile: Profile): string[] {
  const { kind, value } = resource;
  switch (kind) {
    case "AutoNodePolicy":
      return validate(autoNodePolicySchema, resource, POLICY).findings.map(({ message }) => message);
    case "OpenshiftNodePool":
      return validate(poolSchemas(profile), resource, WRAPPER).findings.map(({ message }) => message);
    case "OpenshiftEC2NodeClass":
      return readNodeClass(resource).findings.map(({ message }) => message);
    case "NodePool":
      return check(nodePoolSpecs(profile), value["spec"]).violations.map(({ message }) => message);
    case "EC2NodeClass":
      return check(ec2NodeClassSpecs(profile), value["spec"]).violations.map(({ message }) => message);
    default:
      throw new Error(`no model of ${kind}`);
  }
}

const poolSchemas = memoizeByKey(openshiftNodePoolSchema);
const nodePoolSpecs = memoizeByKey(nodePoolSpec);
const ec2NodeClassSpecs = memoizeByKey(ec2NodeClassSpec);

/** The object as anp reads it. */
export function resourceOf(object: KubernetesObject): Resource {
  const source = { file: "case.json", folder: "", text: JSON.stringify(object), explicit: true, trusted: true };
  const { value, findings } = parseSources([{ ...source, config: false }]);
  const [resource] = value;
  if (resource === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  return resource;
}
