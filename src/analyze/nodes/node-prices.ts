/** The price of a running node, and of the cheapest node that can replace it. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { type Catalogue, INSTANCE_TYPE } from "../../karpenter/catalogue/catalogue.ts";
import { admitsSpot, onDemandOnly, type Price, type PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { both, isNone, maskOf, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import { labelRequirements, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { type Amounts, allocatableTypes } from "../../karpenter/scheduling/resources.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { NodeFacts } from "./node-data.ts";

/** The instance types of a pool, with its requirements for zones and capacity types. */
export interface Launchable {
  readonly types: TypeMask;
  readonly remaining: { readonly requirements: Requirements };
}

/** Instance types with their prices. */
export interface PricedTypes {
  readonly catalogue: Catalogue;
  readonly prices: PriceIndex;
}

const REGION = "topology.kubernetes.io/region";

/** The labels that determine the price of a node. */
const PRICE_LABELS = [CAPACITY_TYPE, "kubernetes.io/os", "topology.kubernetes.io/zone", "topology.k8s.aws/zone-id"];

/**
 * Undefined if the node lacks a label for instance type or capacity type, is in another region than the prices, or has
 * no price. Reserved capacity is paid already, and Spot has a price only if the catalogue has Spot prices.
 */
export function priceOfNode(
  { labels }: Pick<NodeFacts, "labels">,
  { catalogue, prices }: PricedTypes,
): Price | undefined {
  const region = prices.origin.insteadOf ?? prices.origin.region;
  if (region !== undefined && labels[REGION] !== undefined && labels[REGION] !== region) return undefined;
  const { [INSTANCE_TYPE]: type, [CAPACITY_TYPE]: capacityType } = labels;
  if (type === undefined || capacityType === undefined) return undefined;
  const priceLabels = Object.fromEntries(
    PRICE_LABELS.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])),
  );
  const known = pricesOfNodes(prices);
  const question = JSON.stringify([type, priceLabels]);
  if (!known.has(question)) {
    const at = catalogue.names.indexOf(type);
    const only = maskOf(catalogue.names.length, (index) => index === at);
    known.set(question, prices.cheapest(only, labelRequirements(priceLabels)));
  }
  return known.get(question);
}

/** Memoized, because nodes with the same labels have the same price. */
const pricesOfNodes = memoizeByObject((_prices: PriceIndex) => new Map<string, Price | undefined>());

/** What a Spot node without a price costs at most (docs/upstream/karpenter.md#prices); undefined for other nodes. */
export function mostOfSpotNode(node: NodeFacts, priced: PricedTypes): Price | undefined {
  if (node.labels[CAPACITY_TYPE] !== "spot") return undefined;
  return priceOfNode({ ...node, labels: { ...node.labels, [CAPACITY_TYPE]: "on-demand" } }, priced);
}

/** What comes in a node's place, from the cheapest to the dearest. */
export interface Replacements {
  readonly best: Price;
  readonly worst: Price;
}

/**
 * The cheapest and the dearest type that the pool may launch with room for the requests of the node's launch, if those are known. Label
 * requirements of its pods and later pods are not considered (docs/diff.md#what-it-costs). `none`: the pool has no such
 * type. Undefined if no such type has a price. @param isSpot whether it costs at most the price on demand
 */
export function possibleReplacements(
  { requests }: Pick<NodeFacts, "requests">,
  { types, remaining }: Launchable,
  { catalogue, prices }: PricedTypes,
  isSpot = false,
): Replacements | "none" | undefined {
  const roomy =
    requests === undefined ? types : both(types, allocatableTypes(catalogue).fitting(comparable(requests, catalogue)));
  if (isNone(roomy)) return "none";
  const { requirements } = remaining;
  const asked = isSpot && admitsSpot(requirements) ? onDemandOnly(requirements) : requirements;
  const best = prices.cheapest(roomy, asked);
  return best && { best, worst: prices.dearest(roomy, asked) ?? best };
}

/** Leaves out disk space, which depends on the node class, and resources that the catalogue does not have. */
function comparable(requests: Amounts, { allocatable }: Catalogue): Amounts {
  return new Map([...requests].filter(([name]) => name !== "ephemeral-storage" && allocatable.has(name)));
}
