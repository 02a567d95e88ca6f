/** Converts a manifest of a NodePool to the other version, without annotations of a conversion. */
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import type { Resource } from "../krm/places/resource.ts";
import { refToV1 } from "../karpenter/conversion/convert-node-class-ref.ts";
import { withoutConversionAnnotations } from "../karpenter/conversion/convert-node-pool.ts";
import { withUpstreamConditions } from "../karpenter/conversion/convert-status.ts";
import { type Fields, fieldsOf, isFields, withChanges } from "../krm/values/fields.ts";
import { wholeDisruptionToV1, wholeDisruptionToV1beta1 } from "./migrate-disruption.ts";
import { type KarpenterObject, noteOn } from "./migration.ts";
import { type FieldPath, valueAt } from "../krm/places/field-path.ts";

const OLDER: Readonly<Record<string, { readonly operator: string; readonly step: bigint }>> = {
  Gte: { operator: "Gt", step: -1n },
  Lte: { operator: "Lt", step: 1n },
};

const TEMPLATE = ["spec", "template", "spec"];

/** @param className the new name of its node class, if planned */
export function migratePoolToV1(
  { resource: pool, meant }: KarpenterObject,
  className: string | undefined,
): Outcome<Fields> {
  if (pool.apiVersion !== `${KARPENTER_GROUP}/v1beta1`) {
    return { value: withoutConversionAnnotations(renamedClass(pool.value, className)), findings: [] };
  }
  const spec = fieldsOf(pool.value["spec"]);
  const template = fieldsOf(spec["template"]);
  const { kubelet: _moved, resources, nodeClassRef, ...templateSpec } = fieldsOf(template["spec"]);
  const disruption = wholeDisruptionToV1(pool);
  const findings: Finding[] = [...disruption.findings];
  if (resources !== undefined) {
    const message = ": resources is dropped: Karpenter never used it in a NodePool, and v1 does not have it";
    findings.push(noteOn(pool, "migrate-lossy", [...TEMPLATE, "resources"], message));
  }
  const { expireAfter } = fieldsOf(spec["disruption"]);
  const value = withChanges(pool.value, {
    apiVersion: `${KARPENTER_GROUP}/v1`,
    spec: withChanges(spec, {
      template: withChanges(template, {
        spec: inOrderOf(template["spec"], {
          ...templateSpec,
          nodeClassRef: isFields(nodeClassRef) ? refToV1(nodeClassRef, meant) : undefined,
          expireAfter,
        }),
      }),
      disruption: disruption.value,
    }),
  });
  return { value: withUpstreamConditions(withoutConversionAnnotations(renamedClass(value, className))), findings };
}

/** @param kubelet the settings of the pool's node class, which are part of the pool in v1beta1 */
export function migratePoolToV1beta1(pool: Resource, kubelet: Fields | undefined): Outcome<Fields> {
  const spec = fieldsOf(pool.value["spec"]);
  const template = fieldsOf(spec["template"]);
  const { expireAfter, terminationGracePeriod, nodeClassRef, ...templateSpec } = fieldsOf(template["spec"]);
  const disruption = wholeDisruptionToV1beta1(pool, expireAfter);
  const requirements = olderRequirements(pool, [...TEMPLATE, "requirements"]);
  const findings: Finding[] = [...disruption.findings, ...requirements.findings];
  if (terminationGracePeriod !== undefined) {
    const message = `: terminationGracePeriod: ${String(terminationGracePeriod)} is dropped: v1beta1 waits forever for pods that cannot be evicted`;
    findings.push(noteOn(pool, "migrate-lossy", [...TEMPLATE, "terminationGracePeriod"], message));
  }
  if (spec["replicas"] !== undefined) {
    const message = " keeps a fixed number of nodes (replicas), which v1beta1 does not support";
    findings.push(noteOn(pool, "migrate-refused", ["spec", "replicas"], message, "remove replicas first"));
  }
  const value = withChanges(pool.value, {
    apiVersion: `${KARPENTER_GROUP}/v1beta1`,
    spec: withChanges(spec, {
      template: withChanges(template, {
        spec: inOrderOf(template["spec"], {
          ...templateSpec,
          requirements: requirements.value,
          nodeClassRef: refWithVersion(nodeClassRef),
          kubelet,
        }),
      }),
      disruption: disruption.value,
    }),
  });
  return { value: withUpstreamConditions(withoutConversionAnnotations(value)), findings };
}

/** v1beta1 requires only the name; the version makes the reference explicit. The versions of others are their own. */
export function refWithVersion(ref: unknown): unknown {
  if (!isFields(ref)) return ref;
  const { group, ...rest } = fieldsOf(ref);
  return fieldsOf({ apiVersion: group === KARPENTER_AWS_GROUP ? `${group}/v1beta1` : undefined, ...rest });
}

/** Existing fields keep their order. */
export function inOrderOf(before: unknown, fields: Fields): Fields {
  const known = Object.keys(fieldsOf(before)).filter((name) => Object.hasOwn(fields, name));
  return fieldsOf({ ...Object.fromEntries(known.map((name) => [name, fields[name]])), ...fields });
}

function renamedClass(pool: Fields, className: string | undefined): Fields {
  const spec = fieldsOf(pool["spec"]);
  const template = fieldsOf(spec["template"]);
  const templateSpec = fieldsOf(template["spec"]);
  const { nodeClassRef } = templateSpec;
  if (className === undefined || !isFields(nodeClassRef) || nodeClassRef["name"] === className) return pool;
  const renamed = withChanges(templateSpec, { nodeClassRef: withChanges(nodeClassRef, { name: className }) });
  return withChanges(pool, { spec: withChanges(spec, { template: withChanges(template, { spec: renamed }) }) });
}

/** Bounds are integers, so a shift by one is equivalent. */
export function olderRequirements(resource: Resource, path: FieldPath): Outcome<unknown> {
  const findings: Finding[] = [];
  const given = valueAt(resource.value, path) ?? undefined;
  if (!Array.isArray(given)) return { value: given, findings };
  const value = given.map((entry: unknown, index) => {
    const { operator, values } = fieldsOf(entry);
    const older = typeof operator === "string" && Object.hasOwn(OLDER, operator) ? OLDER[operator] : undefined;
    if (older === undefined || !isFields(entry)) return entry;
    const [text] = Array.isArray(values) ? (values as unknown[]) : [];
    const bound = typeof text === "string" && /^\d+$/.test(text) ? BigInt(text) + older.step : -1n;
    if (bound >= 0n) return withChanges(entry, { operator: older.operator, values: [String(bound)] });
    const message = `: v1beta1 has no operator ${String(operator)}, and cannot express ${String(operator)} ${String(text)}`;
    findings.push(noteOn(resource, "migrate-refused", [...path, index], message, "remove the entry, or use Exists"));
    return entry;
  });
  return { value, findings };
}
