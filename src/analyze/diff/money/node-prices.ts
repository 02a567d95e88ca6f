/** What a node costs that runs, and what the cheapest one would that can take its place. */
import { type Catalogue, INSTANCE_TYPE } from "../../../karpenter/catalogue/catalogue.ts";
import type { Price, PriceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { both, isNone, maskOf } from "../../../karpenter/catalogue/type-mask.ts";
import { labelRequirements } from "../../../karpenter/requirements/requirements.ts";
import { type Amounts, allocatableTypes } from "../../../karpenter/scheduling/resources.ts";
import { oncePerObject } from "../../../model/once.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import type { Launchable } from "./price-envelope.ts";

/** What is sold, and what it costs. */
export interface PricedTypes {
  readonly catalogue: Catalogue;
  readonly prices: PriceIndex;
}

const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const REGION = "topology.kubernetes.io/region";

/** By which of its labels a node is sold: of another one nobody has prices. */
const SOLD_BY = [CAPACITY_TYPE, "kubernetes.io/os", "topology.kubernetes.io/zone", "topology.k8s.aws/zone-id"];

/**
 * Undefined where the node says no instance type or capacity type, is in another region than the prices are of, or what
 * it is has no price: what is reserved is paid already, and Spot has a price only where the catalogue brings one.
 */
export function priceOfNode({ labels }: NodeFacts, { catalogue, prices }: PricedTypes): Price | undefined {
  const { region } = prices.origin;
  if (region !== undefined && labels[REGION] !== undefined && labels[REGION] !== region) return undefined;
  const { [INSTANCE_TYPE]: type, [CAPACITY_TYPE]: capacityType } = labels;
  if (type === undefined || capacityType === undefined) return undefined;
  const sold = Object.fromEntries(SOLD_BY.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])));
  const known = pricesOfNodes(prices);
  const question = JSON.stringify([type, sold]);
  if (!known.has(question)) {
    const at = catalogue.names.indexOf(type);
    const only = maskOf(catalogue.names.length, (index) => index === at);
    known.set(question, prices.cheapest(only, labelRequirements(sold)));
  }
  return known.get(question);
}

/** Nodes of one kind have one price. */
const pricesOfNodes = oncePerObject((_prices: PriceIndex) => new Map<string, Price | undefined>());

/**
 * The cheapest type that the pool may launch and that has what the node was launched for; the cheapest at all where
 * nobody says that. What the pods there ask for of labels, and what they came to since, is not looked at. `none`: the
 * pool has no such type. Undefined where none of them has a price.
 */
export function cheapestReplacement(
  { requests }: Pick<NodeFacts, "requests">,
  { types, remaining }: Launchable,
  { catalogue, prices }: PricedTypes,
): Price | "none" | undefined {
  const roomy =
    requests === undefined ? types : both(types, allocatableTypes(catalogue).fitting(comparable(requests, catalogue)));
  return isNone(roomy) ? "none" : prices.cheapest(roomy, remaining.requirements);
}

/** What a node has of its disk is the business of its node class, and of other things a catalogue need not know. */
function comparable(requests: Amounts, { allocatable }: Catalogue): Amounts {
  return new Map([...requests].filter(([name]) => name !== "ephemeral-storage" && allocatable.has(name)));
}
