/** Reads and evaluates CEL expressions of kubelet settings, as the AWS provider does. */
import { memoizeByKey } from "../../model/schema/memoize.ts";

/** What an expression may read. Undefined if the catalogue does not know it of the type. */
export interface KubeletVariables {
  readonly vcpus: bigint | undefined;
  readonly memory_mib: bigint | undefined;
  readonly default_enis: bigint | undefined;
  readonly ips_per_eni: bigint | undefined;
  readonly max_pods: bigint | undefined;
  readonly instance_type: string | undefined;
}

/** Why an expression has no value for an instance type. */
export class NoValue {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export const NOT_KNOWN = new NoValue("anp does not know what it reads of the type");

export type KubeletExpression =
  /** Karpenter refuses it. */
  | { readonly invalid: string }
  /** A part of CEL that anp does not evaluate. */
  | { readonly unread: string }
  | { readonly valueFor: (variables: KubeletVariables) => bigint | NoValue };

/** `NewEnvironment` and `Compile` of the provider (docs/upstream/karpenter.md#kubelet-expressions). */
export const kubeletExpression = memoizeByKey((text: string): KubeletExpression => {
  try {
    const { type, run } = new Reader(text).whole();
    if (type !== "int" && type !== "double") return { invalid: `gives a ${type}, which is no number` };
    return { valueFor: (variables) => wholeNumber(run(variables)) };
  } catch (problem) {
    if (problem instanceof Invalid) return { invalid: problem.message };
    if (problem instanceof Unread) return { unread: problem.message };
    throw problem;
  }
});

/** `EvaluateExpression`. Go cuts off what is behind the point; beyond int64 it gives the lowest number. */
function wholeNumber(value: Value): bigint | NoValue {
  if (typeof value === "bigint" || value instanceof NoValue) return value;
  if (!Number.isFinite(value)) return new NoValue(`its result is ${Number.isNaN(value) ? "no number" : "infinite"}`);
  const whole = BigInt(Math.trunc(value as number));
  return isInt(whole) ? whole : LEAST;
}

/** The text is longer or deeper than anyone writes, or Karpenter refuses it for its depth. */
const MOST_TOKENS = 400;
const MOST_DEPTH = 40;

class Invalid extends Error {}

class Unread extends Error {}

type Type = "int" | "double" | "bool" | "string";
type Value = bigint | number | boolean | string | NoValue;
type Run = (variables: KubeletVariables) => Value;

interface Typed {
  readonly type: Type;
  readonly run: Run;
}

const VARIABLES: Readonly<Record<keyof KubeletVariables, Type>> = {
  vcpus: "int",
  memory_mib: "int",
  default_enis: "int",
  ips_per_eni: "int",
  max_pods: "int",
  instance_type: "string",
};

const LEAST = -(2n ** 63n);
const OVERFLOW = new NoValue("an integer overflows");
const DIVISION = new NoValue("it divides by zero");
const NAN = new NoValue("it compares with what is no number");

function isInt(value: bigint): boolean {
  return value >= LEAST && value < -LEAST;
}

const TOKEN =
  /[\t \r\n\f]+|\/\/[^\n]*|0x[\dA-Fa-f]+[uU]?|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?[uU]?|[A-Za-z_]\w*|"[^"\\\n\r]*"|'[^'\\\n\r]*'|[=!<>]=|&&|\|\||[<>()[\]{}.,\-!?:+*/%]/gy;

/** Names of CEL that anp does not evaluate: macros, other types and their functions. */
const UNREAD: ReadonlySet<string> = new Set(
  "has all exists exists_one existsOne map filter dyn type timestamp duration bytes uint string bool matches int double list null_type null true false".split(
    " ",
  ),
);

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Typed {
    const read = this.#expression();
    if (this.#next !== undefined) throw this.#unexpected();
    return read;
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #unexpected(): Error {
    return new Invalid(this.#next === undefined ? "is not complete" : `has ${this.#next} at a wrong place`);
  }

  #takes(...wanted: readonly string[]): string | undefined {
    const next = this.#next;
    if (next === undefined || !wanted.includes(next)) return undefined;
    this.#at += 1;
    return next;
  }

  #needs(wanted: string): void {
    if (this.#takes(wanted) === undefined) throw this.#unexpected();
  }

  #expression(): Typed {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw new Unread(`more than ${MOST_DEPTH} levels`);
    const read = this.#conditional();
    this.#depth -= 1;
    return read;
  }

  #conditional(): Typed {
    const condition = this.#chain(LEVELS.length - 1);
    if (this.#takes("?") === undefined) return condition;
    const yes = this.#chain(LEVELS.length - 1);
    this.#needs(":");
    const no = this.#expression();
    if (condition.type !== "bool" || yes.type !== no.type) throw mismatch("? :", condition, yes, no);
    return {
      type: yes.type,
      run: (variables) => {
        const chosen = condition.run(variables);
        return chosen instanceof NoValue ? chosen : chosen === true ? yes.run(variables) : no.run(variables);
      },
    };
  }

  /** Operators of one precedence, from left to right. */
  #chain(level: number): Typed {
    if (level < 0) return this.#unary();
    let left = this.#chain(level - 1);
    for (;;) {
      const operator = this.#takes(...LEVELS[level]!);
      if (operator === undefined) return left;
      left = operator === "in" ? this.#isIn(left) : binary(operator, left, this.#chain(level - 1));
    }
  }

  #isIn(sought: Typed): Typed {
    if (this.#takes("[") === undefined) throw new Unread("`in` without a list");
    const items = this.#list("]");
    const others = items.filter(({ type }) => type !== items[0]!.type);
    if (others.length > 0) throw new Unread("a list of several types");
    if (this.#next === "." || this.#next === "[" || items.length === 0) throw new Unread("more with a list than `in`");
    if (items[0]!.type !== sought.type) throw mismatch("in", sought, items[0]!);
    return {
      type: "bool",
      run: (variables) => {
        const values = [sought, ...items].map(({ run }) => run(variables));
        const [first, ...rest] = values;
        return values.find((value) => value instanceof NoValue) ?? rest.some((value) => value === first);
      },
    };
  }

  /** An even number of signs stands for none, whatever follows. */
  #unary(): Typed {
    const sign = this.#isNegative() ? undefined : this.#takes("-", "!");
    if (sign === undefined) return this.#member();
    let signs = 1;
    while (this.#takes(sign) !== undefined) signs += 1;
    const operand = this.#member();
    if (signs % 2 === 0) return operand;
    const { type, run } = operand;
    if (sign === "!" ? type !== "bool" : type !== "int" && type !== "double") throw mismatch(sign, operand);
    return {
      type,
      run: (variables) => {
        const value = run(variables);
        if (value instanceof NoValue) return value;
        return typeof value === "bigint" ? checked(-value) : typeof value === "number" ? -value : value !== true;
      },
    };
  }

  /** The sign before a number belongs to it, if it is the only one. */
  #isNegative(): boolean {
    return this.#next === "-" && /^\.?\d/.test(this.#tokens[this.#at + 1] ?? "");
  }

  #member(): Typed {
    const sign = this.#isNegative() ? this.#takes("-")! : "";
    let read = this.#primary(sign);
    for (;;) {
      if (this.#next === "[" || this.#next === "{") throw new Unread("an index");
      if (this.#takes(".") === undefined) return read;
      const name = this.#takes(this.#next ?? "") ?? "";
      if (UNREAD.has(name)) throw new Unread(`\`${name}\``);
      if (this.#takes("(") === undefined) throw this.#unexpected();
      read = call(`.${name}`, [read, ...this.#list(")")]);
    }
  }

  #primary(sign: string): Typed {
    const token = this.#next;
    if (token === undefined) throw this.#unexpected();
    this.#at += 1;
    if (token === "(") {
      const inner = this.#expression();
      this.#needs(")");
      return inner;
    }
    if (token === "[" || token === "{" || token === ".") throw new Unread("lists, maps and full names");
    if (/^["']/.test(token)) return constant("string", token.slice(1, -1));
    if (/^\.?\d/.test(token)) return literal(sign + token);
    if (token === "true" || token === "false") return constant("bool", token === "true");
    if (!/^[A-Za-z_]/.test(token)) {
      this.#at -= 1;
      throw this.#unexpected();
    }
    if (this.#takes("(") !== undefined) {
      if (UNREAD.has(token) && !CONVERSIONS.has(token)) throw new Unread(`\`${token}\``);
      return call(token, this.#list(")"));
    }
    if (UNREAD.has(token)) throw new Unread(`\`${token}\``);
    if (!Object.hasOwn(VARIABLES, token)) throw new Invalid(`reads ${token}, which does not exist`);
    const variable = token as keyof KubeletVariables;
    return { type: VARIABLES[variable], run: (variables) => variables[variable] ?? NOT_KNOWN };
  }

  /** Up to the closing bracket. Lists may end in a comma. */
  #list(end: string): Typed[] {
    const items: Typed[] = [];
    while (this.#takes(end) === undefined) {
      if (items.length > 0) {
        this.#needs(",");
        if (end === "]" && this.#takes(end) !== undefined) break;
      }
      items.push(this.#expression());
    }
    return items;
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let end = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^["']/.test(token) && (/[^ -~]/.test(token) || /[\w"']/.test(text[end - 1] ?? "")))
      throw new Unread("raw texts, bytes, texts of several lines, and other characters than ASCII");
    end += token.length;
    if (!/^([\t \r\n\f]|\/\/)/.test(token)) tokens.push(token);
    if (tokens.length > MOST_TOKENS) throw new Unread(`more than ${MOST_TOKENS} words and signs`);
  }
  const [wrong] = text.slice(end);
  if (wrong === undefined) return tokens;
  throw /["'`\\]/.test(wrong) ? new Unread("a text with \\ or `") : new Invalid(`has ${wrong} at a wrong place`);
}

function constant(type: Type, value: Value): Typed {
  return { type, run: () => value };
}

function literal(text: string): Typed {
  if (/u$/i.test(text)) throw new Unread("unsigned integers");
  if (/^-?(0x[\dA-Fa-f]+|\d+)$/.test(text)) {
    const whole = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
    if (!isInt(whole)) throw new Invalid(`has ${text}, which is no integer of 64 bits`);
    return constant("int", whole);
  }
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Invalid(`has ${text}, which is too large`);
  return constant("double", number);
}

/** By precedence, the highest first. */
const LEVELS = [["*", "/", "%"], ["+", "-"], ["<", "<=", ">", ">=", "==", "!=", "in"], ["&&"], ["||"]] as const;

function mismatch(name: string, ...operands: readonly Typed[]): Error {
  return new Invalid(`has ${name} between ${operands.map(({ type }) => type).join(" and ")}, which CEL does not have`);
}

function checked(value: bigint): Value {
  return isInt(value) ? value : OVERFLOW;
}

function binary(operator: string, left: Typed, right: Typed): Typed {
  if (operator === "&&" || operator === "||") return logical(operator === "||", left, right);
  const { type } = left;
  const compute = operationOf(operator, type);
  if (compute === undefined || type !== right.type) throw mismatch(operator, left, right);
  return {
    type: COMPARISONS.has(operator) ? "bool" : type,
    run: (variables) => {
      const [a, b] = [left.run(variables), right.run(variables)];
      return a instanceof NoValue ? a : b instanceof NoValue ? b : compute(a as never, b as never);
    },
  };
}

/** The side that decides counts, even if the other has no value. */
function logical(deciding: boolean, left: Typed, right: Typed): Typed {
  if (left.type !== "bool" || right.type !== "bool") throw mismatch(deciding ? "||" : "&&", left, right);
  return {
    type: "bool",
    run: (variables) => {
      const first = left.run(variables);
      if (first === deciding) return deciding;
      const second = right.run(variables);
      return second === deciding || !(first instanceof NoValue) ? second : first;
    },
  };
}

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="]);

type Operation = (a: never, b: never) => Value;

function operationOf(operator: string, type: Type): Operation | undefined {
  if (operator === "==") return (a: Value, b: Value) => a === b;
  if (operator === "!=") return (a: Value, b: Value) => a !== b;
  if (COMPARISONS.has(operator)) return ordered(operator);
  if (type === "string") return operator === "+" ? (a: string, b: string) => a + b : undefined;
  if (type === "int") return INTEGERS[operator];
  return type === "double" ? DOUBLES[operator] : undefined;
}

function ordered(operator: string): Operation {
  return (a: bigint, b: bigint) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return NAN;
    return a === b ? operator.endsWith("=") : a < b === operator.startsWith("<");
  };
}

const INTEGERS: Readonly<Record<string, Operation>> = {
  "+": (a: bigint, b: bigint) => checked(a + b),
  "-": (a: bigint, b: bigint) => checked(a - b),
  "*": (a: bigint, b: bigint) => checked(a * b),
  "/": (a: bigint, b: bigint) => (b === 0n ? DIVISION : checked(a / b)),
  "%": (a: bigint, b: bigint) => (b === 0n ? DIVISION : a === LEAST && b === -1n ? OVERFLOW : a % b),
};

const DOUBLES: Readonly<Record<string, Operation>> = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / b,
};

const CONVERSIONS: ReadonlySet<string> = new Set(["int", "double"]);

/** `min` and `max` are the provider's own; methods have a dot. */
function call(name: string, operands: readonly Typed[]): Typed {
  const types = operands.map(({ type }) => type).join();
  const found = FUNCTIONS.get(name)?.(types);
  if (found === undefined && CONVERSIONS.has(name) && types === "string") throw new Unread(`\`${name}\` of a text`);
  if (found === undefined) {
    const shown = name.replace(".", "");
    throw new Invalid(`calls ${shown}(${types.replaceAll(",", ", ")}), which Karpenter's CEL does not have`);
  }
  const [type, compute] = found;
  return {
    type,
    run: (variables) => {
      const values = operands.map(({ run }) => run(variables));
      return values.find((value) => value instanceof NoValue) ?? compute(...(values as never[]));
    },
  };
}

type Found = readonly [Type, (...values: never[]) => Value];

const extreme =
  (isFirst: (a: Value, b: Value) => boolean) =>
  (types: string): Found | undefined => {
    if (types === "int,int") return ["int", (a: bigint, b: bigint) => (isFirst(a, b) ? a : b)];
    if (!/^(int|double),(int|double)$/.test(types)) return undefined;
    return ["double", (a: Value, b: Value) => (isFirst(Number(a), Number(b)) ? Number(a) : Number(b))];
  };
const size = (types: string): Found | undefined =>
  types === "string" ? ["int", (text: string) => BigInt(text.length)] : undefined;
const ofTexts =
  (compute: (text: string, part: string) => boolean) =>
  (types: string): Found | undefined =>
    types === "string,string" ? ["bool", compute] : undefined;

const FUNCTIONS: ReadonlyMap<string, (types: string) => Found | undefined> = new Map(
  Object.entries({
    max: extreme((a, b) => a > b),
    min: extreme((a, b) => a < b),
    int: (types: string): Found | undefined => {
      if (types === "int") return ["int", (value: bigint) => value];
      return types === "double" ? ["int", integerOf] : undefined;
    },
    double: (types: string): Found | undefined =>
      types === "int" || types === "double" ? ["double", (value: bigint | number) => Number(value)] : undefined,
    size,
    ".size": size,
    ".startsWith": ofTexts((text, part) => text.startsWith(part)),
    ".endsWith": ofTexts((text, part) => text.endsWith(part)),
    ".contains": ofTexts((text, part) => text.includes(part)),
  }),
);

function integerOf(value: number): Value {
  if (!Number.isFinite(value) || value <= Number(LEAST) || value >= -Number(LEAST)) return OVERFLOW;
  return BigInt(Math.trunc(value));
}
