/** Evaluates expressions of GitHub Actions, as far as our files use the language. */

export type Contexts = Readonly<Record<string, unknown>>;

/** A missing value is the empty string, as on the runner. */
export function valueOf(expression: string, contexts: Contexts): unknown {
  const [value, rest] = or(tokensOf(expression), contexts);
  if (rest.length > 0) throw new Error(`not understood in ${expression}: ${rest.join(" ")}`);
  return value;
}

/** A text with `${{ … }}` filled in. */
export function filledIn(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(valueOf(expression.trim(), contexts)));
}

type Parsed = readonly [value: unknown, rest: readonly string[]];

function tokensOf(expression: string): string[] {
  return expression.match(/'[^']*'|\|\||&&|[!=]=|always\(\)|[\w-]+(?:\.[\w-]+)*|\S/g) ?? [];
}

function or(tokens: readonly string[], contexts: Contexts): Parsed {
  let [value, rest] = and(tokens, contexts);
  while (rest[0] === "||") {
    const [right, after] = and(rest.slice(1), contexts);
    value = truthy(value) ? value : right;
    rest = after;
  }
  return [value, rest];
}

function and(tokens: readonly string[], contexts: Contexts): Parsed {
  let [value, rest] = comparison(tokens, contexts);
  while (rest[0] === "&&") {
    const [right, after] = comparison(rest.slice(1), contexts);
    value = truthy(value) ? right : value;
    rest = after;
  }
  return [value, rest];
}

function comparison(tokens: readonly string[], contexts: Contexts): Parsed {
  const [left, rest] = operand(tokens, contexts);
  if (rest[0] !== "==" && rest[0] !== "!=") return [left, rest];
  const [right, after] = operand(rest.slice(1), contexts);
  return [(left === right) === (rest[0] === "=="), after];
}

function operand([first = "", ...rest]: readonly string[], contexts: Contexts): Parsed {
  if (first === "(") {
    const [value, after] = or(rest, contexts);
    if (after[0] !== ")") throw new Error(") is missing");
    return [value, after.slice(1)];
  }
  if (first.startsWith("'")) return [first.slice(1, -1), rest];
  if (first === "always()") return [true, rest];
  if (!/^[\w-]+(\.[\w-]+)+$/.test(first)) throw new Error(`not understood: ${first}`);
  return [lookUp(first, contexts), rest];
}

function lookUp(path: string, contexts: Contexts): unknown {
  let value: unknown = contexts;
  for (const name of path.split(".")) value = (value as Contexts | undefined)?.[name];
  return value ?? "";
}

export function truthy(value: unknown): boolean {
  return value !== "" && value !== false;
}
