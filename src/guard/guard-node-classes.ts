/** The policies that put an AutoNodePolicy's root volume into every EC2NodeClass. */
import { KARPENTER_AWS_GROUP } from "../krm/known-kinds.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { ROOT_DEVICE, ROOT_NAMES } from "../render/block-devices.ts";
import type { DecidedRootVolume } from "../resolve/root-volume.ts";
import { celMap, celString, celStrings } from "./cel.ts";
import type { Variable } from "./guarded-key.ts";
import { type GuardMaking, guardName, mutating, validating } from "./guard-objects.ts";

const RULES = [{ group: KARPENTER_AWS_GROUP, resources: ["ec2nodeclasses"], operations: ["CREATE", "UPDATE"] }];

/** What a class asked for and does not get; a mutation cannot warn, and after it nobody sees what was asked. */
const ROOT_VOLUME_LOST = "anp.hypershift.openshift.io/root-volume-lost";

/** What the guard has put, so that after a change of the policy it is not taken for what the class asks for. */
const ROOT_VOLUME_PUT = "anp.hypershift.openshift.io/root-volume-put";

const LOST = celString(ROOT_VOLUME_LOST);
const PUT = celString(ROOT_VOLUME_PUT);

/** `ebs` of Karpenter's API, in the order in which they are told. */
const FIELDS = [
  "deleteOnTermination",
  "encrypted",
  "iops",
  "kmsKeyID",
  "snapshotID",
  "throughput",
  "volumeInitializationRate",
  "volumeSize",
  "volumeType",
];

/** As rendering does it (docs/design.md#root-volume); a second entry that is flagged the CRD refuses. */
export function guardNodeClasses(
  { value }: Pick<DecidedRootVolume, "value">,
  { form, action }: GuardMaking,
): KubeObject[] {
  const variables = classVariables(celMap(value));
  const name = guardName("ec2nodeclass", form);
  return [
    ...mutating(name, { rules: RULES, variables, patches: [patch()] }),
    ...validating(name, action, {
      rules: RULES,
      variables,
      validations: [
        {
          expression: "!variables.deleting || variables.list == variables.oldList",
          message: "the block devices of an EC2NodeClass that is being deleted cannot be changed",
        },
        {
          expression:
            "variables.deleting || variables.list == variables.wanted || request.operation == 'UPDATE' && variables.list == variables.oldList",
          message:
            "the root volume must be the AutoNodePolicy's: the mutating policy is not in force, or another mutation changes its work",
        },
      ],
    }),
    ...validating(guardName("ec2nodeclass-warning", form), "Warn", {
      rules: RULES,
      validations: [
        {
          expression: `!(${LOST} in object.metadata.?annotations.orValue({}))`,
          message: "the AutoNodePolicy's root volume takes the place of the one that this class asks for",
          messageExpression: `"the AutoNodePolicy's root volume takes the place of the one that this class asks for; lost: " + object.metadata.annotations[${LOST}]`,
        },
      ],
    }),
  ];
}

function classVariables(root: string): Variable[] {
  const variable = (name: string, expression: string): Variable => ({ name, expression });
  const named = "m.?deviceName.orValue('')";
  const isRoot = `(${named} in ${celStrings(ROOT_NAMES.filter((name) => name !== undefined))} || ${named} == '' && m.?rootVolume.orValue(false) == true)`;
  const told = (of: string, also = ""): string =>
    `${celStrings(FIELDS)}.filter(f, f in ${of}${also}).map(f, f + ' ' + string(${of}[f])).join(', ')`;
  const asked = "m.?ebs.orValue({})";
  const differs = ` && !(f in variables.root && ${asked}[f] == variables.root[f])`;
  const device = celString(ROOT_DEVICE);
  return [
    variable("root", root),
    variable("put", told("variables.root")),
    variable("list", listOf("object")),
    variable("oldList", `oldObject == null ? [] : (${listOf("oldObject")})`),
    variable("deleting", "oldObject != null && has(oldObject.metadata.deletionTimestamp)"),
    variable("annotations", "object.metadata.?annotations.orValue({})"),
    variable("formerlyPut", `oldObject == null ? '' : oldObject.metadata.?annotations[?${PUT}].orValue('')`),
    variable(
      "shapes",
      `(${mappings("object")} == null || type(${mappings("object")}) == list) && variables.list.all(m, type(m) == map && type(${asked}) == map)`,
    ),
    variable("data", `variables.list.filter(m, !${isRoot})`),
    variable("asked", `variables.list.filter(m, ${isRoot} && ${told(asked)} != variables.formerlyPut)`),
    variable("lost", `variables.asked.map(m, ${told(asked, differs)}).filter(t, t != '').join('; ')`),
    variable(
      "wanted",
      [
        `[variables.data.size() == 0 ? {"deviceName": dyn(${device}), "ebs": dyn(variables.root)}`,
        ` : {"deviceName": dyn(${device}), "rootVolume": dyn(true), "ebs": dyn(variables.root)}] + variables.data`,
      ].join("\n"),
    ),
  ];
}

/**
 * What was lost stays told until somebody sends a list that loses nothing: a list that is right already says nothing of
 * what was asked, and so is the list when the mutation is asked again after itself.
 */
function patch(): string {
  const isAnnotated = (name: string, value: string): string =>
    `(${name} in variables.annotations && variables.annotations[${name}] == ${value})`;
  const path = (name: string): string => `"/metadata/annotations/" + jsonpatch.escapeKey(${name})`;
  const annotate = (name: string, value: string, when: string): string =>
    `+ (${when} && !${isAnnotated(name, value)} ? [JSONPatch{op: "add", path: ${path(name)}, value: ${value}}] : [])`;
  const untells = `variables.lost == '' && variables.list != variables.wanted && variables.list != variables.oldList && ${LOST} in variables.annotations`;
  return [
    "!has(object.spec) || variables.deleting || !variables.shapes ? [] :",
    `(variables.list == variables.wanted ? [] : [JSONPatch{op: "add", path: "/spec/blockDeviceMappings", value: variables.wanted}])`,
    `+ (has(object.metadata.annotations) ? [] : [JSONPatch{op: "add", path: "/metadata/annotations", value: {}}])`,
    annotate(PUT, "variables.put", "true"),
    annotate(LOST, "variables.lost", "variables.lost != ''"),
    `+ (${untells} ? [JSONPatch{op: "remove", path: ${path(LOST)}}] : [])`,
  ].join("\n");
}

function listOf(object: string): string {
  const list = mappings(object);
  return `type(${list}) == list ? ${list} : []`;
}

function mappings(object: string): string {
  return `${object}.?spec.?blockDeviceMappings.orValue([])`;
}
