/** Converts the images of a v1 EC2NodeClass to `amiFamily`, terms and annotations of v1beta1. */
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import {
  ALIAS_VERSION_ANNOTATION,
  annotationOf,
  UBUNTU_ANNOTATION,
} from "../karpenter/conversion/convert-annotations.ts";
import { aliasOf } from "../karpenter/conversion/convert-images.ts";
import { type Fields, fieldsOf, listOf } from "../karpenter/conversion/plain-fields.ts";
import { noteOn } from "./migration.ts";

interface OlderImages {
  readonly fields: Fields;
  readonly annotations: Readonly<Record<string, string>>;
}

const TERMS = ["spec", "amiSelectorTerms"];

export function olderImages(nodeClass: Resource): Outcome<OlderImages> {
  const spec = fieldsOf(nodeClass.value["spec"]);
  const ubuntu = annotationOf(nodeClass.value, UBUNTU_ANNOTATION)?.split(",");
  const terms = listOf(spec["amiSelectorTerms"]);
  if (ubuntu !== undefined) {
    const own = ubuntu.includes("incompatible") ? [] : terms.filter((term) => fieldsOf(term)["alias"] === undefined);
    const fields = {
      amiFamily: "Ubuntu",
      amiSelectorTerms: own.length === 0 ? undefined : own,
      ...(ubuntu.includes("blockDeviceMappings") ? { blockDeviceMappings: undefined } : {}),
    };
    return { value: { fields, annotations: {} }, findings: [] };
  }
  const findings: Finding[] = terms.flatMap((term, index) =>
    fieldsOf(term)["ssmParameter"] === undefined ? [] : [ssmParameter(nodeClass, index)],
  );
  const alias = aliasOf(terms);
  if (alias === undefined) return { value: { fields: {}, annotations: {} }, findings };
  if ("refusal" in alias)
    return { value: { fields: {}, annotations: {} }, findings: [...findings, noFamily(nodeClass)] };
  const { amiFamily = alias.family } = spec;
  if (amiFamily !== alias.family) findings.push(customAlias(nodeClass, alias.family));
  if (alias.version !== "latest") findings.push(pinned(nodeClass, alias.version));
  const annotations = alias.version === "latest" ? {} : { [ALIAS_VERSION_ANNOTATION]: alias.version };
  return { value: { fields: { amiFamily, amiSelectorTerms: undefined }, annotations }, findings };
}

function ssmParameter(nodeClass: Resource, index: number): Finding {
  const message = ": v1beta1 cannot select images by ssmParameter";
  return noteOn(nodeClass, "migrate-refused", [...TERMS, index], message, "select them by id, name or tags");
}

function noFamily(nodeClass: Resource): Finding {
  const message = ": v1beta1 has no amiFamily for the alias";
  return noteOn(nodeClass, "migrate-refused", [...TERMS, 0, "alias"], message, "select the images by id, name or tags");
}

function customAlias(nodeClass: Resource, family: string): Finding {
  const message = `: v1beta1 finds no images for amiFamily Custom by an alias of ${family}`;
  return noteOn(nodeClass, "migrate-refused", [...TERMS, 0, "alias"], message, "select the images by id, name or tags");
}

function pinned(nodeClass: Resource, version: string): Finding {
  const message = `: v1beta1 uses the latest images of a family; an annotation keeps the version ${version} for the conversion back`;
  const hint = "select the images by id or name to keep the version";
  return noteOn(nodeClass, "migrate-lossy", [...TERMS, 0, "alias"], message, hint);
}
