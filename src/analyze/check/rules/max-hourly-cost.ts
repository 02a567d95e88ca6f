/** Rule: pools that may cost more at their limits than the RenderConfig allows. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { locationOf } from "../../../krm/places/location.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { HOURS_A_MONTH, monthWords, moneyWords, placeOfPrices } from "../../../model/values/money.ts";
import { costAtLimits } from "../../explain/cost-at-limits.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { isUnsatisfiable } from "../../explain/explain-pool.ts";

const MOST = ["spec", "maxHourlyCost"];
const LIMITS = ["spec", "limits"];

/** No findings without `maxHourlyCost`, or for pools without nodes. */
export function maxHourlyCost({ explanations, knownTypes, inputs: { settings } }: ExplainedCluster): Finding[] {
  const { resource, config } = settings;
  const { amount, currency = "USD" } = config.maxHourlyCost ?? {};
  if (amount === undefined || resource === undefined) return [];
  const origin = knownTypes.prices?.origin;
  if (origin === undefined || origin.insteadOf !== undefined)
    return [unknown(resource, MOST, "no list prices of its region are known", BRING_PRICES)];
  if (origin.currency !== currency) {
    const why = `it is in ${currency}, and the prices are in ${origin.currency} (${placeOfPrices(origin)})`;
    return [unknown(resource, MOST, why, `write it in ${origin.currency}`)];
  }
  const most = `${moneyWords(amount, currency)} an hour (${locationOf(resource, MOST)})`;
  return explanations.flatMap(({ pool, remaining, obstacles }): Finding[] => {
    if (isUnsatisfiable({ obstacles })) return [];
    const { wrapper } = pool;
    const subject = describeResource(wrapper);
    const cost = costAtLimits({ pool, remaining }, knownTypes);
    if (cost === undefined)
      return [
        unknown(wrapper, LIMITS, `no price of its instance types is known (${placeOfPrices(origin)})`, BRING_PRICES),
      ];
    if (cost === "unbounded") {
      const message = `${subject} may cost any amount, and at most ${most} is allowed: it has no limit that each of its instance types counts for`;
      const hint = "set limits.cpu to what the pool may need";
      return [findingAt("hourly-cost-unbounded", wrapper, LIMITS, { message, hint })];
    }
    if (cost.perHour <= amount) return [];
    const { perHour, limit, type, resource: of } = cost;
    const isStatic = of === "replicas";
    const path = ["spec", ...(isStatic ? [] : ["limits"]), of];
    const month = monthWords(perHour * HOURS_A_MONTH, currency);
    const what = isStatic ? `its ${limit} replicas` : `its limit of ${limit} on ${of}`;
    const beyond = of === "nodes" ? ", which a batch of pods may exceed," : "";
    const message = `${subject} may cost ${moneyWords(rounded(perHour), currency)} an hour (${month} a month) at ${what}${beyond} with ${type} alone, and at most ${most} is allowed (${placeOfPrices(origin)})`;
    const hint = `lower the ${isStatic ? "replicas" : "limit"}, or exclude dear instance types`;
    return [findingAt("hourly-cost", wrapper, path, { message, hint })];
  });
}

/** To cents. */
function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}

const BRING_PRICES = "use a catalogue with prices (anp catalogue build --prices --spot-prices)";

function unknown(resource: Resource, path: readonly string[], why: string, hint: string): Finding {
  const message = `${describeResource(resource)}: what pools cost at their limits is unknown: ${why}`;
  return findingAt("hourly-cost-unknown", resource, path, { message, hint });
}
