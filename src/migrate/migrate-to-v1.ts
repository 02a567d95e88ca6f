/** Migrates Karpenter's objects completely to v1, and reports which nodes will be replaced. */
import { type Finding, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { sameValue } from "../krm/values/canonical.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { type Fields, fieldsOf } from "../krm/values/fields.ts";
import { checkMigrated } from "./migration.ts";
import { migrateClassToV1, withKubelet } from "./migrate-ec2-node-class.ts";
import { type KubeletPlan, planKubelets, type PlannedClass } from "./migrate-kubelets.ts";
import { migrateClaimToV1, poolNameOf } from "./migrate-node-claim.ts";
import { migratePoolToV1 } from "./migrate-node-pool.ts";
import { type KarpenterObject, type MigratedObject, type MigrateOptions, type Migration, noteOn } from "./migration.ts";

/** The result has no fields or annotations of v1beta1. */
export function migrateToV1(objects: readonly KarpenterObject[], { profile }: MigrateOptions): Outcome<Migration[]> {
  const plan = planKubelets(objects);
  const findings: Finding[] = [...plan.findings];
  const { classNames, classes } = plan.value;
  const pools = objects.filter(({ kind }) => kind === "NodePool");
  const migratedPools = new Map(
    pools.map((pool) => [pool.resource, migratePoolToV1(pool, classNames.get(pool.resource))] as const),
  );
  const poolsByName = Map.groupBy(migratedPools, ([pool]) => pool.name);
  const migrated = objects.map((object): Migration => {
    const { resource, kind } = object;
    const outcome =
      kind === "NodePool"
        ? migratedPools.get(resource)!
        : kind === "NodeClaim"
          ? migrateClaimToV1(object, classNames.get(resource), poolOf(resource, poolsByName))
          : migrateClassToV1(resource);
    findings.push(...outcome.findings);
    if (kind !== "EC2NodeClass") return { resource, value: outcome.value, split: [] };
    const [own, ...others] = (classes.get(resource) ?? []).map((planned) => plannedObject(outcome.value, planned));
    return { resource, ...(own ?? { value: outcome.value }), split: others };
  });
  // The first error is enough.
  let found: readonly Finding[] = findings;
  for (const one of migrated) {
    if (hasErrors(found)) break;
    found = checkMigrated(one, profile);
    findings.push(...found);
  }
  const forecast = hasErrors(findings) ? [] : [...moves(migrated, plan.value), ...replacements(objects, plan.value)];
  return { value: migrated, findings: [...findings, ...forecast] };
}

function plannedObject(nodeClass: Fields, { name, kubelet, kubeletFrom }: PlannedClass): MigratedObject {
  return { value: withKubelet(nodeClass, name, kubelet), kubeletFrom };
}

type PoolsByName = ReadonlyMap<unknown, readonly (readonly [Resource, Outcome<Fields>])[]>;

/** The pool in the claim's folder, or else the only one of that name. */
function poolOf(claim: Resource, pools: PoolsByName): Fields | undefined {
  const name = poolNameOf(claim.value);
  const named = pools.get(name) ?? [];
  const near = named.filter(([pool]) => pool.folder === claim.folder);
  const [only, ...others] = near.length > 0 ? near : named;
  return others.length === 0 ? only?.[1].value : undefined;
}

/** Reports changes of node classes. */
function moves(migrated: readonly Migration[], { classes }: KubeletPlan): Finding[] {
  return migrated.flatMap(({ resource }) => {
    const planned = classes.get(resource);
    if (planned === undefined) return [];
    const findings: Finding[] = [];
    const path = ["spec", "kubelet"];
    const before = valueAt(resource.value, path) ?? undefined;
    if (before !== undefined && !planned.some(({ kubelet }) => sameValue(kubelet ?? {}, before))) {
      const message =
        ": its own kubelet settings are dropped, because all its pools in the input have others; other pools would lose them";
      findings.push(noteOn(resource, "migrate-lossy", path, message, "add all pools that use the class to the input"));
    }
    if (planned.length > 1) {
      const message = ` is split, because its pools have different kubelet settings: ${planned.map(described).join("; ")}`;
      findings.push(noteOn(resource, "migrate-class-split", ["metadata", "name"], message));
    } else if (planned[0] !== undefined && !sameValue(before, planned[0].kubelet)) {
      const message = ` now has the kubelet settings of ${named(planned[0].users)}; effective settings stay the same`;
      findings.push(noteOn(resource, "migrate-kubelet-moved", ["spec"], message));
    }
    return findings;
  });
}

function described({ name, kubelet, users }: PlannedClass): string {
  return `${name} for ${named(users)}${kubelet === undefined ? ", without kubelet settings" : ""}`;
}

function named(users: readonly Resource[]): string {
  return users.map(describeResource).join(", ");
}

function refersTo(user: Resource, name: string): boolean {
  const spec = fieldsOf(user.value["spec"]);
  const own = user.kind === "NodePool" ? fieldsOf(fieldsOf(spec["template"])["spec"]) : spec;
  return fieldsOf(own["nodeClassRef"])["name"] === name;
}

/**
 * Karpenter hashes the reference, not the referenced settings: only a new name causes drift
 * (docs/upstream/karpenter.md#drift).
 */
function replacements(objects: readonly KarpenterObject[], { classNames }: KubeletPlan): Finding[] {
  const claimsOf = Map.groupBy(
    objects.filter(({ kind }) => kind === "NodeClaim"),
    ({ resource: { value, folder } }) => JSON.stringify([folder, poolNameOf(value)]),
  );
  return objects.flatMap(({ kind, resource }) => {
    const name = classNames.get(resource);
    if (kind !== "NodePool" || name === undefined || refersTo(resource, name)) return [];
    const path = ["spec", "template", "spec", "nodeClassRef", "name"];
    const claims = claimsOf.get(JSON.stringify([resource.folder, resource.name])) ?? [];
    const nodes = claims.map(({ resource: claim }) =>
      String(valueAt(claim.value, ["status", "nodeName"]) ?? claim.name),
    );
    const known = nodes.length === 0 ? "" : `: ${nodes.join(", ")}`;
    const message = ` now refers to ${name}, so all its nodes drift and are replaced within its disruption budgets${known}`;
    const hint = "check the disruption budgets before you apply the result";
    return [noteOn(resource, "migrate-nodes-replaced", path, message, hint)];
  });
}
