/** Rule: pools with instance types above the price ceiling of the RenderConfig. */
import type { Price } from "../../../karpenter/catalogue/price-index.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { locationOf } from "../../../krm/places/location.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { moneyWords, placeOfPrices } from "../../../model/values/money.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { isUnsatisfiable } from "../../explain/explain-pool.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";

const CEILING = ["spec", "priceCeiling"];
const REQUIREMENTS = ["spec", "template", "spec", "requirements"];

/** No findings without a ceiling, or for pools without nodes. */
export function priceCeiling({ explanations, knownTypes, inputs: { settings } }: ExplainedCluster): Finding[] {
  const { resource, config } = settings;
  const { perHour, currency = "USD" } = config.priceCeiling ?? {};
  if (perHour === undefined || resource === undefined) return [];
  const origin = knownTypes.prices?.origin;
  if (origin === undefined || origin.insteadOf !== undefined)
    return [unchecked(resource, "no list prices of its region are known", BRING_PRICES)];
  if (origin.currency !== currency) {
    const why = `it is in ${currency}, and the prices are in ${origin.currency} (${placeOfPrices(origin)})`;
    return [unchecked(resource, why, `write it in ${origin.currency}`)];
  }
  const where = `the ceiling of ${moneyWords(perHour, currency)} (${locationOf(resource, CEILING)})`;
  const words = ({ type, perHour: price }: Price): string =>
    `${type} at ${moneyWords(price, currency)} an hour (${placeOfPrices(origin)})`;
  return explanations.flatMap(({ pool: { wrapper }, prices, obstacles }: PoolExplanation): Finding[] => {
    if (isUnsatisfiable({ obstacles }) || prices === undefined) return [];
    const subject = describeResource(wrapper);
    if (prices.perHour === undefined) {
      const message = `${subject} cannot be compared with ${where}: no price of its instance types is known for its zones and capacity types (${placeOfPrices(origin)})`;
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
        hint: "exclude them, such as with Lte on karpenter.k8s.aws/instance-cpu",
      }),
    ];
  });
}

const BRING_PRICES = "use a catalogue with prices (anp catalogue build --prices --spot-prices)";

function unchecked(resource: Resource, why: string, hint: string): Finding {
  const message = `${describeResource(resource)}: the price ceiling cannot be checked for any pool: ${why}`;
  return findingAt("price-ceiling-unknown", resource, CEILING, { message, hint });
}
