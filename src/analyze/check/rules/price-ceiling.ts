/** Pools whose instance types cost more than the RenderConfig wants, or may. */
import type { Price } from "../../../karpenter/catalogue/price-index.ts";
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { locationOf } from "../../../krm/location.ts";
import { describeResource, type Resource } from "../../../krm/resource.ts";
import { moneyWords, placeOfPrices } from "../../../model/money.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";

const CEILING = ["spec", "priceCeiling"];
const REQUIREMENTS = ["spec", "template", "spec", "requirements"];

/** Nothing without a ceiling. A pool that gets no nodes costs nothing. */
export function priceCeiling({ explanations, market, inputs: { settings } }: ExplainedCluster): Finding[] {
  const { resource, config } = settings;
  const { perHour, currency = "USD" } = config.priceCeiling ?? {};
  if (perHour === undefined || resource === undefined) return [];
  const origin = market.prices?.origin;
  if (origin === undefined) return [unjudged(resource, "no list prices of its region are known", BRING_PRICES)];
  if (origin.currency !== currency) {
    const why = `it is in ${currency}, and the prices are in ${origin.currency} (${placeOfPrices(origin)})`;
    return [unjudged(resource, why, `write it in ${origin.currency}`)];
  }
  const where = `the ceiling of ${moneyWords(perHour, currency)} (${locationOf(resource, CEILING)})`;
  const words = ({ type, perHour: price }: Price): string =>
    `${type} at ${moneyWords(price, currency)} an hour (${placeOfPrices(origin)})`;
  return explanations.flatMap(({ pool: { wrapper }, prices, verdict }: PoolExplanation): Finding[] => {
    if (verdict === "unsatisfiable" || prices === undefined) return [];
    const subject = describeResource(wrapper);
    if (prices.perHour === undefined) {
      const message = `${subject} cannot be held against ${where}: no price of its instance types is known where it may launch them (${placeOfPrices(origin)})`;
      return [findingAt("price-ceiling-unknown", wrapper, REQUIREMENTS, { message, hint: BRING_PRICES })];
    }
    const { cheapest, dearest } = prices.perHour;
    if (cheapest.perHour > perHour) {
      const message = `${subject}: the cheapest instance type that it can get is ${words(cheapest)}, above ${where}`;
      return [
        findingAt("price-ceiling", wrapper, REQUIREMENTS, {
          message,
          hint: "allow cheaper instance types; `anp explain` shows what each entry costs",
        }),
      ];
    }
    if (dearest.perHour <= perHour) return [];
    const message = `${subject} may launch instance types above ${where}, up to ${words(dearest)}`;
    return [
      findingAt("price-ceiling-exceedable", wrapper, REQUIREMENTS, {
        message,
        hint: "leave them out, such as by Lte on karpenter.k8s.aws/instance-cpu",
      }),
    ];
  });
}

const BRING_PRICES =
  "a catalogue can bring prices, those of Spot among them (anp catalogue build --prices --spot-prices)";

function unjudged(resource: Resource, why: string, hint: string): Finding {
  const message = `${describeResource(resource)}: no pool can be held against the price ceiling: ${why}`;
  return findingAt("price-ceiling-unknown", resource, CEILING, { message, hint });
}
