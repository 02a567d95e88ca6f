/** The rules between the kubelet settings of a wrapper, as CEL and as predicates. */
import { compareQuantities, parseQuantity } from "../values/quantity.ts";
import type { StringMap } from "../schema/map-of.ts";
import type { Rule } from "../schema/rule.ts";

/** The settings that the rules read. */
interface Kubelet extends Thresholds {
  readonly maxPods?: number | undefined;
  readonly podsPerCore?: number | undefined;
  readonly evictionHard?: StringMap | undefined;
  readonly evictionSoft?: StringMap | undefined;
  readonly evictionSoftGracePeriod?: StringMap | undefined;
}

interface Thresholds {
  readonly imageGCHighThresholdPercent?: number | undefined;
  readonly imageGCLowThresholdPercent?: number | undefined;
}

export const imageGCThresholds: Rule<Thresholds> = {
  cel: "!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent",
  message: "imageGCHighThresholdPercent must be larger than imageGCLowThresholdPercent",
  test: ({ imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low }) =>
    high === undefined || low === undefined || high > low,
  at: ["imageGCHighThresholdPercent"],
};

export const KUBELET_RULES: readonly Rule<Kubelet>[] = [
  {
    cel: "!has(self.podsPerCore) || !has(self.maxPods) || self.podsPerCore <= self.maxPods",
    message: "podsPerCore is larger than maxPods",
    test: ({ podsPerCore, maxPods }) => podsPerCore === undefined || maxPods === undefined || podsPerCore <= maxPods,
    at: ["podsPerCore"],
  },
  imageGCThresholds,
  {
    cel: "!has(self.evictionSoft) || (has(self.evictionSoftGracePeriod) && self.evictionSoft.all(k, k in self.evictionSoftGracePeriod))",
    message: "a soft threshold without a grace period: the kubelet would not start",
    hint: "add the same signal to evictionSoftGracePeriod",
    test: ({ evictionSoft, evictionSoftGracePeriod }) => missingIn(evictionSoft, evictionSoftGracePeriod) === undefined,
    at: ({ evictionSoft, evictionSoftGracePeriod }) => [
      "evictionSoft",
      missingIn(evictionSoft, evictionSoftGracePeriod) ?? "",
    ],
  },
  {
    cel: "!has(self.evictionSoftGracePeriod) || (has(self.evictionSoft) && self.evictionSoftGracePeriod.all(k, k in self.evictionSoft))",
    message: "a grace period without a soft threshold",
    hint: "add the same signal to evictionSoft, or remove it here",
    test: ({ evictionSoft, evictionSoftGracePeriod }) => missingIn(evictionSoftGracePeriod, evictionSoft) === undefined,
    at: ({ evictionSoft, evictionSoftGracePeriod }) => [
      "evictionSoftGracePeriod",
      missingIn(evictionSoftGracePeriod, evictionSoft) ?? "",
    ],
  },
  {
    cel: `!has(self.evictionHard) || !has(self.evictionSoft) || self.evictionHard.all(k, !(k in self.evictionSoft) || (${softBeforeHard("self.evictionSoft[k]", "self.evictionHard[k]")}))`,
    message: "the soft threshold lies below the hard one, so the hard one would always come first",
    hint: "raise it to the value in evictionHard or above",
    test: (kubelet) => lateSignal(kubelet) === undefined,
    at: (kubelet) => ["evictionSoft", lateSignal(kubelet) ?? ""],
  },
];

function missingIn(map: StringMap | undefined, other: StringMap | undefined): string | undefined {
  return Object.keys(map ?? {}).find((key) => !Object.hasOwn(other ?? {}, key));
}

/** Two percentages or two quantities are compared; a mixed pair, or other text, passes. */
function softBeforeHard(soft: string, hard: string): string {
  const number = (text: string): string => `double(${text}.substring(0, ${text}.size() - 1))`;
  const percentages = `${soft}.size() <= 1 || ${hard}.size() <= 1 || ${number(soft)} >= ${number(hard)}`;
  const quantities = `!(isQuantity(${soft}) && isQuantity(${hard})) || quantity(${soft}).compareTo(quantity(${hard})) >= 0`;
  return `(${soft}.endsWith('%') && ${hard}.endsWith('%')) ? (${percentages}) : (${quantities})`;
}

/** The first signal with a soft threshold that is reached after the hard one. */
function lateSignal({ evictionHard = {}, evictionSoft = {} }: Kubelet): string | undefined {
  return Object.entries(evictionHard).find(([signal, hard]) => {
    const soft = Object.hasOwn(evictionSoft, signal) ? evictionSoft[signal] : undefined;
    return soft !== undefined && !comesFirst(soft, hard);
  })?.[0];
}

function comesFirst(soft: string, hard: string): boolean {
  if (soft.endsWith("%") && hard.endsWith("%")) {
    if (soft === "%" || hard === "%") return true;
    const [softPercent, hardPercent] = [percentOf(soft), percentOf(hard)];
    // CEL stops with an error on a percentage without a number, and an error refuses the object.
    return softPercent !== undefined && hardPercent !== undefined && softPercent >= hardPercent;
  }
  const [softAmount, hardAmount] = [parseQuantity(soft), parseQuantity(hard)];
  return softAmount === undefined || hardAmount === undefined || compareQuantities(softAmount, hardAmount) >= 0;
}

/** The texts that CEL's double() accepts, except for the spellings of infinity and hexadecimal numbers. */
export function percentOf(text: string): number | undefined {
  const number = text.slice(0, -1);
  return /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(number) && Number.isFinite(Number(number))
    ? Number(number)
    : undefined;
}
