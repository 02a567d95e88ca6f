/** Renders CEL variables that find the root device mapping of an EC2NodeClass. */
import { ROOT_DEVICES, ROOT_NAME } from "../karpenter/node-class/root-device.ts";
import { celString } from "./cel.ts";
import type { Variable } from "./guarded-key.ts";

/** The name of mapping `m`, or an empty string. */
export const NAME = "m.?deviceName.orValue('')";

export const IS_FLAGGED = "m.?rootVolume.orValue(false) == true";

const IS_NAMED = `${NAME}.lowerAscii().matches(${celString(ROOT_NAME)})`;

export const IS_ROOT = `(${NAME} == '' ? ${IS_FLAGGED} : ${IS_NAMED})`;

/**
 * Reads `variables.list`, and `variables.asked` for its root devices that no guard has added. The variable `device` is
 * empty if the root device is unknown.
 */
export function rootDeviceVariables(): Variable[] {
  const of = (family: string): string => `variables.devices[?variables.${family}].orValue('')`;
  return [
    { name: "devices", expression: `{${[...ROOT_DEVICES].map((pair) => pair.map(celString).join(": ")).join(", ")}}` },
    { name: "field", expression: fieldFamily("object") },
    { name: "alias", expression: aliasFamily("object") },
    { name: "oldField", expression: `oldObject == null ? '' : (${fieldFamily("oldObject")})` },
    { name: "oldAlias", expression: `oldObject == null ? '' : (${aliasFamily("oldObject")})` },
    { name: "ofAlias", expression: of("alias") },
    { name: "ofFamily", expression: of("field") },
    { name: "formerly", expression: `${of("oldAlias")} != '' ? ${of("oldAlias")} : ${of("oldField")}` },
    { name: "flagged", expression: `variables.list.filter(m, ${IS_FLAGGED}).map(m, ${NAME})` },
    {
      name: "byFlag",
      expression: [
        `variables.flagged.size() != 1 || variables.flagged[0] == '' ? '' :`,
        `variables.flagged.filter(n, n.lowerAscii().matches(${celString(ROOT_NAME)})`,
        `&& (variables.ofFamily == '' || n == variables.ofFamily || n != variables.formerly)).join('')`,
      ].join("\n"),
    },
    {
      name: "device",
      expression: [
        `variables.ofAlias != '' ? variables.ofAlias :`,
        `variables.byFlag != '' ? variables.byFlag :`,
        `variables.asked.exists(m, !(${NAME} in ['', variables.ofFamily])) ? '' : variables.ofFamily`,
      ].join("\n"),
    },
  ];
}

/** The image family that Karpenter uses for the class, the stored one, and that of its images if known. */
export const FAMILY = {
  now: "(variables.field != '' ? variables.field : variables.alias)",
  before: "(variables.oldField != '' ? variables.oldField : variables.oldAlias)",
  images: "(variables.ofAlias != '' ? variables.alias : variables.field)",
};

/** Whether the images are selected as in the stored object. */
export const SAME_IMAGES = ["amiFamily", "amiSelectorTerms"]
  .map((field) => `object.?spec.?${field} == oldObject.?spec.?${field}`)
  .join(" && ");

function fieldFamily(object: string): string {
  const field = `${object}.?spec.?amiFamily.orValue('')`;
  return `type(${field}) == string ? ${field}.lowerAscii() : ''`;
}

function aliasFamily(object: string): string {
  const terms = `${object}.?spec.?amiSelectorTerms.orValue([])`;
  const alias = "t.?alias.orValue('')";
  return [
    `type(${terms}) == list && ${terms}.exists(t, type(t) == map && type(${alias}) == string && ${alias} != '')`,
    `? ${terms}.filter(t, type(t) == map && type(${alias}) == string && ${alias} != '')[0].alias.split('@')[0].lowerAscii() : ''`,
  ].join("\n");
}
