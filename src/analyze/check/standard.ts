/** The rendered objects of a hosted cluster with defaults, to compare earlier output with. */
import { hasErrors } from "../../krm/findings/finding.ts";
import { type FieldPath, formatFieldPath } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { structuralSchema } from "../../model/crds/crd.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { ec2NodeClassSpec } from "../../model/ec2/node-class.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { nodePoolSpec } from "../../model/pools/node-pool.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import { changedFields } from "../diff/compare-fields.ts";
import { compareValues } from "../diff/compare-values.ts";

export interface Standard {
  readonly bundle: Bundle;
  readonly inputs: ResolvedInputs;
  readonly rendered: ReadonlyMap<string, KubeObject>;
  readonly withDefaults: (kind: string, spec: unknown) => unknown;
}

/** Undefined for a cluster that cannot be rendered. It has errors of its own. */
export function standardOf(cluster: RenderedCluster | undefined): Standard | undefined {
  if (cluster === undefined) return undefined;
  const { bundle, inputs, gateOff } = cluster.resolved;
  if (inputs === undefined || gateOff || hasErrors(bundle.findings)) return undefined;
  const rendered = new Map(cluster.objects.map(({ object }) => [idOf(object, object.metadata.name), object]));
  return { bundle, inputs, rendered, withDefaults: defaultsOf(inputs.settings.profile) };
}

/** The rendered object with the same group, kind and name. */
export function renderedOf(output: Resource, { rendered }: Standard): KubeObject | undefined {
  return rendered.get(idOf(output, output.name));
}

/** A field that differs between an output and the rendered object. */
export interface FieldApart {
  /** The path in the output if it has the field, else in the rendered object. */
  readonly path: FieldPath;
  readonly here: unknown;
  readonly rendered: unknown;
}

/** Compares like `anp diff`, without fields that this run has no inputs for. */
export function fieldsApart(
  output: Resource,
  object: KubeObject,
  { bundle, inputs, withDefaults }: Standard,
): FieldApart[] {
  const { kind } = output;
  const known = withKnownInputs(kind, output, object, inputs, bundle);
  const difference = compareValues(withDefaults(kind, known.from), withDefaults(kind, known.to), kind, ["spec"]);
  return changedFields(difference, ["spec"], ["spec"]).map(({ oldPath, newPath, from, to }) => ({
    path: oldPath ?? newPath ?? [],
    here: from,
    rendered: to,
  }));
}

/** The first paths, and the number of others. */
export function pathsText(paths: readonly FieldPath[]): string {
  const shown = paths.slice(0, MAX_SHOWN).map(formatFieldPath);
  const more = paths.length > MAX_SHOWN ? ` and ${paths.length - MAX_SHOWN} more` : "";
  return `${shown.join(", ")}${more}`;
}

const MAX_SHOWN = 3;

function idOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }, name: string): string {
  return `${groupOf(apiVersion)}/${kind}/${name}`;
}

/**
 * Some fields come from objects of the hosted cluster, which not every run has. Fields without inputs are not compared.
 * User data is compared only if this run has the Secret, and is never printed.
 */
function withKnownInputs(
  kind: string,
  output: Resource,
  { spec, metadata }: KubeObject,
  { hidden }: ResolvedInputs,
  bundle: Bundle,
): { readonly from: unknown; readonly to: unknown } {
  const given = output.value["spec"];
  if (kind !== "EC2NodeClass" || !isFields(given)) return { from: given, to: spec };
  const from: Record<string, unknown> = { ...given };
  const to: Record<string, unknown> = { ...spec };
  for (const field of ["amiSelectorTerms", "subnetSelectorTerms", "securityGroupSelectorTerms"])
    if (to[field] === undefined) delete from[field];
  const isOfCluster = bundle.hostedControlPlane !== undefined || bundle.hostedClusterObject !== undefined;
  if (hidden.instanceProfile === undefined && !isOfCluster) delete from["instanceProfile"];
  // The platform's tags are added to the wrapper's, and may replace them.
  if (hidden.resourceTags === undefined && !isOfCluster && isFields(from["tags"]))
    to["tags"] = { ...(to["tags"] as Fields | undefined), ...from["tags"] };
  const userData = hidden.secrets.get(metadata.name)?.userData?.value;
  if (userData === undefined || from["userData"] === undefined || from["userData"] === userData) {
    delete from["userData"];
    delete to["userData"];
  } else to["userData"] = userData;
  return { from, to };
}

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/**
 * kubernetes pkg/apis/admissionregistration/v1/defaults.go; a binding has defaults in its matchResources only, which
 * anp never writes.
 */
const ADMISSION_POLICY: Schema = {
  properties: {
    failurePolicy: { default: "Fail" },
    matchConstraints: {
      properties: {
        matchPolicy: { default: "Equivalent" },
        namespaceSelector: { default: {} },
        objectSelector: { default: {} },
        resourceRules: { items: { properties: { scope: { default: "*" } } } },
      },
    },
  },
};

const SCHEMAS: Readonly<Record<string, (profile: Profile) => Schema>> = {
  NodePool: (profile) => structuralSchema(nodePoolSpec(profile)),
  EC2NodeClass: (profile) => structuralSchema(ec2NodeClassSpec(profile)),
  ValidatingAdmissionPolicy: () => ADMISSION_POLICY,
};

/** Schemas are made once for each kind, on demand. */
function defaultsOf(profile: Profile): (kind: string, spec: unknown) => unknown {
  const made = new Map<string, Schema>();
  return (kind, spec) => {
    const schema = made.get(kind) ?? SCHEMAS[kind]?.(profile) ?? {};
    made.set(kind, schema);
    return withDefaults(spec, schema);
  };
}

/** The same as k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go. */
function withDefaults(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value))
    return schema.items === undefined ? value : value.map((item) => withDefaults(item, schema.items!));
  if (typeof value !== "object" || value === null) return value;
  const { properties = {}, additionalProperties } = schema;
  const given = Object.entries(value);
  const present = new Set(given.filter(([, item]) => item !== undefined && item !== null).map(([key]) => key));
  const absent = Object.entries(properties).filter(([key, part]) => part.default !== undefined && !present.has(key));
  return Object.fromEntries(
    [...given.filter(([key]) => present.has(key)), ...absent.map(([key, part]) => [key, part.default] as const)].map(
      ([key, item]) => {
        const part = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
        return [key, typeof part === "object" ? withDefaults(item, part) : item];
      },
    ),
  );
}
