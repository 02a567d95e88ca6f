/** A guard as files beside the API server, out of reach of whoever administers the cluster. */
import type { KubeObject } from "../model/kube-object.ts";
import { isOneOf } from "../render/admission-policies.ts";
import { celStrings } from "./cel.ts";
import { guardName, type GuardMaking, validating } from "./guard-objects.ts";

const CRDS = ["nodepools.karpenter.sh", "nodeclaims.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"];
const GROUPS = ["karpenter.sh", "karpenter.k8s.aws"];

/**
 * What would lead round the guard without touching it: another definition of the kinds, one that converts what is read,
 * or another server for their group. Only policies of files are asked about that.
 *
 * @param installers who may change the definitions; nobody where there are none
 */
export function guardDefinitions(installers: readonly string[], { form, action }: GuardMaking): KubeObject[] {
  const objects = "[object, oldObject].filter(o, o != null)";
  const write = ["CREATE", "UPDATE", "DELETE"];
  const isOurs = `request.resource.resource == 'customresourcedefinitions' ? ${objects}.exists(o, o.metadata.name in ${celStrings(CRDS)}) : ${objects}.exists(o, o.spec.?group.orValue('') in ${celStrings(GROUPS)})`;
  const conditions = [{ name: "definitions-of-karpenter", expression: isOurs }];
  return validating(guardName("definition", form), action, {
    rules: [
      { group: "apiextensions.k8s.io", resources: ["customresourcedefinitions"], operations: write },
      { group: "apiregistration.k8s.io", resources: ["apiservices"], operations: ["CREATE", "UPDATE"] },
    ],
    matchConditions:
      installers.length === 0
        ? conditions
        : [...conditions, { name: "not-an-installer", expression: `!(${isOneOf(installers)})` }],
    validations: [
      {
        // Not `request.name`: the deletion of all of them has none.
        expression:
          "request.resource.resource == 'apiservices' ? object.spec.?service == optional.none() : request.operation == 'UPDATE' && object.spec == oldObject.spec",
        message: "the definitions of Karpenter's kinds belong to whoever runs the control plane",
      },
    ],
  });
}

/** Each kind of policy has a plugin and a directory of its own; bindings stand beside their policies. */
export const STATIC_FOLDERS = ["mutating", "validating"] as const;

export function staticFolderOf({ kind }: KubeObject): (typeof STATIC_FOLDERS)[number] {
  return kind.startsWith("Mutating") ? "mutating" : "validating";
}

/** What `--admission-control-config-file` names. @param directory where the API server finds the folders, absolute */
export function admissionConfiguration(directory: string): object {
  const api = "apiserver.config.k8s.io/v1";
  return {
    apiVersion: api,
    kind: "AdmissionConfiguration",
    plugins: STATIC_FOLDERS.map((folder) => {
      const name = folder === "mutating" ? "MutatingAdmissionPolicy" : "ValidatingAdmissionPolicy";
      const configuration = {
        apiVersion: api,
        kind: `${name}Configuration`,
        staticManifestsDir: `${directory}/${folder}`,
      };
      return { name, configuration };
    }),
  };
}
