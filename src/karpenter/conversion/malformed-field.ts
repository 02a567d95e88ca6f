/** Finds the first field with a type that Karpenter's conversion cannot decode. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import type { KarpenterKind, KarpenterVersion } from "./karpenter-type.ts";
import { type Fields, isFields, listOf } from "../../krm/values/fields.ts";

/** The field, and the type that Karpenter expects. */
export interface MalformedField {
  readonly path: FieldPath;
  readonly wanted: string;
}

interface Leaf {
  readonly wanted: string;
  readonly test: (value: unknown) => boolean;
}

type Shape =
  | { readonly leaf: Leaf }
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly each: Shape }
  | { readonly items: Shape };

const leaf = (wanted: string, test: Leaf["test"]): Shape => ({ leaf: { wanted, test } });
const isText = (value: unknown): value is string => typeof value === "string";
const isDuration = (value: unknown): boolean => isText(value) && parseGoDuration(value) !== undefined;

const anything = leaf("anything", () => true);
const text = leaf("text", isText);
const flag = leaf("true or false", (value) => typeof value === "boolean");
const integer = leaf("a whole number", (value) => Number.isInteger(value));
const duration = leaf("a duration", isDuration);
const durationOrNever = leaf("a duration or Never", (value) => value === "Never" || isDuration(value));
const mapping: Shape = { each: anything };
const texts: Shape = { each: text };
const mappings: Shape = { items: mapping };

const kubelet: Shape = {
  fields: {
    clusterDNS: { items: text },
    maxPods: integer,
    podsPerCore: integer,
    systemReserved: texts,
    kubeReserved: texts,
    evictionHard: texts,
    evictionSoft: texts,
    evictionSoftGracePeriod: { each: duration },
    evictionMaxPodGracePeriod: integer,
    imageGCHighThresholdPercent: integer,
    imageGCLowThresholdPercent: integer,
    cpuCFSQuota: flag,
  },
};
const references: Readonly<Record<KarpenterVersion, Shape>> = {
  v1beta1: { fields: { name: text, kind: text, apiVersion: text } },
  v1: { fields: { name: text, kind: text, group: text } },
};
const disruption: Shape = {
  fields: {
    consolidationPolicy: text,
    consolidateAfter: durationOrNever,
    expireAfter: durationOrNever,
    budgets: mappings,
  },
};

/** The node's part of a pool's template or a claim. */
const nodeSpec = (version: KarpenterVersion): Shape => ({
  fields: {
    nodeClassRef: references[version],
    requirements: mappings,
    ...(version === "v1beta1" ? { kubelet } : { expireAfter: durationOrNever }),
  },
});

const SPECS: Readonly<Record<KarpenterKind, (version: KarpenterVersion) => Shape>> = {
  NodePool: (version) => ({ fields: { template: { fields: { spec: nodeSpec(version) } }, disruption } }),
  NodeClaim: nodeSpec,
  EC2NodeClass: () => ({
    fields: {
      amiFamily: text,
      amiSelectorTerms: { items: { fields: { alias: text } } },
      blockDeviceMappings: mappings,
      subnetSelectorTerms: mappings,
      securityGroupSelectorTerms: mappings,
      metadataOptions: mapping,
    },
  }),
};

/** Undefined if all fields have their type. Fields that the conversion only copies are not checked. */
export function malformedField(
  object: Fields,
  kind: KarpenterKind,
  version: KarpenterVersion,
): MalformedField | undefined {
  const metadata: Shape = { fields: { labels: texts, annotations: texts } };
  const status: Shape = { fields: { conditions: mappings } };
  return find(object, { fields: { metadata, spec: SPECS[kind](version), status } }, []);
}

/** Checks the content of a conversion annotation. */
export function isKubelet(value: unknown): boolean {
  return find(value, kubelet, []) === undefined;
}

export function isReference(value: unknown): boolean {
  return find(value, references.v1beta1, []) === undefined;
}

/** Null counts as absent, as in Go. */
function find(value: unknown, shape: Shape, path: FieldPath): MalformedField | undefined {
  if (value === undefined || value === null) return undefined;
  if ("leaf" in shape) return shape.leaf.test(value) ? undefined : { path, wanted: shape.leaf.wanted };
  if ("items" in shape) {
    if (!Array.isArray(value)) return { path, wanted: "a list" };
    return first(listOf(value).map((item, index) => [index, item, shape.items] as const));
  }
  if (!isFields(value)) return { path, wanted: "a mapping" };
  const fields = Object.entries(value);
  return first(
    fields.map(([name, field]) => [name, field, "each" in shape ? shape.each : (fieldShape(shape, name) ?? anything)]),
  );

  function first(parts: readonly (readonly [string | number, unknown, Shape])[]): MalformedField | undefined {
    for (const [segment, part, partShape] of parts) {
      const found = find(part, partShape, [...path, segment]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function fieldShape({ fields }: { readonly fields: Readonly<Record<string, Shape>> }, name: string): Shape | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The part of the object that makes Karpenter's conversion fail. */
export type Refusal = { readonly annotation: string } | { readonly alias: string } | MalformedField;

/** The object, or the reason why Karpenter's conversion fails. */
export type Converted = { readonly value: Fields } | { readonly refusal: Refusal };
