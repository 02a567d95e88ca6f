/** Reads a NodeClaim as a pool, so that the same checks apply to it. */
import { isFields } from "../krm/values/fields.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { groupOf, type Resource } from "../krm/places/resource.ts";
import { providerOf } from "../karpenter/provider/providers.ts";
import { labelPresence } from "../karpenter/requirements/label-presence.ts";
import { OPERATORS, type Operator } from "../model/requirements/requirement.ts";
import { rawPoolRequirements } from "./pool-requirements.ts";
import { type ResolvedPool, withMerges } from "./resolve-pool.ts";

/**
 * Undefined if its requirements are invalid. Only custom labels count as demands: Karpenter launches by the
 * requirements and sets the other labels itself.
 */
export function claimAsPool(claim: Resource): ResolvedPool | undefined {
  const requirements: unknown = valueAt(claim.value, ["spec", "requirements"]) ?? [];
  if (!Array.isArray(requirements) || !requirements.every(isEntry)) return undefined;
  const { group, apiVersion, kind, name } = textsOf(valueAt(claim.value, ["spec", "nodeClassRef"]));
  const nodeClassRef = { group: group ?? groupOf(apiVersion ?? ""), kind: kind ?? "", name: name ?? "" };
  const { expireAfter, terminationGracePeriod } = textsOf(valueAt(claim.value, ["spec"]));
  const times = {
    ...(expireAfter === undefined ? {} : { expireAfter }),
    ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
  };
  const spec = { template: { spec: { nodeClassRef, requirements, ...times } } };
  const provider = providerOf(nodeClassRef);
  const labels = Object.fromEntries(
    Object.entries(textsOf(valueAt(claim.value, ["metadata", "labels"]))).filter(
      (entry): entry is [string, string] => labelPresence(entry[0], provider.labels) === "custom",
    ),
  );
  return withMerges({
    spec,
    given: spec,
    bounds: [],
    boundOrigins: [],
    labels,
    labelOrigins: [],
    mode: "raw",
    name: claim.name,
    hostedCluster: undefined,
    wrapper: claim,
    provider,
    nodeClassRef,
    nodeClass: undefined,
    policy: undefined,
    asked: rawPoolRequirements(claim, requirements, labels),
    needs: [],
    reservations: [],
    onBypass: "Fail",
    findings: [],
  });
}

interface Entry {
  key: string;
  operator: Operator;
  values?: string[];
}

function isEntry(entry: unknown): entry is Entry {
  if (!isFields(entry)) return false;
  const { key, operator, values = [] } = entry;
  return (
    typeof key === "string" &&
    OPERATORS.some((one) => one === operator) &&
    Array.isArray(values) &&
    values.every((value) => typeof value === "string")
  );
}

function textsOf(value: unknown): Readonly<Record<string, string | undefined>> {
  const entries = isFields(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
