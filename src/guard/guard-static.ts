/** Writes a guard as static manifests of the API server, out of reach of cluster admins. */
import type { KubeObject } from "../model/objects/kube-object.ts";
import { isOneOf } from "../render/admission-policies.ts";
import { celStrings } from "./cel.ts";
import { guardName, type GuardMaking, validating } from "./guard-objects.ts";

const CRDS = ["nodepools.karpenter.sh", "nodeclaims.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"];
const GROUPS = ["karpenter.sh", "karpenter.k8s.aws"];

/**
 * Prevents a bypass of the guard by another definition of the kinds, a conversion that changes objects, or another
 * server for their group. Only policies from files can match these requests.
 *
 * @param installers users that may change the definitions
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
        // Not `request.name`: a deletion of all objects has none.
        expression:
          "request.resource.resource == 'apiservices' ? object.spec.?service == optional.none() : request.operation == 'UPDATE' && object.spec == oldObject.spec",
        message: "the definitions of Karpenter's kinds belong to whoever runs the control plane",
      },
    ],
  });
}

/** Each kind of policy has its own plugin and directory; bindings are in the directory of their policies. */
export const STATIC_FOLDERS = ["mutating", "validating"] as const;

export function staticFolderOf({ kind }: KubeObject): (typeof STATIC_FOLDERS)[number] {
  return kind.startsWith("Mutating") ? "mutating" : "validating";
}

/**
 * The file for `--admission-control-config-file`.
 *
 * @param directory absolute path of the folders on the API server
 */
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
