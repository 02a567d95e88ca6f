/** PodDisruptionBudgets of the input that allow no eviction, so that nodes with their pods stay. */
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { counted } from "../../krm/values/counted.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { isEvicted } from "../nodes/held-pod.ts";
import { isPodBudget } from "../nodes/node-pairs.ts";
import { isHeldBy, type PodMaker, podMakersAmong } from "../nodes/pod-makers.ts";

/** See docs/upstream/karpenter.md#pods-that-hold-nodes. @param objects all of the input */
export function budgetsWithoutEviction(objects: readonly Resource[], pools: readonly ResolvedPool[]): Finding[] {
  const budgets = pools.length === 0 ? [] : objects.filter(isPodBudget);
  if (budgets.length === 0) return [];
  const makers = podMakersAmong(objects);
  const scaled = new Set(objects.flatMap(scaledBy));
  const { replacing, grace } = onReplacing(pools);
  return budgets.flatMap((budget): Finding[] => {
    const held = makers.filter((maker) => isHeldBy(maker, budget));
    const isDrained =
      held.length === 0 || held.some(({ resource, template }) => isEvicted(valueAt(resource.value, template)));
    const block = isDrained ? blockOf(budget, held, scaled) : undefined;
    if (block === undefined) return [];
    const { field, words, hint } = block;
    const message = `${describeResource(budget)}: ${words} allows no eviction: Karpenter consolidates no node with one of its pods; ${replacing}`;
    const finding = findingAt("eviction-never-allowed", budget, ["spec", field], { message, hint: `${hint}${grace}` });
    return [block.isPlain ? finding : { ...finding, severity: "warning" }];
  });
}

interface Block {
  readonly field: "maxUnavailable" | "minAvailable";
  readonly words: string;
  readonly hint: string;
  /** Whether the field says so by itself, as if it were meant. */
  readonly isPlain: boolean;
}

function blockOf({ value }: Resource, held: readonly PodMaker[], scaled: ReadonlySet<string>): Block | undefined {
  const [most, least] = ["maxUnavailable", "minAvailable"].map((field) => valueAt(value, ["spec", field]));
  if ([0, "0", "0%"].includes(most as number)) {
    const hint = "write maxUnavailable: 1";
    return { field: "maxUnavailable", words: `maxUnavailable: ${String(most)}`, hint, isPlain: true };
  }
  if (least === "100%") {
    const hint = "write maxUnavailable: 1 in its place";
    return { field: "minAvailable", words: "minAvailable: 100%", hint, isPlain: true };
  }
  const workloads = held.filter(({ template }) => template.length > 0).map(({ resource }) => resource);
  const sizes = workloads.map((one) => (scaled.has(one.name) ? undefined : replicasOf(one)));
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined;
  const replicas = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const needed = neededOf(least, replicas);
  if (needed === undefined || replicas === 0 || needed < replicas) return undefined;
  const [first, ...others] = workloads.map(describeResource);
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "more workload")}`;
  return {
    field: "minAvailable",
    words: `minAvailable: ${String(least)} of ${counted(replicas, "replica")} (${first}${more})`,
    hint: "write maxUnavailable: 1 in its place, or run more replicas",
    isPlain: false,
  };
}

/** Undefined for a workload without a number of its own, which something else may scale. */
function replicasOf({ kind, value }: Resource): number | undefined {
  const replicas = valueAt(value, ["spec", "replicas"]);
  return kind !== "DaemonSet" && kind !== "Job" && typeof replicas === "number" ? replicas : undefined;
}

/** As the disruption controller of Kubernetes rounds a percentage: up. */
function neededOf(least: unknown, replicas: number): number | undefined {
  if (typeof least === "number") return least;
  const [, percent] = /^(\d{1,3})%$/.exec(String(least)) ?? [];
  return percent === undefined ? undefined : Math.ceil((Number(percent) * replicas) / 100);
}

/** The workload that an autoscaler changes. */
function scaledBy({ kind, value }: Resource): string[] {
  if (!["HorizontalPodAutoscaler", "ScaledObject"].includes(kind)) return [];
  return [textAt(value, ["spec", "scaleTargetRef", "name"]) ?? ""];
}

/** Drift takes a node with such pods, and a drain ends, only with a grace period. */
function onReplacing(pools: readonly ResolvedPool[]): { readonly replacing: string; readonly grace: string } {
  const graceOf = ({ spec }: ResolvedPool) => spec.template.spec.terminationGracePeriod;
  const [endless, ...more] = pools.filter((pool) => graceOf(pool) === undefined);
  if (endless === undefined) {
    const replacing = `drift and expiry delete the pods after terminationGracePeriod (${graceOf(pools[0]!)}), despite the budget`;
    return { replacing, grace: "" };
  }
  const others = more.length === 0 ? "" : ` and ${counted(more.length, "more pool")}`;
  return {
    replacing: `without terminationGracePeriod, as in ${describeResource(endless.wrapper)}${others}, drifted and expired nodes stay until these pods end`,
    grace: ", or set terminationGracePeriod in the pools",
  };
}
