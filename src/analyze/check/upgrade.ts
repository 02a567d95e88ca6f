/** Answers what an upgrade of Karpenter does to node classes, pools, nodes and alert rules. */
import { activityOf, letsNothingThrough } from "../../karpenter/disruption/disruption-budget.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { nodeClassHashForm } from "../../karpenter/drift/change-hash-form.ts";
import { refusedKubelet } from "../../karpenter/node-class/refused-kubelet.ts";
import { BOTTLEROCKET, blockDevicesOf, imageFamilyOf } from "../../karpenter/node-class/root-device.ts";
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { formatFieldPath, valueAt } from "../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { isFields } from "../../krm/values/fields.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/pools/disruption-reasons.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import { changedAlerts } from "./alert-rules.ts";
import type { UpgradeAnswer } from "./check-answer.ts";
import {
  HASH_VERSIONS,
  isEC2NodeClass,
  type Move,
  type Names,
  type Release,
  RELEASES,
  steps,
  stepsBack,
} from "./upgrade-steps.ts";

export function profileOf(release: Release): Profile {
  return `karpenter-${release}`;
}

export interface UpgradeInput extends Move {
  /** All findings under the profile of each version. */
  readonly before: readonly Finding[];
  readonly after: readonly Finding[];
  readonly nodeClaims: readonly Resource[];
  readonly alertRules: readonly Resource[];
  /** The options of Karpenter in version 1.15, if the input or a flag says them. */
  readonly karpenter: KarpenterOptions | undefined;
  readonly catalogue: Catalogue;
  /** What decides and was not read, beyond what the objects show. */
  readonly notRead: readonly string[];
}

export interface Upgrade extends Omit<UpgradeAnswer, "schemaVersion" | "findings"> {
  readonly findings: readonly Finding[];
}

export function upgrade(input: UpgradeInput): Upgrade {
  const { from, to, before, after, nodePools, nodeClasses, nodeClaims, alertRules } = input;
  const isDowngrade = RELEASES.indexOf(to) < RELEASES.indexOf(from);
  const ownClasses = nodeClasses.filter(isEC2NodeClass);
  const judge = { profile: profileOf(to), karpenter: input.karpenter, catalogue: input.catalogue };
  const added = newFindings(before, after);
  const broken = new Set(added.filter(({ severity }) => severity === "error").map(objectOf));
  const notReady = ownClasses.filter((one) => broken.has(objectOf(one)) && refusedKubelet(one.value, judge).length > 0);
  const effective = takingEffect(input);
  const fieldsOf = fieldsByObject(effective);
  const replaced = poolsOf(
    nodePools,
    ownClasses.filter((one) => isHashChanged(one, fieldsOf, to)),
  );
  const alerts = changedAlerts(alertRules, to, isDowngrade);
  const findings = [
    ...added,
    ...effective.map((one) => (one.resource?.kind === "EC2NodeClass" ? withNodes(one, replaced) : one)),
    ...nodePools.flatMap((pool) => pacedRepair(pool, isDowngrade, input.karpenter?.gates.has("NodeRepair"))),
    ...ownClasses.flatMap((nodeClass) => rootVolume(nodeClass, isDowngrade)),
    ...ownClasses.flatMap((nodeClass) => hashVersion(nodeClass, from)),
    ...driftedBefore(input),
    ...alerts,
  ];
  const corrected = fieldsByObject(added.filter(({ severity }) => severity === "error"));
  const names = {
    notReady: notReady.map(({ name }) => name),
    refused: [...broken.difference(new Set(notReady.map(objectOf)))],
    withoutNodes: poolsOf(nodePools, notReady).map(({ name }) => name),
    replaced: replaced.map(({ name }) => name),
    corrected: poolsOf(
      nodePools,
      notReady.filter((one) => isHashChanged(one, corrected, from)),
    ).map(({ name }) => name),
  };
  const unknown = [
    ...(nodeClaims.length === 0 ? ["running nodes"] : []),
    ...(alertRules.length === 0 ? ["alert rules"] : []),
    ...new Set(nodeClasses.filter((one) => !isEC2NodeClass(one)).map(({ kind }) => `the provider of ${kind}`)),
    ...(input.karpenter === undefined ? ["Karpenter's options and feature gates"] : []),
    ...input.notRead,
  ];
  const effects = effectsOf(names, findings, added);
  const count = `${counted(nodePools.length, "NodePool")} and ${counted(nodeClasses.length, "node class", "node classes")}`;
  const verdict = effects.length === 0 ? `nothing changes for ${count}` : effects.join("; ");
  return {
    from,
    to,
    headline: `Karpenter ${from} → ${to}: ${verdict}. Not looked at: ${unknown.join(", ")}`,
    changes: effects.length > 0,
    notReady: names.notReady,
    withoutNodes: names.withoutNodes,
    nodesReplaced: names.replaced,
    hashVersions: { from: HASH_VERSIONS[from], to: HASH_VERSIONS[to] },
    notLookedAt: unknown,
    steps: isDowngrade ? stepsBack(input, broken) : steps(input, names, findings),
    findings,
  };
}

function effectsOf(
  { notReady, refused, withoutNodes, replaced }: Names,
  all: readonly Finding[],
  added: readonly Finding[],
) {
  const pools = withoutNodes.length === 0 ? "" : ` (no new nodes in ${someOf(withoutNodes, 5)})`;
  const ofNodes = replaced.length === 0 ? "" : `, which replaces the nodes of ${someOf(replaced, 5)}`;
  const number = (code: FindingCode) => all.filter((one) => one.code === code).length;
  const some = (count: number, one: string, many: string, more = ""): string[] =>
    count === 0 ? [] : [`${counted(count, one, many)}${more}`];
  const warnings = added.filter(({ severity }) => severity === "warning");
  const dropped = warnings.filter(({ code }) => code === "unknown-field").length;
  return [
    ...some(notReady.length, "node class will not be Ready", "node classes will not be Ready", pools),
    ...some(refused.length, "object will be refused", "objects will be refused"),
    ...some(dropped, "field will be dropped", "fields will be dropped"),
    ...some(warnings.length - dropped, "new warning", "new warnings"),
    ...some(number("upgrade-takes-effect"), "field will take effect", "fields will take effect", ofNodes),
    ...some(number("upgrade-metric-changed"), "alert rule is affected", "alert rules are affected"),
    ...some(number("upgrade-repair-paced"), "budget changes node repair", "budgets change node repair"),
    ...some(number("upgrade-default-changed"), "default of a node class changes", "defaults of node classes change"),
    ...some(
      number("upgrade-drift"),
      "NodePool has nodes that differ already",
      "NodePools have nodes that differ already",
    ),
    ...some(
      number("upgrade-version-differs"),
      "node class is of another version",
      "node classes are of another version",
    ),
  ];
}

/** Findings that only the new version has. An object that both refuse is not the upgrade's. */
function newFindings(before: readonly Finding[], after: readonly Finding[]): Finding[] {
  const known = new Set(before.map(keyOf));
  return after.filter((finding) => !known.has(keyOf(finding)));
}

function keyOf(finding: Finding): string {
  const { severity, code, field, message, file } = finding;
  const isOfObject = finding.resource !== undefined;
  return JSON.stringify([severity, code, objectOf(finding), field, isOfObject ? undefined : [file, message]]);
}

/** `EC2NodeClass default`. */
function objectOf(one: Finding | Resource): string {
  return "document" in one ? describeResource(one) : one.resource === undefined ? "" : describeResource(one.resource);
}

/** What the old version refuses or drops, and the new one has no finding on. */
function takingEffect({ from, to, before, after }: UpgradeInput): Finding[] {
  const place = (finding: Finding): string => JSON.stringify([objectOf(finding), finding.field]);
  const still = new Set(after.map(place));
  const refused = new Set(after.filter(({ severity }) => severity === "error").map(objectOf));
  return before.flatMap((finding): Finding[] => {
    const { code, severity, resource, field = "" } = finding;
    const isDropped = code === "unknown-field" || code === "kubelet-field-dropped";
    if (resource === undefined || !(isDropped || severity === "error")) return [];
    if (still.has(place(finding)) || refused.has(objectOf(finding))) return [];
    const verb = isDropped ? "drops" : "refuses the object for";
    const message = `${describeResource(resource)}: Karpenter ${from} ${verb} \`${field}\`, and Karpenter ${to} applies it`;
    const hint = "apply the manifest after the upgrade, or remove the field now";
    return [{ ...finding, code: "upgrade-takes-effect", severity: "warning", message, hint }];
  });
}

type FieldsByObject = ReadonlyMap<string, ReadonlySet<string>>;

function fieldsByObject(findings: readonly Finding[]): FieldsByObject {
  const groups = Map.groupBy(findings, objectOf);
  return new Map([...groups].map(([id, all]) => [id, new Set(all.map(({ field = "" }) => field))]));
}

/** Whether the class with the fields of its findings has another hash than without them. */
function isHashChanged(nodeClass: Resource, fieldsOf: FieldsByObject, release: Release): boolean {
  const fields = fieldsOf.get(objectOf(nodeClass));
  if (fields === undefined) return false;
  const { value } = nodeClass;
  const hash = (spec: unknown): string => canonical(nodeClassHashForm(spec, profileOf(release)));
  return hash(value["spec"]) !== hash(valueAt(without(value, fields, []), ["spec"]));
}

/** @param fields as findings name them */
function without(value: unknown, fields: ReadonlySet<string>, path: readonly string[]): unknown {
  if (!isFields(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !fields.has(formatFieldPath([...path, field])));
  return Object.fromEntries(kept.map(([field, part]) => [field, without(part, fields, [...path, field])]));
}

function withNodes(finding: Finding, replaced: readonly Resource[]): Finding {
  const pools = replaced.filter((pool) => classOf(pool) === finding.resource?.name);
  if (pools.length === 0) return finding;
  const each = pools.map((pool) => `${pool.name} (${budgetsFor(pool, "Drifted")})`);
  return { ...finding, message: `${finding.message}; then it replaces the nodes of NodePool ${someOf(each, 5)}` };
}

function budgetsFor(pool: Resource, reason: string): string {
  const budgets = budgetsOf(pool).filter(({ reasons }) => !Array.isArray(reasons) || reasons.includes(reason));
  const texts = budgets.map(({ nodes, schedule }) => {
    const count = typeof nodes === "string" ? nodes : DEFAULT_BUDGET_NODES;
    return typeof schedule === "string" ? `${count} at ${schedule}` : count;
  });
  return texts.length === 0 ? "no budget" : `budget ${texts.join(", ")}`;
}

/** Those of the default if the pool has none. */
function budgetsOf(pool: Resource): readonly Readonly<Record<string, unknown>>[] {
  const budgets = valueAt(pool.value, ["spec", "disruption", "budgets"]);
  return Array.isArray(budgets) ? budgets.filter(isFields) : [{ nodes: DEFAULT_BUDGET_NODES }];
}

/** Undefined for a node class of another provider than AWS. */
function classOf(pool: Resource): unknown {
  const ref = valueAt(pool.value, ["spec", "template", "spec", "nodeClassRef"]);
  return isFields(ref) && ref["kind"] === "EC2NodeClass" ? ref["name"] : undefined;
}

function poolsOf(nodePools: readonly Resource[], nodeClasses: readonly Resource[]): Resource[] {
  const names = new Set<unknown>(nodeClasses.map(({ name }) => name));
  return nodePools.filter((pool) => names.has(classOf(pool)));
}

/**
 * Repair is a voluntary disruption since 1.15 (docs/upstream/karpenter.md#budgets).
 *
 * @param repairs whether the gate NodeRepair is on; undefined if that is not known
 */
function pacedRepair(pool: Resource, isDowngrade: boolean, repairs: boolean | undefined): Finding[] {
  if (repairs === false) return [];
  const ifOn = repairs === true ? "" : ", if the feature gate NodeRepair is on";
  return budgetsOf(pool).flatMap((budget, index) => {
    const { nodes, schedule, duration, reasons } = budget;
    if (Array.isArray(reasons) && !reasons.includes("Unhealthy")) return [];
    const texts = { nodes: textOf(nodes), schedule: textOf(schedule), duration: textOf(duration) };
    const { when } = activityOf(texts);
    if (!letsNothingThrough(texts) || when === "never") return [];
    const during = schedule === undefined ? "" : ` while its schedule \`${texts.schedule}\` is active`;
    const words = isDowngrade
      ? `does not keep Karpenter 1.14 from replacing unhealthy nodes, as it keeps 1.15`
      : `keeps unhealthy nodes from being repaired in Karpenter 1.15${during}${ifOn}; 1.14 repairs without regard to budgets`;
    const message = `${describeResource(pool)}: the budget of ${texts.nodes ?? DEFAULT_BUDGET_NODES} ${words}`;
    const hint = "give the budget the reasons Underutilized, Empty and Drifted, and repair ignores it";
    const path = ["spec", "disruption", "budgets", index];
    return [findingAt("upgrade-repair-paced", pool, path, { message, hint: isDowngrade ? undefined : hint })];
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** docs/upstream/karpenter.md#root-device. */
function rootVolume(nodeClass: Resource, isDowngrade: boolean): Finding[] {
  if (imageFamilyOf(nodeClass.value) !== BOTTLEROCKET || blockDevicesOf(nodeClass.value).length > 0) return [];
  const [old, now] = isDowngrade ? ["6Gi", "4Gi"] : ["4Gi", "6Gi"];
  const message = `${describeResource(nodeClass)}: new nodes get a root volume of ${now} in place of ${old}, because the class has no blockDeviceMappings; running nodes stay as they are`;
  const hint = "list /dev/xvda and /dev/xvdb in blockDeviceMappings to decide on their sizes";
  return [findingAt("upgrade-default-changed", nodeClass, ["spec"], { message, hint })];
}

const HASH = "karpenter.k8s.aws/ec2nodeclass-hash";

function hashOf({ value }: Resource) {
  const annotation = (name: string) => textOf(valueAt(value, ["metadata", "annotations", name]));
  return { hash: annotation(HASH), version: annotation(`${HASH}-version`) };
}

function hashVersion(nodeClass: Resource, from: Release): Finding[] {
  const { version } = hashOf(nodeClass);
  const expected = HASH_VERSIONS[from].nodeClass;
  if (version === undefined || version === expected) return [];
  const message = `${describeResource(nodeClass)} has hash version ${version}, and Karpenter ${from} writes ${expected}: another version runs in the cluster`;
  const hint = "check the version of the running Karpenter, and give it with --from";
  const path = ["metadata", "annotations", `${HASH}-version`];
  return [findingAt("upgrade-version-differs", nodeClass, path, { message, hint })];
}

/** The controller of hashes migrates only NodeClaims without the condition (docs/upstream/karpenter.md#hash-of-a-node-class). */
function driftedBefore({ to, nodePools, nodeClasses, nodeClaims }: UpgradeInput): Finding[] {
  const classesByName = new Map(nodeClasses.map((one) => [one.name, one]));
  const byPool = Map.groupBy(nodeClaims, ({ value }) =>
    valueAt(value, ["metadata", "labels", "karpenter.sh/nodepool"]),
  );
  return nodePools.flatMap((pool) => {
    const claims = byPool.get(pool.name) ?? [];
    const { true: drifted = [], false: others = [] } = Object.groupBy(claims, (claim) => String(isDrifted(claim)));
    const nodeClass = classesByName.get(String(classOf(pool)));
    const own = nodeClass === undefined ? undefined : hashOf(nodeClass);
    const hidden = others.filter((claim) => {
      const { hash, version } = hashOf(claim);
      return hash !== undefined && own?.hash !== undefined && version === own.version && hash !== own.hash;
    });
    const sentences = [
      ...(drifted.length === 0
        ? []
        : [
            `nodes that drifted before the upgrade will still be replaced: ${drifted.length} (${budgetsFor(pool, "Drifted")})`,
          ]),
      ...(hidden.length === 0
        ? []
        : [
            `nodes that differ from their class and are not marked as drifted keep their settings, because Karpenter ${to} takes the hash of the class for theirs: ${hidden.length}`,
          ]),
    ];
    if (sentences.length === 0) return [];
    const message = `${describeResource(pool)}: ${sentences.join("; ")}`;
    return [findingAt("upgrade-drift", pool, [], { message, hint: "wait until no node differs, and upgrade then" })];
  });
}

function isDrifted({ value }: Resource): boolean {
  const conditions = valueAt(value, ["status", "conditions"]);
  return Array.isArray(conditions) && conditions.some((one: unknown) => valueAt(one, ["type"]) === "Drifted");
}
