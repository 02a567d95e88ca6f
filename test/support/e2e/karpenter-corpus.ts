/** Cases for Karpenter's CRDs: valid objects of each kind, and objects with one invalid field. */
import type { Profile } from "../../../src/model/crds/profile.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { kindOf, versionOf } from "./crd-parts.ts";
import { EC2_NODE_CLASS, EC2_NODE_CLASS_SPEC } from "./faults/ec2-node-class.ts";
import { MINIMAL_TEMPLATE_SPEC, NODE_POOL } from "./faults/pool.ts";
import { REQUIREMENT, REQUIREMENTS } from "./faults/requirement.ts";
import { casesOf, inside, type Table, table } from "./faults/table.ts";
import { TEMPLATE_SPEC } from "./faults/template.ts";
import { KARPENTER_OBJECTS } from "./karpenter-objects.ts";
import { type Schema, mutationsOf } from "./schema-mutations.ts";

export interface KarpenterCase {
  readonly what: string;
  readonly object: KubernetesObject;
  /** The written part: the API server has separate requests for both. */
  readonly part: "spec" | "status";
}

/** The tables of a pool's spec that also apply to a NodeClaim's. */
const NODE_CLAIM: readonly Table[] = [
  inside(table("entry", REQUIREMENT), "spec.requirements", (entry) => [entry]),
  table("spec.requirements", REQUIREMENTS),
  inside(table("lists", TEMPLATE_SPEC), "spec", (value) => ({ ...MINIMAL_TEMPLATE_SPEC, ...(value as object) })),
];

const TABLES = [
  ["karpenter.sh/v1", "NodePool", { template: { spec: MINIMAL_TEMPLATE_SPEC } }, NODE_POOL],
  ["karpenter.sh/v1", "NodeClaim", MINIMAL_TEMPLATE_SPEC, NODE_CLAIM],
  ["karpenter.k8s.aws/v1", "EC2NodeClass", EC2_NODE_CLASS_SPEC, EC2_NODE_CLASS],
] as const;

/** Invalid values that upstream's schemas suggest, and the rows of the tables for rules that no schema has. */
export function karpenterCorpus(crds: readonly KubernetesObject[], profile: Profile): KarpenterCase[] {
  return [
    ...KARPENTER_OBJECTS.flatMap((object, index) => {
      const schemas = schemasOf(crds, object);
      return (["spec", "status"] as const).flatMap((part) => {
        // Several objects of a kind differ in the spec only.
        if (part === "status" && KARPENTER_OBJECTS.findIndex(({ kind }) => kind === object.kind) !== index) return [];
        return casesIn(schemas, object, part);
      });
    }),
    ...TABLES.flatMap(([apiVersion, kind, spec, tables]) =>
      tables
        .flatMap((one) => casesOf({ apiVersion, kind, metadata: { name: "case" }, spec }, one, profile))
        .map(({ what, object }) => ({ what: `${kind} ${what}`, object, part: "spec" as const })),
    ),
  ];
}

function casesIn(schemas: Readonly<Record<string, Schema>>, object: KubernetesObject, part: "spec" | "status") {
  const mutations = mutationsOf(schemas[part] ?? {}, object[part], [part]);
  return [{ what: "as it is", value: object[part] }, ...mutations].map(({ what, value }): KarpenterCase => {
    const { status: _, ...rest } = object;
    const written = part === "spec" ? { ...rest, spec: value } : { ...object, status: value };
    return { what: `${object.kind} ${what}`, object: written as KubernetesObject, part };
  });
}

function schemasOf(crds: readonly KubernetesObject[], { kind }: KubernetesObject): Readonly<Record<string, Schema>> {
  const crd = crds.find((one) => kindOf(one) === kind);
  if (crd === undefined) throw new Error(`no CRD of ${kind}`);
  return (versionOf(crd).schema.openAPIV3Schema as Schema).properties ?? {};
}
