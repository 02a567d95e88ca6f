/** Rules: pools that can take the same pods, and pools that take pods which select none. */
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { valuesOf } from "../../../karpenter/catalogue/type-filter.ts";
import type { Price, PriceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { regionOfPools } from "../../../karpenter/catalogue/price-region.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { textAt } from "../../../krm/places/text-at.ts";
import { moneyWords, placeOfPrices, PRICE_DIGITS } from "../../../model/values/money.ts";
import { type ExplainedCluster, priceIndexes, type PricesFor } from "../../explain/explain.ts";
import { memoizeByObject } from "../../../model/schema/memoize.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { firstOverlaps, type TriedPool, triedPools } from "../overlapping.ts";

/** Labels of instance types that few pods need, with the word for such types. */
const SPECIAL = {
  "karpenter.k8s.aws/instance-gpu-count": "a GPU",
  "karpenter.k8s.aws/instance-accelerator-count": "an accelerator",
} as const;

/**
 * Only their names decide which one Karpenter tries first (docs/upstream/karpenter.md#order-of-pools). Each pool gets
 * one finding, which names the first pool that Karpenter tries before it.
 */
export function poolsOverlap(cluster: ExplainedCluster): Finding[] {
  const groups = Map.groupBy(triedPools(cluster), ({ pool, taints }) => `${weightOf(pool)} ${taints}`);
  return [...groups.values()].flatMap(overlaps);
}

function overlaps(group: readonly TriedPool[]): Finding[] {
  return firstOverlaps(group).flatMap((first, index) =>
    first === undefined ? [] : [describe(first.pool, group[index]!.pool)],
  );
}

function describe(first: ResolvedPool, second: ResolvedPool): Finding {
  const weight = weightOf(second);
  const equal = weight === 0 ? "neither has a weight" : `both have the weight ${weight}`;
  const message = `${describeResource(second.wrapper)} can take the same pods as ${first.name}, and ${equal}: Karpenter tries ${first.name} first, because its name comes later in the alphabet`;
  const hint = "give one of them a higher weight, or separate them by labels or taints";
  return findingAt("pools-overlap", second.wrapper, weight === 0 ? ["metadata", "name"] : ["spec", "weight"], {
    message,
    hint,
  });
}

/** Labels keep no pod away from a pool, only taints do (docs/upstream/karpenter.md#order-of-pools). */
export function poolTakesAllPods(
  cluster: ExplainedCluster,
  { pricesFor }: { readonly pricesFor: PricesFor },
): Finding[] {
  const [first, second, ...rest] = triedPools(cluster).filter(({ taints }) => taints === "");
  if (first === undefined || second === undefined) return [];
  const special = specialTypes(cluster, first.pool);
  const dearer = special === undefined ? muchDearer(first, [second, ...rest], cluster, pricesFor) : undefined;
  const what = special === undefined ? dearer?.what : `each of its instance types has ${special}`;
  if (what === undefined) return [];
  const { pool } = first;
  const other = dearer?.other ?? second.pool;
  const why =
    weightOf(pool) > weightOf(other) ? `its weight is ${weightOf(pool)}` : "its name comes later in the alphabet";
  const message = `${describeResource(pool.wrapper)} takes every pod that selects no pool, before ${other.name}: it has no taint, ${why}, and ${what}`;
  const hint = "give it a taint that the pods for it tolerate, or the other pools a higher weight";
  return [findingAt("pool-takes-all-pods", pool.wrapper, ["spec", "template", "spec"], { message, hint })];
}

/** Below it are the differences between families of general use, such as t3, m7i, c7i and r7i. */
const MUCH_DEARER = 3;

const MOST_COMPARED = 100;

/** The cheapest pool that costs a third of the first one at most. */
function muchDearer(
  first: TriedPool,
  others: readonly TriedPool[],
  { knownTypes, inputs: { settings }, pools: all }: ExplainedCluster,
  pricesFor: PricesFor,
): { readonly what: string; readonly other: ResolvedPool } | undefined {
  const { catalogue } = knownTypes.filter;
  const known = knownTypes.typesUnknown === true ? undefined : pricesFor(settings, regionOfPools(all));
  if (known === undefined) return undefined;
  const costOf = ({ remaining: { types, requirements } }: TriedPool) =>
    leastCost(priceIndexes(catalogue)(known).prices(types, requirements), catalogue);
  const mine = costOf(first);
  if (mine === undefined) return undefined;
  const [cheapest] = others
    .slice(0, MOST_COMPARED)
    .flatMap((other) => {
      const cost = costOf(other);
      return cost === undefined ? [] : [{ pool: other.pool, ...cost }];
    })
    .toSorted((a, b) => a.perHour - b.perHour);
  if (cheapest === undefined || mine.perHour < MUCH_DEARER * cheapest.perHour) return undefined;
  const words = ({ type, perHour }: Cost) => `${moneyWords(Number(perHour.toPrecision(2)), known)} (${type})`;
  return {
    what: `1 vCPU with 4 GiB of memory costs at least ${words(mine)} an hour in it, there ${words(cheapest)} (${placeOfPrices(known)})`,
    other: cheapest.pool,
  };
}

type Cost = Pick<Price, "type" | "perHour">;

function leastCost({ perHour }: ReturnType<PriceIndex["prices"]>, catalogue: Catalogue): Cost | undefined {
  const shares = sharesOf(catalogue);
  let least: Cost | undefined;
  for (const { type, perHour: price } of perHour) {
    const cost = Number((price / (shares.get(type) ?? 0)).toFixed(PRICE_DIGITS));
    if (cost < (least?.perHour ?? Infinity)) least = { type, perHour: cost };
  }
  return least;
}

/** How often a type has 1 vCPU with 4 GiB, so that types of all sizes and families compare. */
const sharesOf = memoizeByObject((catalogue: Catalogue) => {
  const number = (index: number, label: string) =>
    Number(valuesOf(catalogue, index, `karpenter.k8s.aws/instance-${label}`)[0]);
  return new Map(
    catalogue.names.map((name, index) => [name, Math.min(number(index, "cpu"), number(index, "memory") / 4096)]),
  );
});

/** What all instance types of a pool have that few pods need. */
function specialTypes({ explanations, knownTypes }: ExplainedCluster, pool: ResolvedPool): string | undefined {
  const names = explanations.find((explanation) => explanation.pool === pool)?.instanceTypes.names ?? [];
  if (names.length === 0) return undefined;
  const { catalogue } = knownTypes.filter;
  const special = Object.entries(SPECIAL).find(([key]) =>
    names.every((name) => valuesOf(catalogue, catalogue.names.indexOf(name), key).length > 0),
  );
  return special?.[1] ?? (names.every((name) => name.includes(".metal")) ? "no hypervisor (bare metal)" : undefined);
}

/** Taints that an agent on the node removes when it is ready (docs/upstream/karpenter.md#startup-taints). */
const STARTUP_TAINTS: ReadonlyMap<string, string> = new Map([
  ["node.cilium.io/agent-not-ready", "Cilium"],
  ["ebs.csi.aws.com/agent-not-ready", "the EBS CSI driver"],
  ["efs.csi.aws.com/agent-not-ready", "the EFS CSI driver"],
  ["fsx.csi.aws.com/agent-not-ready", "the FSx CSI driver"],
  ["s3.csi.aws.com/agent-not-ready", "the S3 CSI driver"],
]);

/** Karpenter ignores a startup taint when it looks for a node for a pod, and no other taint of a pool. */
export function startupTaintPermanent({ pools }: ExplainedCluster): Finding[] {
  // Nodes of static pools wait for no pod.
  const dynamic = pools.filter(({ wrapper }) => valueAt(wrapper.value, ["spec", "replicas"]) === undefined);
  return dynamic.flatMap(({ wrapper }) => {
    const path: FieldPath = ["spec", "template", "spec", "taints"];
    const taints = valueAt(wrapper.value, path);
    return (Array.isArray(taints) ? taints : []).flatMap((taint: unknown, at): Finding[] => {
      const key = textAt(taint, ["key"]) ?? "";
      const agent = STARTUP_TAINTS.get(key);
      if (agent === undefined || textAt(taint, ["effect"]) === "PreferNoSchedule") return [];
      const message = `${describeResource(wrapper)}: ${agent} removes the taint ${key} from a node that has started, but Karpenter takes \`taints\` for permanent: it launches no node of the pool for pods that do not tolerate it`;
      return [
        findingAt("startup-taint-permanent", wrapper, [...path, at, "key"], {
          message,
          hint: "move it to startupTaints",
        }),
      ];
    });
  });
}
