/** Evaluates expressions of Terraform as far as the files tell their values. */
import { callFunction } from "./functions.ts";
import type { Expression, ForExpression, Loop, Operator, TemplatePart } from "./hcl-syntax.ts";
import type { Scope } from "./scope.ts";
import { unknownLines } from "./unknown-lines.ts";
import {
  asOneType,
  type Entry,
  isCounted,
  isEqual,
  joined,
  knownText,
  type Piece,
  piecesOf,
  type Place,
  placeholderName,
  plainOf,
  textOf,
  unknownPiece,
  type Value,
} from "./values.ts";

export function evaluate(expression: Expression, scope: Scope): Value {
  return scope.budget.nested(1, () => valueOf(expression, scope));
}

function placeIn({ source }: Scope, { start }: { readonly start: number }): Place {
  return { source, offset: start };
}

function unknownAt(expression: { readonly start: number; readonly end: number }, scope: Scope): Value {
  const written = scope.source.text.slice(expression.start, expression.end);
  return { is: "unknown", name: placeholderName(written), place: placeIn(scope, expression) };
}

function valueOf(expression: Expression, scope: Scope): Value {
  const place = placeIn(scope, expression);
  const unknown = (): Value => unknownAt(expression, scope);
  switch (expression.is) {
    case "literal":
      return plainOf(expression.value, place);
    case "unread":
      return unknown();
    case "template":
      return templateOf(expression, scope);
    case "list":
      return { is: "list", items: expression.items.map((item) => evaluate(item, scope)), place };
    case "object":
      return objectOf(expression, scope);
    case "for":
      return iterate(expression, scope) ?? unknown();
    case "call":
      return callFunction(expression, scope, evaluate) ?? unknown();
    case "name":
      return scope.names.get(expression.name) ?? unknown();
    case "field":
      return fieldOf(expression, scope) ?? unknown();
    case "index":
      return indexOf(expression, scope) ?? unknown();
    case "splat":
      return splat(expression, scope) ?? unknown();
    case "group":
      return evaluate(expression.inner, scope);
    case "not":
    case "minus": {
      const of = evaluate(expression.of, scope);
      if (of.is !== "plain") return unknown();
      if (expression.is === "not") return typeof of.value === "boolean" ? plainOf(!of.value, place) : unknown();
      // Terraform writes a negative zero as -0, if a function computes it.
      return typeof of.value === "number" && of.value !== 0 ? plainOf(-of.value, place) : unknown();
    }
    case "binary":
      return operate(expression, scope) ?? unknown();
    case "choice":
      return choose(expression, scope) ?? unknown();
  }
}

function objectOf({ entries, ...span }: Expression & { is: "object" }, scope: Scope): Value {
  const object = new Map<string, Entry>();
  for (const { key, value } of entries) {
    const name = key.is === "name" ? key.name : keyText(evaluate(key, scope));
    if (name === undefined) return unknownAt(span, scope);
    object.set(name, { place: placeIn(scope, key), value: evaluate(value, scope) });
  }
  return { is: "object", entries: object, place: placeIn(scope, span) };
}

/** With the placeholder of what is unknown in it. */
function keyText(value: Value): string | undefined {
  const pieces = piecesOf(value);
  return pieces === undefined ? undefined : joined(pieces);
}

function fieldOf(expression: Expression & { is: "field" }, scope: Scope): Value | undefined {
  const { of, name } = expression;
  if (of.is === "splat") return undefined;
  if (of.is === "name" && !scope.names.has(of.name)) return ofModule(of.name, name, expression, scope);
  // data.TYPE.NAME.rendered
  if (name === "rendered" && of.is === "field" && of.of.is === "field" && of.of.of.is === "name")
    if (of.of.of.name === "data") return scope.module?.data(of.of.name, of.name);
  const value = evaluate(of, scope);
  if (value.is === "unknown") return extended(value, `.${name}`, expression, scope);
  return value.is === "object" ? value.entries.get(name)?.value : undefined;
}

function ofModule(root: string, name: string, span: Expression, { module, ...scope }: Scope): Value | undefined {
  if (root === "var") return module?.variable(name);
  if (root === "local") return module?.local(name);
  const path = root === "path" ? module?.path(name) : undefined;
  if (path === undefined) return undefined;
  const place = placeIn({ module, ...scope }, span);
  return { is: "text", pieces: [{ text: path, place, isPath: true }], place };
}

/** `each.value.zone` is known by this name, and `local.pool.zone` by that of the variable in the local. */
function extended(of: Value & { is: "unknown" }, more: string, expression: Expression, scope: Scope): Value {
  return { is: "unknown", name: placeholderName(of.name + more), place: placeIn(scope, expression) };
}

function indexOf(expression: Expression & { is: "index" }, scope: Scope): Value | undefined {
  if (expression.of.is === "splat") return undefined;
  const of = evaluate(expression.of, scope);
  const key = evaluate(expression.key, scope);
  if (of.is === "list" && of.isSet !== true && isCounted(of)) {
    const index = Number(knownText(key) ?? Number.NaN);
    return Number.isInteger(index) && index >= 0 ? of.items[index] : undefined;
  }
  const name = knownText(key);
  if (name === undefined) return undefined;
  if (of.is === "unknown") return extended(of, `.${name}`, expression, scope);
  return of.is === "object" ? of.entries.get(name)?.value : undefined;
}

function splat({ of, fields, ...span }: Expression & { is: "splat" }, scope: Scope): Value | undefined {
  const value = of.is === "splat" ? undefined : evaluate(of, scope);
  if (value === undefined || value.is === "unknown" || (value.is === "list" && !isCounted(value))) return undefined;
  const place = placeIn(scope, span);
  const isAbsent = value.is === "plain" && value.value === null;
  const items = value.is === "list" ? value.items : isAbsent ? [] : [value];
  const picked = items.map((item) =>
    fields.reduce<Value | undefined>(
      (one, field) => (one?.is === "object" ? one.entries.get(field)?.value : undefined),
      item,
    ),
  );
  return picked.includes(undefined) ? undefined : { is: "list", items: picked as Value[], place };
}

function choose({ condition, whenTrue, whenFalse }: Expression & { is: "choice" }, scope: Scope): Value | undefined {
  const decided = boolOf(evaluate(condition, scope));
  const branches = (): [Value, Value] => [evaluate(whenTrue, scope), evaluate(whenFalse, scope)];
  if (decided !== undefined) {
    const both = branches();
    return asOneType(decided ? both[0] : both[1], both);
  }
  const [a, b] = branches();
  if (isEqual(a, b, scope.budget) === true) return a;
  // A manifest that is there or not is answered as if it were there.
  if (isManifest(a) && isNothing(b)) return a;
  if (isManifest(b) && isNothing(a)) return b;
  if (a.is !== "object" || b.is !== "object") return undefined;
  // Each field may be there, with the one value or the other.
  const unknown = unknownAt(condition, scope);
  const entries = new Map<string, Entry>();
  for (const [key, entry] of [...a.entries, ...b.entries]) {
    const [one, two] = [a.entries.get(key), b.entries.get(key)];
    const isSame = one !== undefined && two !== undefined && isEqual(one.value, two.value, scope.budget) === true;
    entries.set(key, isSame ? one : { place: entry.place, value: unknown });
  }
  return { is: "object", entries, place: a.place };
}

function isManifest(value: Value): boolean {
  return value.is === "text" && value.pieces.some(({ text }) => text.includes("\n"));
}

function isNothing(value: Value): boolean {
  return (value.is === "plain" && value.value === null) || (value.is === "text" && value.pieces.length === 0);
}

function boolOf(value: Value): boolean | undefined {
  if (value.is === "plain") return typeof value.value === "boolean" ? value.value : undefined;
  const text = value.is === "text" ? knownText(value) : undefined;
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

function operate({ operator, left, right, ...span }: Expression & { is: "binary" }, scope: Scope): Value | undefined {
  const [a, b] = [evaluate(left, scope), evaluate(right, scope)];
  const place = placeIn(scope, span);
  if (operator === "==" || operator === "!=") {
    const same = isEqual(a, b, scope.budget);
    return same === undefined ? undefined : plainOf(same === (operator === "=="), place);
  }
  if (operator === "&&" || operator === "||") {
    const [one, two] = [boolOf(a), boolOf(b)];
    const decides = operator === "||";
    if (one === decides || two === decides) return plainOf(decides, place);
    return one === undefined || two === undefined ? undefined : plainOf(!decides, place);
  }
  if (a.is !== "plain" || b.is !== "plain" || typeof a.value !== "number" || typeof b.value !== "number")
    return undefined;
  const result = calculate(operator, a.value, b.value);
  return result === undefined ? undefined : plainOf(result, place);
}

/** Of whole numbers: Terraform counts decimals exactly. */
function calculate(operator: Operator, a: number, b: number): number | boolean | undefined {
  const made = { "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "+": a + b, "-": a - b, "*": a * b };
  const comparison = made[operator as keyof typeof made];
  if (typeof comparison === "boolean") return comparison;
  if (!Number.isInteger(a) || !Number.isInteger(b)) return undefined;
  const result = operator === "/" ? a / b : operator === "%" ? a % b : comparison;
  return Number.isSafeInteger(result) && !Object.is(result, -0) ? result : undefined;
}

/** The keys and values that a loop goes through; undefined if they are unknown. */
export function elementsOf(value: Value): (readonly [Value, Value])[] | undefined {
  if (value.is === "object") {
    const keys = [...value.entries.keys()];
    if (keys.some((key) => key.includes("$<"))) return undefined;
    return keys
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map((key) => [textOf(key, value.entries.get(key)!.place), value.entries.get(key)!.value]);
  }
  if (value.is !== "list" || !isCounted(value)) return undefined;
  return value.items.map((item, index) => [value.isSet === true ? item : plainOf(index, item.place), item]);
}

function bound(scope: Scope, { key, value }: Loop, [k, v]: readonly [Value, Value]): Scope {
  const names = new Map(scope.names).set(value, v);
  scope.budget.spend(names.size);
  return { ...scope, names: key === undefined ? names : names.set(key, k) };
}

function iterate(expression: ForExpression & Expression, scope: Scope): Value | undefined {
  const { loop, condition } = expression;
  const elements = elementsOf(evaluate(loop.over, scope));
  if (elements === undefined || expression.isGrouped) return undefined;
  const place = placeIn(scope, expression);
  const items: Value[] = [];
  const entries = new Map<string, Entry>();
  for (const element of elements) {
    const inner = bound(scope, loop, element);
    const isIn = condition === undefined ? true : boolOf(evaluate(condition, inner));
    if (isIn === undefined) return undefined;
    if (!isIn) continue;
    const value = evaluate(expression.value, inner);
    const key = expression.key === undefined ? undefined : evaluate(expression.key, inner);
    if (key === undefined) items.push(value);
    else {
      const name = knownText(key);
      if (name === undefined) return undefined;
      entries.set(name, { place: key.place, value });
    }
  }
  return expression.key === undefined ? { is: "list", items, place } : { is: "object", entries, place };
}

function templateOf({ parts, ...span }: Expression & { is: "template" }, scope: Scope): Value {
  const [only] = parts;
  if (parts.length === 1 && only?.is === "value") return evaluate(only.value, scope);
  const pieces: Piece[] = [];
  addParts(parts, scope, pieces);
  return { is: "text", pieces, place: placeIn(scope, span) };
}

function addParts(parts: readonly TemplatePart[], scope: Scope, pieces: Piece[]): void {
  scope.budget.nested(1, () => {
    for (const part of parts) addPart(part, scope, pieces);
  });
}

function addPart(part: TemplatePart, scope: Scope, pieces: Piece[]): void {
  const { source, budget } = scope;
  switch (part.is) {
    case "text":
      for (const { text, at } of part.pieces) {
        budget.spend(1 + text.length / 100);
        pieces.push({ text, place: { source, offset: at } });
      }
      return;
    case "value": {
      const value = evaluate(part.value, scope);
      const place = placeIn(scope, part.value);
      const written = value.is === "unknown" ? [unknownPiece(value.name, place)] : piecesOf(value);
      for (const piece of written ?? [unknownPiece(placeholderName(nameOf(part.value, scope)), place)]) {
        budget.spend(1 + piece.text.length / 100);
        pieces.push(piece);
      }
      return;
    }
    case "if": {
      const decided = boolOf(evaluate(part.condition, scope));
      if (decided !== undefined) return addParts(decided ? part.whenTrue : part.whenFalse, scope, pieces);
      const branches = [part.whenTrue, part.whenFalse].map((branch) => {
        const inside: Piece[] = [];
        addParts(branch, scope, inside);
        return inside;
      });
      return addUnknown(branches, part.condition, scope, pieces);
    }
    case "for": {
      const elements = elementsOf(evaluate(part.loop.over, scope));
      if (elements !== undefined) {
        for (const element of elements) addParts(part.body, bound(scope, part.loop, element), pieces);
        return;
      }
      const inside: Piece[] = [];
      const { key = part.loop.value, value } = part.loop;
      const any = (name: string): Value => ({ is: "unknown", name, place: placeIn(scope, part) });
      addParts(part.body, bound(scope, part.loop, [any(key), any(value)]), inside);
      return addUnknown([inside], part.loop.over, scope, pieces);
    }
  }
}

function nameOf({ start, end }: Expression, { source }: Scope): string {
  return source.text.slice(start, end);
}

function addUnknown(branches: readonly Piece[][], decidedBy: Expression, scope: Scope, pieces: Piece[]): void {
  const place = placeIn(scope, decidedBy);
  for (const branch of branches) scope.budget.spend(joined(branch).length);
  for (const piece of unknownLines(branches, placeholderName(nameOf(decidedBy, scope)), place)) pieces.push(piece);
}
