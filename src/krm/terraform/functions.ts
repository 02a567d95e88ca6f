/** The functions of Terraform that put manifests together; any other gives an unknown value. */
import type { Expression } from "./hcl-syntax.ts";
import { toSet } from "./convert-type.ts";
import type { Scope } from "./scope.ts";
import {
  asOneType,
  type Budget,
  type Entry,
  hide,
  isCounted,
  isEqual,
  isKnown,
  isNull,
  joined,
  knownText,
  type Piece,
  piecesOf,
  type Place,
  plainOf,
  sliceOf,
  textOf,
  type Value,
} from "./values.ts";
import { jsonPieces, yamlPieces } from "./write-value.ts";

type Evaluate = (expression: Expression, scope: Scope) => Value;
type Call = Expression & { readonly is: "call" };

/** Undefined if the value is unknown, or Terraform would refuse the call. */
export function callFunction(call: Call, scope: Scope, evaluate: Evaluate): Value | undefined {
  const place = { source: scope.source, offset: call.start };
  // Terraform has no loop in templates either.
  if (call.name === "templatefile") return templateFile(call, scope, place, evaluate);
  if (call.name === "file") return fileOf(call, scope, place, evaluate);
  const args = argumentsOf(call, scope, evaluate);
  const run = FUNCTIONS.get(call.name);
  return args === undefined || run === undefined ? undefined : run(args, { place, budget: scope.budget });
}

function argumentsOf({ args, isSpread }: Call, scope: Scope, evaluate: Evaluate): Value[] | undefined {
  const values = args.map((one) => evaluate(one, scope));
  if (!isSpread) return values;
  const last = values.pop();
  return last?.is === "list" ? [...values, ...last.items] : undefined;
}

/** A file of the repository, by a path from the folder of the module or the root. */
function sourceAt(path: Expression | undefined, scope: Scope, evaluate: Evaluate) {
  const text = path === undefined ? undefined : knownText(evaluate(path, scope));
  return text === undefined ? undefined : scope.module?.file(text);
}

function fileOf({ args: [path] }: Call, scope: Scope, place: Place, evaluate: Evaluate): Value | undefined {
  const source = sourceAt(path, scope, evaluate);
  if (source === undefined) return undefined;
  scope.budget.spend(1 + source.text.length / 100);
  return { is: "text", pieces: [{ text: source.text, place: { source, offset: 0 } }], place };
}

function templateFile({ args }: Call, scope: Scope, place: Place, evaluate: Evaluate): Value | undefined {
  const source = sourceAt(args[0], scope, evaluate);
  return source === undefined ? undefined : renderTemplate(source, args[1], scope, place, evaluate);
}

/** @param given the values of its names */
export function renderTemplate(
  source: Scope["source"],
  given: Expression | undefined,
  scope: Scope,
  place: Place,
  evaluate: Evaluate,
): Value | undefined {
  const template = scope.module?.template(source);
  const values = given === undefined ? undefined : evaluate(given, scope);
  if (template === undefined) return undefined;
  const names = new Map(
    values?.is === "object" ? [...values.entries].map(([name, { value }]) => [name, value] as const) : [],
  );
  const made = evaluate(template, { source, names, module: undefined, budget: scope.budget });
  const pieces = piecesOf(made);
  return pieces === undefined ? undefined : { is: "text", pieces, place };
}

interface At {
  readonly place: Place;
  readonly budget: Budget;
}

type Run = (args: readonly Value[], at: At) => Value | undefined;

const FUNCTIONS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ["yamlencode", ([value], { place, budget }) => textIn(value && yamlPieces(value, budget), place)],
  ["jsonencode", ([value], { place, budget }) => textIn(value && jsonPieces(value, budget), place)],
  ["yamldecode", ([value]) => decoded(value)],
  ["jsondecode", ([value]) => decoded(value)],
  ["tostring", ([value]) => (value?.is === "unknown" ? value : textIn(value && piecesOf(value), value?.place))],
  ["tonumber", ([value]) => numberOf(value)],
  ["tobool", ([value]) => value],
  ["tolist", ([value]) => (value?.is === "list" ? { ...ofOneType(value), isSet: false } : undefined)],
  ["toset", ([value]) => (value?.is === "list" ? toSet(ofOneType(value)) : undefined)],
  ["tomap", ([value]) => value],
  ["nonsensitive", ([value]) => value],
  ["sensitive", ([value], { budget }) => value && hide(value, "${sensitive}", budget)],
  ["merge", merge],
  ["concat", concat],
  ["flatten", ([list], at) => flatten(list, at)],
  ["join", ([separator, list], at) => join(separator, list, at)],
  ["indent", ([count, text], { place }) => indent(count, text, place)],
  ["chomp", ([text]) => trimmed(text, 0)],
  ["trimspace", ([text]) => trimmed(text, 1)],
  ["lower", ([text], { place }) => mapped(text, place, (one) => one.toLowerCase())],
  ["upper", ([text], { place }) => mapped(text, place, (one) => one.toUpperCase())],
  ["coalesce", firstGiven],
  // What an argument cannot give is an error to Terraform, and here it is unknown.
  ["try", ([first], { budget }) => (first !== undefined && isKnown(first, budget) ? first : undefined)],
  ["lookup", lookup],
  ["length", ([value], { place }) => lengthOf(value, place)],
  ["keys", ([value], { place }) => keysOf(value, place)],
  ["values", ([value], { place }) => valuesOf(value, place)],
  ["contains", contains],
  ["compact", ([list], { budget }) => compact(list, budget)],
  ["element", ([list, index]) => element(list, index)],
]);

function ofOneType(list: Value & { readonly is: "list" }) {
  return { ...list, items: list.items.map((item) => asOneType(item, list.items)) };
}

function textIn(pieces: readonly Piece[] | undefined, place: Place | undefined): Value | undefined {
  return pieces === undefined || place === undefined ? undefined : { is: "text", pieces, place };
}

function decoded(value: Value | undefined): Value | undefined {
  return value?.is === "text" ? { is: "decoded", pieces: value.pieces, place: value.place } : undefined;
}

function numberOf(value: Value | undefined): Value | undefined {
  if (value?.is !== "text") return value;
  const text = knownText(value);
  return text !== undefined && /^\d{1,15}$/.test(text) ? plainOf(Number(text), value.place) : undefined;
}

/** Of an unknown one, all that the others have may be written over. */
function merge(args: readonly Value[], { place, budget }: At): Value | undefined {
  const entries = new Map<string, Entry>();
  for (const value of args) {
    if (isNull(value) === true) continue;
    if (value.is !== "object") return undefined;
    budget.spend(value.entries.size);
    for (const [key, entry] of value.entries) entries.set(key, entry);
  }
  return { is: "object", entries, place };
}

/** An unknown list counts as an unknown entry. */
function concat(args: readonly Value[], { place, budget }: At): Value | undefined {
  const items: Value[] = [];
  for (const value of args) {
    if (value.is !== "list" && value.is !== "unknown") return undefined;
    const some = value.is === "list" ? value.items : [{ ...value, isMany: true }];
    budget.spend(some.length);
    for (const item of some) items.push(item);
  }
  return { is: "list", items, place };
}

function flatten(list: Value | undefined, at: At): Value | undefined {
  if (list?.is !== "list") return undefined;
  const items: Value[] = [];
  const add = (value: Value): boolean =>
    at.budget.nested(1, () => {
      if (value.is === "list") return value.items.every(add);
      items.push(value);
      return value.is !== "unknown";
    });
  return add(list) ? { is: "list", items, place: at.place } : undefined;
}

function join(separator: Value | undefined, list: Value | undefined, { place, budget }: At): Value | undefined {
  const between = separator === undefined ? undefined : knownText(separator);
  if (between === undefined || list?.is !== "list") return undefined;
  const pieces: Piece[] = [];
  for (const [index, item] of list.items.entries()) {
    const own = piecesOf(item);
    if (own === undefined) return undefined;
    budget.spend(1 + own.length);
    if (index > 0 && between !== "") pieces.push({ text: between, place: item.place });
    for (const piece of own) pieces.push(piece);
  }
  return { is: "text", pieces, place };
}

function indent(count: Value | undefined, text: Value | undefined, place: Place): Value | undefined {
  const spaces = count?.is === "plain" && typeof count.value === "number" ? count.value : -1;
  if (spaces < 0 || spaces > MOST_INDENT || text === undefined) return undefined;
  if (text.is === "unknown") return text;
  const pieces = piecesOf(text);
  if (pieces === undefined) return undefined;
  return { is: "text", pieces: indentPieces(pieces, spaces), place };
}

/** Each line but the first after so many spaces. */
export function indentPieces(pieces: readonly Piece[], spaces: number): Piece[] {
  const before = " ".repeat(spaces);
  const indented = pieces.flatMap((piece) => {
    let start = 0;
    return piece.text.split(/(?<=\n)/).flatMap((line) => {
      const own = sliceOf([piece], start, start + line.length);
      start += line.length;
      return line.endsWith("\n") ? [...own, { text: before, place: piece.place }] : own;
    });
  });
  return indented.filter(({ text: one }) => one !== "");
}

const MOST_INDENT = 1000;

/** @param mode 0: without line breaks at the end; 1: without space at both ends */
function trimmed(value: Value | undefined, mode: 0 | 1): Value | undefined {
  if (value?.is !== "text") return value?.is === "unknown" ? value : undefined;
  const text = joined(value.pieces);
  const end = mode === 0 ? withoutBreaks(text) : text.trimEnd().length;
  const start = mode === 0 ? 0 : text.length - text.trimStart().length;
  return { ...value, pieces: sliceOf(value.pieces, start, Math.max(start, end)) };
}

function withoutBreaks(text: string): number {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end -= 1;
  return end;
}

function mapped(value: Value | undefined, place: Place, change: (text: string) => string): Value | undefined {
  const text = value?.is === "text" ? knownText(value) : undefined;
  if (text === undefined || value?.is !== "text") return undefined;
  return textOf(change(text), value.pieces[0]?.place ?? place, value.pieces.find(({ hidden }) => hidden)?.hidden);
}

function firstGiven(args: readonly Value[]): Value | undefined {
  for (const value of args) {
    if (value.is === "unknown" || value.is === "decoded") return undefined;
    const isEmpty = isNull(value) === true || (value.is === "text" && value.pieces.length === 0);
    if (!isEmpty) return asOneType(value, args);
  }
  return undefined;
}

function lookup([map, key, fallback]: readonly Value[]): Value | undefined {
  const name = key === undefined ? undefined : knownText(key);
  if (map?.is !== "object" || name === undefined) return undefined;
  const found = map.entries.get(name)?.value;
  return found ?? ([...map.entries.keys()].some((one) => one.includes("$<")) ? undefined : fallback);
}

function lengthOf(value: Value | undefined, place: Place): Value | undefined {
  if (value?.is === "list") return isCounted(value) ? plainOf(value.items.length, place) : undefined;
  if (value?.is === "object") return plainOf(value.entries.size, place);
  const text = value?.is === "text" ? knownText(value) : undefined;
  return text === undefined ? undefined : plainOf([...text].length, place);
}

function keysOf(value: Value | undefined, place: Place): Value | undefined {
  if (value?.is !== "object") return undefined;
  const keys = [...value.entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { is: "list", items: keys.map(([key, entry]) => textOf(key, entry.place)), place };
}

function valuesOf(value: Value | undefined, place: Place): Value | undefined {
  if (value?.is !== "object") return undefined;
  const entries = [...value.entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { is: "list", items: entries.map(([, entry]) => entry.value), place };
}

function contains([list, wanted]: readonly Value[], { place, budget }: At): Value | undefined {
  if (list?.is !== "list" || wanted === undefined) return undefined;
  const found = list.items.map((item) => isEqual(item, wanted, budget));
  if (found.includes(true)) return plainOf(true, place);
  return found.includes(undefined) ? undefined : plainOf(false, place);
}

function compact(list: Value | undefined, budget: Budget): Value | undefined {
  if (list?.is !== "list" || !isKnown(list, budget)) return undefined;
  const isEmpty = (item: Value): boolean => isNull(item) === true || knownText(item) === "";
  return { ...list, items: list.items.filter((item) => !isEmpty(item)) };
}

function element(list: Value | undefined, index: Value | undefined): Value | undefined {
  if (list?.is !== "list" || list.items.length === 0 || !isCounted(list) || index?.is !== "plain") return undefined;
  const { value } = index;
  return typeof value === "number" && value >= 0 ? list.items[value % list.items.length] : undefined;
}
