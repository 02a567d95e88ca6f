/** Converts requirements to v1beta1: `Gte` and `Lte` become `Gt` and `Lt`. */
import { type FieldPath, valueAt } from "../krm/field-path.ts";
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { fieldsOf, isFields, withChanges } from "../karpenter/conversion/plain-fields.ts";
import { noteOn } from "./migration.ts";

const OLDER: Readonly<Record<string, { readonly operator: string; readonly step: bigint }>> = {
  Gte: { operator: "Gt", step: -1n },
  Lte: { operator: "Lt", step: 1n },
};

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
