/** Converts `amiFamily` and image terms of v1beta1 to terms with an alias of v1. */
import type { Converted } from "./malformed-field.ts";
import { type Fields, fieldsOf, listOf } from "../../krm/values/fields.ts";

/** Families that an alias can name. */
const FAMILIES = ["AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022"];

/** Ubuntu's own root device, which AL2 does not have. */
const UBUNTU_ROOT = {
  deviceName: "/dev/sda1",
  rootVolume: true,
  ebs: { encrypted: true, volumeType: "gp3", volumeSize: "20Gi" },
};

interface Images {
  /** The fields of `spec` that change. */
  readonly fields: Fields;
  /** The fields that Karpenter adds to an Ubuntu class and records in an annotation. */
  readonly ubuntu?: readonly string[];
}

/** The rules are those of docs/upstream/karpenter.md#ec2nodeclasses-of-v1beta1. */
export function imagesToV1({ amiFamily, amiSelectorTerms, blockDeviceMappings }: Fields, version = "latest"): Images {
  const terms = listOf(amiSelectorTerms);
  if (typeof amiFamily === "string" && FAMILIES.includes(amiFamily)) {
    if (terms.length > 0) return { fields: {} };
    const alias = `${amiFamily.toLowerCase()}@${version}`;
    return { fields: { amiFamily: undefined, amiSelectorTerms: [{ alias }] } };
  }
  if (amiFamily !== "Ubuntu") return { fields: { amiFamily: "Custom", amiSelectorTerms: terms } };
  const ownDevices = blockDeviceMappings !== undefined && blockDeviceMappings !== null;
  return {
    fields: {
      amiFamily: "AL2",
      ...(ownDevices ? {} : { blockDeviceMappings: [UBUNTU_ROOT] }),
      ...(terms.length > 0 ? {} : { amiSelectorTerms: [{ id: "ami-placeholder" }] }),
    },
    ubuntu: [
      "amiFamily",
      ...(ownDevices ? [] : ["blockDeviceMappings"]),
      ...(terms.length > 0 ? [] : ["incompatible"]),
    ],
  };
}

interface Alias {
  readonly family: string;
  readonly version: string;
}

/** Undefined without an alias; a refusal for an alias that makes Karpenter fail. */
export function aliasOf(terms: readonly unknown[]): Alias | Extract<Converted, { refusal: unknown }> | undefined {
  const alias = terms.map((term) => fieldsOf(term)["alias"] ?? "").find((text) => text !== "");
  if (alias === undefined) return undefined;
  const [name, version, ...rest] = String(alias).split("@");
  const family = FAMILIES.find((known) => known.toLowerCase() === name);
  if (family === undefined || version === undefined || rest.length > 0) return { refusal: { alias: String(alias) } };
  return { family, version };
}
