/** Converts an EC2NodeClass between v1beta1 and v1, exactly as Karpenter's webhook does. */
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { aliasOf, imagesToV1 } from "./convert-images.ts";
import {
  ALIAS_VERSION_ANNOTATION,
  annotationOf,
  STORED_VERSION_ANNOTATION,
  UBUNTU_ANNOTATION,
  withAnnotations,
  without,
} from "./convert-annotations.ts";
import type { Converted } from "./malformed-field.ts";
import { withUpstreamConditions } from "./convert-status.ts";
import { type Fields, fieldsOf, isFields, listOf, withChanges } from "../../krm/values/fields.ts";

/** Defaults of the API server with Karpenter 1.0: one hop without the stanza, two with it in v1beta1. */
const METADATA_DEFAULTS = { httpEndpoint: "enabled", httpProtocolIPv6: "disabled", httpTokens: "required" };

/** The rules are those of docs/upstream/karpenter.md#ec2nodeclasses-of-v1beta1. */
export function ec2NodeClassToV1(nodeClass: Fields): Fields {
  const spec = fieldsOf(nodeClass["spec"]);
  const images = imagesToV1(spec, annotationOf(nodeClass, ALIAS_VERSION_ANNOTATION));
  const converted = withChanges(nodeClass, {
    apiVersion: `${KARPENTER_AWS_GROUP}/v1`,
    spec: withChanges(spec, {
      ...images.fields,
      subnetSelectorTerms: listOf(spec["subnetSelectorTerms"]),
      securityGroupSelectorTerms: listOf(spec["securityGroupSelectorTerms"]),
      metadataOptions: withMetadataDefaults(spec["metadataOptions"], 2),
    }),
  });
  const ubuntu = images.ubuntu === undefined ? {} : { [UBUNTU_ANNOTATION]: images.ubuntu.join(",") };
  return withUpstreamConditions(withAnnotations(converted, { ...without(ALIAS_VERSION_ANNOTATION), ...ubuntu }));
}

export function ec2NodeClassToV1beta1(nodeClass: Fields): Converted {
  const spec = fieldsOf(nodeClass["spec"]);
  const ubuntu = annotationOf(nodeClass, UBUNTU_ANNOTATION)?.split(",");
  const injected = (part: string): boolean => ubuntu?.includes(part) === true;
  const terms = injected("incompatible") ? [] : listOf(spec["amiSelectorTerms"]);
  const alias = aliasOf(terms);
  if (alias !== undefined && "refusal" in alias) return alias;
  const own = terms.filter((term) => !hasAlias(term));
  const converted = withChanges(nodeClass, {
    apiVersion: `${KARPENTER_AWS_GROUP}/v1beta1`,
    spec: withChanges(spec, {
      amiFamily: ubuntu === undefined ? (spec["amiFamily"] ?? alias?.family ?? "Custom") : "Ubuntu",
      amiSelectorTerms: own.length === 0 ? undefined : own,
      blockDeviceMappings: injected("blockDeviceMappings") ? undefined : spec["blockDeviceMappings"],
      subnetSelectorTerms: listOf(spec["subnetSelectorTerms"]),
      securityGroupSelectorTerms: listOf(spec["securityGroupSelectorTerms"]),
      metadataOptions: withMetadataDefaults(spec["metadataOptions"], 1),
      kubelet: undefined,
    }),
  });
  const pinned = alias === undefined || alias.version === "latest" ? {} : { [ALIAS_VERSION_ANNOTATION]: alias.version };
  const annotations = { ...without(UBUNTU_ANNOTATION), [STORED_VERSION_ANNOTATION]: undefined, ...pinned };
  return { value: withUpstreamConditions(withAnnotations(converted, annotations)) };
}

function hasAlias(term: unknown): boolean {
  return (fieldsOf(term)["alias"] ?? "") !== "";
}

function withMetadataDefaults(given: unknown, hopsOfStanza: number): Fields {
  const hops = isFields(given) ? hopsOfStanza : 1;
  return { ...METADATA_DEFAULTS, httpPutResponseHopLimit: hops, ...fieldsOf(given) };
}
