/** Converts an EC2NodeClass manifest to the other version, without conversion annotations. */
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import type { Resource } from "../krm/places/resource.ts";
import {
  ALIAS_VERSION_ANNOTATION,
  annotationOf,
  STORED_VERSION_ANNOTATION,
  UBUNTU_ANNOTATION,
  withAnnotations,
  without,
} from "../karpenter/conversion/convert-annotations.ts";
import { aliasOf, imagesToV1 } from "../karpenter/conversion/convert-images.ts";
import { withUpstreamConditions } from "../karpenter/conversion/convert-status.ts";
import { type Fields, fieldsOf, isFields, listOf, withChanges } from "../krm/values/fields.ts";
import { noteOn } from "./migration.ts";

const TERMS = ["spec", "amiSelectorTerms"];

const HOPS = ["spec", "metadataOptions", "httpPutResponseHopLimit"];
const FAMILIES = ["AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Ubuntu", "Custom"];

/**
 * Without its kubelet settings, which the kubelet plan adds. Findings report what is lost
 * (docs/upstream/karpenter.md#ec2nodeclasses-of-v1beta1).
 */
export function migrateClassToV1(nodeClass: Resource): Outcome<Fields> {
  const gone = without(ALIAS_VERSION_ANNOTATION, UBUNTU_ANNOTATION);
  if (nodeClass.apiVersion !== `${KARPENTER_AWS_GROUP}/v1beta1`) {
    const placeholder = annotationOf(nodeClass.value, UBUNTU_ANNOTATION)?.split(",").includes("incompatible") === true;
    return {
      value: withAnnotations(nodeClass.value, gone),
      findings: placeholder ? [ubuntuWithoutImages(nodeClass)] : [],
    };
  }
  const spec = fieldsOf(nodeClass.value["spec"]);
  const images = imagesToV1(spec, annotationOf(nodeClass.value, ALIAS_VERSION_ANNOTATION));
  const { httpPutResponseHopLimit = 2 } = fieldsOf(spec["metadataOptions"]);
  const value = withChanges(nodeClass.value, {
    apiVersion: `${KARPENTER_AWS_GROUP}/v1`,
    spec: withChanges(spec, {
      ...images.fields,
      metadataOptions: { ...fieldsOf(spec["metadataOptions"]), httpPutResponseHopLimit },
    }),
  });
  return {
    value: withUpstreamConditions(withAnnotations(value, gone)),
    findings: [...imageFindings(nodeClass, images.ubuntu), ...hopFindings(nodeClass, 2)],
  };
}

function imageFindings(nodeClass: Resource, ubuntu: readonly string[] | undefined): Finding[] {
  const path = ["spec", "amiFamily"];
  const { amiFamily } = fieldsOf(nodeClass.value["spec"]);
  if (ubuntu?.includes("incompatible") === true) return [ubuntuWithoutImages(nodeClass)];
  if (ubuntu !== undefined) {
    const root = ubuntu.includes("blockDeviceMappings") ? " and Ubuntu's root device, which AL2 does not have," : "";
    const message = `: v1 has no amiFamily Ubuntu; AL2${root} is written, with the same user data`;
    return [noteOn(nodeClass, "migrate-behaves-differently", path, message)];
  }
  if (amiFamily === "Custom") {
    const message =
      ": Karpenter v1 requires nodes of amiFamily Custom to register with the taint karpenter.sh/unregistered:NoExecute";
    const hint = "start the kubelet in the user data with --register-with-taints=karpenter.sh/unregistered:NoExecute";
    return [noteOn(nodeClass, "migrate-behaves-differently", path, message, hint)];
  }
  if (typeof amiFamily === "string" && FAMILIES.includes(amiFamily)) return [];
  const given = amiFamily === undefined ? "no amiFamily" : `the amiFamily ${JSON.stringify(amiFamily)}`;
  const message = ` has ${given}, which Karpenter treats as Custom; Custom is written`;
  return [noteOn(nodeClass, "migrate-lossy", path, message)];
}

function ubuntuWithoutImages(nodeClass: Resource): Finding {
  const message = ": v1 has no amiFamily Ubuntu and cannot find its images; Karpenter would launch no nodes";
  const hint = "select the images in amiSelectorTerms, by id, name or tags";
  return noteOn(nodeClass, "migrate-refused", ["spec", "amiFamily"], message, hint);
}

/** The default differs between the versions. */
function hopFindings(nodeClass: Resource, kept: 1 | 2): Finding[] {
  const { metadataOptions } = fieldsOf(nodeClass.value["spec"]);
  if (fieldsOf(metadataOptions)["httpPutResponseHopLimit"] !== undefined) return [];
  const [from, to] = kept === 2 ? ["v1beta1", "v1"] : ["v1", "v1beta1"];
  const message = `: httpPutResponseHopLimit: ${kept} is written, the default of ${from}; the default of ${to} is ${3 - kept}`;
  const hint =
    kept === 2 && !isFields(metadataOptions)
      ? "a class created with Karpenter 1.0 has 1: check the class in the cluster, because a changed value replaces its nodes"
      : undefined;
  return [noteOn(nodeClass, "migrate-behaves-differently", HOPS, message, hint)];
}

/** Fields that v1beta1 does not have, and the effect on nodes. */
const NEWER: Readonly<Record<string, string>> = {
  capacityReservationSelectorTerms: "nodes do not use the reservations",
  connectionTracking: "nodes have the defaults",
  cpuOptions: "nodes have the defaults",
  enclaveOptions: "nodes have no enclaves",
  ipPrefixCount: "nodes have no prefixes of their own",
  networkInterfaces: "nodes have the default interface",
  placementGroupSelector: "nodes are placed anywhere",
};

export function migrateClassToV1beta1(nodeClass: Resource): Outcome<Fields> {
  const spec = fieldsOf(nodeClass.value["spec"]);
  const images = olderImages(nodeClass);
  const lost = Object.entries(NEWER).filter(([name]) => spec[name] !== undefined);
  const findings = lost.map(([name, effect]) =>
    noteOn(
      nodeClass,
      "migrate-lossy",
      ["spec", name],
      `: ${name} is dropped, because v1beta1 does not have it: ${effect}`,
    ),
  );
  const { httpPutResponseHopLimit = 1 } = fieldsOf(spec["metadataOptions"]);
  const value = withChanges(nodeClass.value, {
    apiVersion: `${KARPENTER_AWS_GROUP}/v1beta1`,
    spec: withChanges(spec, {
      ...Object.fromEntries(lost.map(([name]) => [name, undefined])),
      ...images.value.fields,
      kubelet: undefined,
      metadataOptions: { ...fieldsOf(spec["metadataOptions"]), httpPutResponseHopLimit },
    }),
  });
  const annotations = {
    ...without(UBUNTU_ANNOTATION),
    [STORED_VERSION_ANNOTATION]: undefined,
    ...images.value.annotations,
  };
  return {
    value: withUpstreamConditions(withAnnotations(value, annotations)),
    findings: [...images.findings, ...findings, ...hopFindings(nodeClass, 1)],
  };
}

/** The class with these kubelet settings and this name. */
export function withKubelet(nodeClass: Fields, name: string, kubelet: Fields | undefined): Fields {
  const spec = withChanges(fieldsOf(nodeClass["spec"]), { kubelet });
  const metadata = fieldsOf(nodeClass["metadata"]);
  return withChanges(nodeClass, { metadata: metadata["name"] === name ? metadata : copied(metadata, name), spec });
}

/** Annotations about ownership and status belong to the object in the cluster. */
function isOfTheCluster(annotation: string): boolean {
  return (
    annotation === "kubectl.kubernetes.io/last-applied-configuration" ||
    annotation === "karpenter.sh/stored-version-migrated" ||
    annotation.startsWith("karpenter.k8s.aws/ec2nodeclass-hash")
  );
}

function copied({ labels, annotations }: Fields, name: string): Fields {
  const own = Object.entries(fieldsOf(annotations)).filter(([key]) => !isOfTheCluster(key));
  const kept = own.length === 0 ? undefined : Object.fromEntries(own);
  return fieldsOf({ name, labels, annotations: kept });
}

interface OlderImages {
  readonly fields: Fields;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Converts the images of a v1 EC2NodeClass to `amiFamily`, terms and annotations of v1beta1. */
function olderImages(nodeClass: Resource): Outcome<OlderImages> {
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
