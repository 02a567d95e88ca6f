/** Parses a `--where` condition on instance types as a requirement. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { NodeSelectorRequirement, Operator } from "../../model/requirements/requirement.ts";
import { normalizeKey } from "../requirements/requirement.ts";
import type { TypePrices } from "./type-prices.ts";

const KEYS = { price: "onDemand", "spot-price": "spot" } as const;

const COMPARISONS: Readonly<
  Record<Exclude<NodeSelectorRequirement["operator"], "Exists" | "DoesNotExist">, (a: number, b: number) => boolean>
> = {
  In: (a, b) => a === b,
  NotIn: (a, b) => a !== b,
  Gt: (a, b) => a > b,
  Gte: (a, b) => a >= b,
  Lt: (a, b) => a < b,
  Lte: (a, b) => a <= b,
};

type Where =
  | { readonly requirement: NodeSelectorRequirement }
  | { readonly price: PriceCondition }
  | { readonly problem: string };

const KEY = "([^\\s!=<>(),]+)";
const PRESENCE = new RegExp(`^(!?)\\s*${KEY}$`);
const LIST = new RegExp(`^${KEY}\\s+(in|notin)\\s*\\(([^()]*)\\)$`, "i");
const COMPARISON = new RegExp(`^${KEY}\\s*(>=|<=|!=|==|=|>|<)\\s*([^\\s!=<>(),]*)$`);

const COMPARED: Readonly<Record<string, Operator>> = { ">=": "Gte", "<=": "Lte", ">": "Gt", "<": "Lt" };

/** @param keys the known label keys */
export function parseWhere(text: string, keys: readonly string[]): Where {
  const requirement = read(text.trim());
  if (requirement === undefined) return { problem: `${JSON.stringify(text)} is not a condition: ${FORMS}` };
  const { key: name } = requirement;
  if (isPriceKey(name) && !keys.includes(name)) return priceCondition(text, name, requirement);
  const key = normalizeKey(name);
  if (!keys.includes(key)) return { problem: `no instance type has the label ${key}${nearest(key, keys)}` };
  const [number = ""] = requirement.values ?? [];
  if (Object.values(COMPARED).includes(requirement.operator) && !/^\d+$/.test(number))
    return { problem: `${JSON.stringify(text)} compares with ${JSON.stringify(number)}, which is not a whole number` };
  return { requirement: { ...requirement, key } };
}

const FORMS = "write KEY=VALUE, KEY!=VALUE, 'KEY in (A,B)', 'KEY notin (A,B)', 'KEY>=N' (also > < <=), KEY or '!KEY'";

function read(text: string): NodeSelectorRequirement | undefined {
  const [, not, present] = PRESENCE.exec(text) ?? [];
  if (present !== undefined) return { key: present, operator: not === "!" ? "DoesNotExist" : "Exists" };
  const [, listed, word, list] = LIST.exec(text) ?? [];
  if (listed !== undefined) {
    const values = (list ?? "").split(",").map((value) => value.trim());
    return { key: listed, operator: word?.toLowerCase() === "in" ? "In" : "NotIn", values };
  }
  const [, key, sign = "", value = ""] = COMPARISON.exec(text) ?? [];
  if (key === undefined) return undefined;
  return { key, operator: COMPARED[sign] ?? (sign === "!=" ? "NotIn" : "In"), values: [value] };
}

/** A key without its domain gets only a hint, because `cpu` is ambiguous. */
function nearest(key: string, keys: readonly string[]): string {
  const named = keys.filter((known) => known.endsWith(`/${key}`) || known.endsWith(`/instance-${key}`));
  const found = named.length === 1 ? named[0] : nearestWord(key, keys, 3);
  return found === undefined ? "; `anp catalogue -o json` lists them" : `; did you mean ${found}?`;
}

/** Whether an instance type meets it. */
type PriceCondition = (type: string, prices: TypePrices) => boolean;

function isPriceKey(key: string): key is keyof typeof KEYS {
  return Object.hasOwn(KEYS, key);
}

/**
 * A type without a price meets only `!price`.
 *
 * @param text as typed
 */
function priceCondition(
  text: string,
  key: keyof typeof KEYS,
  { operator, values }: NodeSelectorRequirement,
): { readonly price: PriceCondition } | { readonly problem: string } {
  const price = (type: string, prices: TypePrices): number | undefined => prices[KEYS[key]].get(type);
  if (operator === "DoesNotExist") return { price: (type, prices) => price(type, prices) === undefined };
  if (operator === "Exists") return { price: (type, prices) => price(type, prices) !== undefined };
  const [given = "", ...others] = values ?? [];
  if (others.length > 0 || !/^\d+(?:\.\d+)?$/.test(given))
    return {
      problem: `${JSON.stringify(text)} compares with ${JSON.stringify(values?.join(",") ?? "")}, which is not a price: write a number such as 0.5`,
    };
  const compare = COMPARISONS[operator];
  const amount = Number(given);
  return {
    price: (type, prices) => {
      const own = price(type, prices);
      return own !== undefined && compare(own, amount);
    },
  };
}
