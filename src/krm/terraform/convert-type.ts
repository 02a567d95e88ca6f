/** Converts the value of a variable to its type: numbers to texts, optional fields to defaults. */
import type { Expression } from "./hcl-syntax.ts";
import { type Budget, type Entry, knownText, type Place, plainOf, textOf, type Value } from "./values.ts";

/** A type that is not known leaves the value as it is. */
export function convertTo(type: Expression | undefined, value: Value, evaluate: Evaluate, budget: Budget): Value {
  return budget.nested(1, () => convertInside(type, value, evaluate, budget));
}

function convertInside(type: Expression | undefined, value: Value, evaluate: Evaluate, budget: Budget): Value {
  if (type === undefined || value.is === "unknown") return value;
  if (value.is === "plain" && value.value === null) return value;
  if (type.is === "name") return toScalar(type.name, value);
  if (type.is !== "call") return value;
  const [inner] = type.args;
  const convert = (of: Expression | undefined, one: Value): Value => convertTo(of, one, evaluate, budget);
  switch (type.name) {
    case "list":
    case "set": {
      if (value.is !== "list") return value;
      const items = value.items.map((item) => convert(inner, item));
      const list: Value = { is: "list", items, place: value.place };
      return type.name === "set" ? toSet(list) : list;
    }
    case "map": {
      if (value.is !== "object") return value;
      const entries = [...value.entries].map(
        ([key, entry]) => [key, { ...entry, value: convert(inner, entry.value) }] as const,
      );
      return { ...value, entries: new Map(entries) };
    }
    case "object":
      return inner?.is === "object" && value.is === "object" ? toObject(inner, value, convert, evaluate) : value;
    default:
      return value;
  }
}

type Evaluate = (expression: Expression) => Value;
type Convert = (type: Expression | undefined, value: Value) => Value;

function toScalar(type: string, value: Value): Value {
  const { place } = value;
  if (type === "string" && value.is === "plain") return textOf(String(value.value), place, value.hidden);
  const text = value.is === "text" ? knownText(value) : undefined;
  if (text === undefined) return value;
  const hidden = value.is === "text" ? value.pieces.find((piece) => piece.hidden !== undefined)?.hidden : undefined;
  const made = (plain: number | boolean): Value => ({
    is: "plain",
    value: plain,
    place,
    ...(hidden === undefined ? {} : { hidden }),
  });
  if (type === "number" && /^-?\d{1,15}$/.test(text)) return made(Number(text));
  if (type === "bool" && (text === "true" || text === "false")) return made(text === "true");
  return value;
}

function toObject(
  type: Expression & { is: "object" },
  value: Value & { is: "object" },
  convert: Convert,
  evaluate: Evaluate,
): Value {
  const entries = new Map<string, Entry>();
  for (const { key, value: field } of type.entries) {
    if (key.is !== "name") return value;
    const isOptional = field.is === "call" && field.name === "optional";
    const [inner, fallback] = isOptional ? field.args : [field];
    const given = value.entries.get(key.name);
    const isAbsent = given === undefined || (given.value.is === "plain" && given.value.value === null);
    const place: Place = given?.place ?? value.place;
    if (!isAbsent) entries.set(key.name, { place, value: convert(inner, given.value) });
    else if (fallback !== undefined) entries.set(key.name, { place, value: convert(inner, evaluate(fallback)) });
    else entries.set(key.name, { place, value: plainOf(null, place) });
  }
  return { ...value, entries };
}

/** Texts once each and in their order; with other items, or with an unknown one, the order is not known. */
export function toSet(list: Value & { is: "list" }): Value {
  const texts = new Map(list.items.map((item) => [item.is === "text" ? knownText(item) : undefined, item] as const));
  if (texts.has(undefined)) {
    if (list.items.length > 1) return { is: "unknown", name: "toset()", place: list.place };
    return { ...list, isSet: true };
  }
  const items = [...texts].toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)).map(([, item]) => item);
  return { ...list, items, isSet: true };
}
