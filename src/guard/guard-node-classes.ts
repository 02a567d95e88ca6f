/** Renders the admission policies that set a policy's root volume in every EC2NodeClass. */
import { KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { BOTTLEROCKET, BOTTLEROCKET_DATA, UNKNOWN_ROOT_HINT } from "../karpenter/node-class/root-device.ts";
import type { DecidedRootVolume } from "../resolve/root-volume.ts";
import { celMap, celString, celStrings } from "./cel.ts";
import type { Variable } from "./guarded-key.ts";
import { type GuardMaking, guardName, mutating, UNLESS_RELEASED, validating } from "./guard-objects.ts";
import { FAMILY, IS_FLAGGED, IS_ROOT, NAME, rootDeviceVariables, SAME_IMAGES } from "./root-device-variables.ts";

const RULES = [{ group: KARPENTER_AWS_GROUP, resources: ["ec2nodeclasses"], operations: ["CREATE", "UPDATE"] }];

/**
 * Annotation with the replaced settings of a class: a mutation cannot return a warning, and later policies do not see
 * the original.
 */
const ROOT_VOLUME_LOST = "anp.hypershift.openshift.io/root-volume-lost";

/**
 * Annotation with the volume that the guard has set, so that after a policy change it does not count as the class's
 * own.
 */
export const ROOT_VOLUME_PUT = "anp.hypershift.openshift.io/root-volume-put";

const LOST = celString(ROOT_VOLUME_LOST);
const PUT = celString(ROOT_VOLUME_PUT);

/** Fields of `ebs` in Karpenter's API, in the order of the annotation. */
export const FIELDS = [
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

/** Lets Karpenter write to stored objects. */
const UNCHANGED = `request.operation == 'UPDATE' && variables.list == variables.oldList && ${SAME_IMAGES}`;

/** As in rendering (docs/design.md#root-volume). The CRD refuses a second flagged entry. */
export function guardNodeClasses(
  { value }: Pick<DecidedRootVolume, "value">,
  { form, action }: GuardMaking,
): KubeObject[] {
  const variables = classVariables(celMap(value));
  const name = guardName("ec2nodeclass", form);
  return [
    ...mutating(name, { rules: RULES, matchConditions: UNLESS_RELEASED, variables, patches: [patch()] }),
    ...validating(name, action, {
      rules: RULES,
      matchConditions: UNLESS_RELEASED,
      variables,
      validations: [
        {
          expression: `variables.device != '' || ${UNCHANGED}`,
          message: `the AutoNodePolicy has a root volume, and the root device of this class's images is unknown: ${UNKNOWN_ROOT_HINT}`,
        },
        {
          expression: `variables.device == '' || variables.list == variables.wanted || ${UNCHANGED}`,
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
  const told = (of: string, also = ""): string =>
    `${celStrings(FIELDS)}.filter(f, f in ${of}${also}).map(f, f + ' ' + string(${of}[f])).join(', ')`;
  const asked = "m.?ebs.orValue({})";
  const differs = ` && !(f in variables.root && ${asked}[f] == variables.root[f])`;
  return [
    variable("root", root),
    variable("put", told("variables.root")),
    variable("list", listOf("object")),
    variable("oldList", `oldObject == null ? [] : (${listOf("oldObject")})`),
    variable("annotations", "object.metadata.?annotations.orValue({})"),
    variable("formerlyPut", `oldObject == null ? '' : oldObject.metadata.?annotations[?${PUT}].orValue('')`),
    variable(
      "shapes",
      `(${mappings("object")} == null || type(${mappings("object")}) == list) && variables.list.all(m, type(m) == map && type(${NAME}) == string && type(${asked}) == map)`,
    ),
    variable("asked", `variables.list.filter(m, ${IS_ROOT} && ${told(asked)} != variables.formerlyPut)`),
    ...rootDeviceVariables(),
    variable("lost", `variables.asked.map(m, ${told(asked, differs)}).filter(t, t != '').join('; ')`),
    variable("own", `variables.list.filter(m, !${IS_ROOT})`),
    // The family's volumes besides the root volume, which Karpenter adds only if the class lists none.
    variable(
      "data",
      [
        `variables.own.size() > 0 || ${FAMILY.now} != ${celString(BOTTLEROCKET)} ? variables.own :`,
        `variables.list.size() > 0 && ${FAMILY.before} in ['', ${celString(BOTTLEROCKET)}] ? [] :`,
        `[dyn(${celMap(BOTTLEROCKET_DATA)})]`,
      ].join("\n"),
    ),
    variable(
      "wanted",
      [
        `[!variables.own.exists(m, ${IS_FLAGGED}) && (${FAMILY.images} != ${celString(BOTTLEROCKET)} && variables.data.size() > 0 || !(variables.device in [variables.ofAlias, variables.ofFamily]))`,
        ` ? {"deviceName": dyn(variables.device), "rootVolume": dyn(true), "ebs": dyn(variables.root)}`,
        ` : {"deviceName": dyn(variables.device), "ebs": dyn(variables.root)}] + variables.data`,
      ].join("\n"),
    ),
  ];
}

/**
 * The annotation remains until a write replaces nothing: a list that is already correct does not show what was
 * replaced, such as when the mutation is reinvoked.
 */
function patch(): string {
  const isAnnotated = (name: string, value: string): string =>
    `(${name} in variables.annotations && variables.annotations[${name}] == ${value})`;
  const path = (name: string): string => `"/metadata/annotations/" + jsonpatch.escapeKey(${name})`;
  const annotate = (name: string, value: string, when: string): string =>
    `+ (${when} && !${isAnnotated(name, value)} ? [JSONPatch{op: "add", path: ${path(name)}, value: ${value}}] : [])`;
  const untells = `variables.lost == '' && variables.list != variables.wanted && variables.list != variables.oldList && ${LOST} in variables.annotations`;
  return [
    "!has(object.spec) || !variables.shapes || variables.device == '' ? [] :",
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
