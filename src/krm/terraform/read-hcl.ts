/** Reads Terraform files and templates: the syntax of HCL, as `hclsyntax` of HashiCorp reads it. */
import { HclCursor } from "./hcl-cursor.ts";
import {
  type Attribute,
  type Block,
  type Body,
  type Expression,
  type ForExpression,
  HclProblem,
  type ObjectEntry,
  type Operator,
} from "./hcl-syntax.ts";
import { readHeredoc, readLoop, readQuoted, readTemplateFile } from "./hcl-template.ts";

/** The body of a file, or why it is not read. */
export function readHcl(text: string): Body | HclProblem {
  return attempt(() => {
    const reader = new Reader(text);
    const body = reader.body();
    return reader.isAtEnd ? body : reader.fail("an attribute or block is expected");
  });
}

/** A file as a template. */
export function readHclTemplate(text: string): Expression | HclProblem {
  return attempt(() => new Reader(text).template());
}

function attempt<T>(act: () => T): T | HclProblem {
  try {
    return act();
  } catch (error) {
    if (error instanceof HclProblem) return error;
    throw error;
  }
}

const PRECEDENCE: readonly (readonly Operator[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Longer chains of operators and fields would make evaluation deep. */
const MOST_IN_CHAIN = 500;

class Reader {
  readonly #cursor: HclCursor;
  /** Whether line breaks mean nothing here. */
  #freely = false;

  constructor(text: string) {
    this.#cursor = new HclCursor(text);
  }

  get isAtEnd(): boolean {
    return this.#cursor.isAtEnd;
  }

  fail(why: string): never {
    return this.#cursor.fail(why);
  }

  template(): Expression {
    return readTemplateFile(this.#cursor, this.#readInside);
  }

  /** Up to the end or a closing brace. */
  body(): Body {
    const cursor = this.#cursor;
    const attributes = new Map<string, Attribute>();
    const blocks: Block[] = [];
    for (;;) {
      cursor.skip(true);
      if (cursor.isAtEnd || cursor.has("}")) return { attributes, blocks };
      const at = cursor.at;
      const name = cursor.identifier() ?? cursor.fail("an attribute or block is expected");
      cursor.skip(false);
      if (cursor.has("=") && !cursor.has("==")) this.#attribute(attributes, name, at);
      else blocks.push(cursor.nested(() => this.#block(name, at)));
      cursor.skip(false);
      if (!cursor.isAtEnd && !cursor.isLineBreak()) cursor.fail("a line break is expected");
    }
  }

  #attribute(attributes: Map<string, Attribute>, name: string, at: number): void {
    if (attributes.has(name)) this.#cursor.fail("an attribute is given twice", at);
    this.#cursor.must("=");
    attributes.set(name, { at, value: this.#expression() });
  }

  #block(type: string, at: number): Block {
    const cursor = this.#cursor;
    const labels: string[] = [];
    while (!cursor.take("{")) {
      const label = cursor.has('"') ? this.#label() : cursor.identifier();
      labels.push(label ?? cursor.fail("a block has no body"));
      cursor.skip(false);
    }
    cursor.skip(false);
    if (cursor.isLineBreak() || cursor.has("}") || cursor.isAtEnd) {
      const body = this.body();
      cursor.must("}");
      return { type, labels, at, body };
    }
    const attributes = new Map<string, Attribute>();
    const start = cursor.at;
    const name = cursor.identifier() ?? cursor.fail("an attribute is expected");
    cursor.skip(false);
    this.#attribute(attributes, name, start);
    cursor.skip(false);
    cursor.must("}");
    return { type, labels, at, body: { attributes, blocks: [] } };
  }

  #label(): string {
    const quoted = readQuoted(this.#cursor, this.#readInside);
    const parts = quoted.is === "template" ? quoted.parts : [];
    return parts
      .flatMap((part) =>
        part.is === "text" ? part.pieces : this.#cursor.fail("a label has a value in it", quoted.start),
      )
      .map(({ text }) => text)
      .join("");
  }

  #skip(): void {
    this.#cursor.skip(this.#freely);
  }

  /** @param freely whether line breaks mean nothing */
  #inside<T>(freely: boolean, act: () => T): T {
    const before = this.#freely;
    this.#freely = freely;
    const result = this.#cursor.nested(act);
    this.#freely = before;
    return result;
  }

  readonly #readInside = (): Expression => this.#inside(true, () => this.#expression());

  #expression(): Expression {
    return this.#cursor.nested(() => {
      const condition = this.#operation(0);
      this.#skip();
      if (!this.#cursor.take("?")) return condition;
      const whenTrue = this.#expression();
      this.#skip();
      this.#cursor.must(":");
      const whenFalse = this.#expression();
      return { is: "choice", condition, whenTrue, whenFalse, start: condition.start, end: whenFalse.end };
    });
  }

  #operation(level: number): Expression {
    const operators = PRECEDENCE[level];
    if (operators === undefined) return this.#unary();
    let left = this.#operation(level + 1);
    for (let length = 0; ; length++) {
      this.#skip();
      const operator = operators.find((one) => this.#cursor.has(one));
      if (operator === undefined || this.#isOther(operator)) return left;
      if (length === MOST_IN_CHAIN) this.fail("an expression is too long");
      this.#cursor.must(operator);
      const right = this.#operation(level + 1);
      left = { is: "binary", operator, left, right, start: left.start, end: right.end };
    }
  }

  /** Whether the mark is the beginning of another one. */
  #isOther(operator: Operator): boolean {
    const cursor = this.#cursor;
    return operator === "/" && (cursor.has("//") || cursor.has("/*"));
  }

  #unary(): Expression {
    this.#skip();
    const cursor = this.#cursor;
    const start = cursor.at;
    const is = cursor.has("!") && !cursor.has("!=") ? "not" : cursor.has("-") ? "minus" : undefined;
    if (is === undefined) return this.#chain();
    cursor.at += 1;
    const of = cursor.nested(() => this.#unary());
    return { is, of, start, end: of.end };
  }

  /** A term with the fields and indexes after it. */
  #chain(): Expression {
    const cursor = this.#cursor;
    let of = this.#term();
    for (let length = 0; ; length++) {
      if (length === MOST_IN_CHAIN) this.fail("an expression is too long");
      const { start } = of;
      const before = cursor.at;
      this.#skip();
      if (cursor.has(".") && !cursor.has("...")) {
        cursor.at += 1;
        this.#skip();
        const number = cursor.number();
        if (cursor.take("*")) of = this.#splat(of);
        else if (number === undefined) {
          const name = cursor.identifier() ?? cursor.fail("a name is expected");
          of = { is: "field", of, name, start, end: cursor.at };
        } else if (number.includes(".")) cursor.fail("two indexes need brackets");
        else {
          const key = { is: "literal", value: Number(number), start: before, end: cursor.at } as const;
          of = { is: "index", of, key, start, end: cursor.at };
        }
      } else if (cursor.take("[")) {
        // Only an expression may be on another line.
        cursor.skip(false);
        if (cursor.take("*")) {
          cursor.skip(false);
          cursor.must("]");
          of = this.#splat(of);
          continue;
        }
        const key = this.#readInside();
        cursor.skip(true);
        cursor.must("]");
        of = { is: "index", of, key, start, end: cursor.at };
      } else {
        cursor.at = before;
        return of;
      }
    }
  }

  #splat(of: Expression): Expression {
    const cursor = this.#cursor;
    const fields: string[] = [];
    for (;;) {
      const before = cursor.at;
      const name = cursor.take(".") ? cursor.identifier() : undefined;
      if (name !== undefined) fields.push(name);
      else {
        cursor.at = before;
        return { is: "splat", of, fields, start: of.start, end: cursor.at };
      }
    }
  }

  #term(): Expression {
    const cursor = this.#cursor;
    this.#skip();
    const start = cursor.at;
    if (cursor.has('"')) return readQuoted(cursor, this.#readInside);
    const heredoc = cursor.has("<<") ? readHeredoc(cursor, this.#readInside) : undefined;
    if (heredoc !== undefined) return heredoc;
    if (cursor.take("(")) {
      const inner = this.#readInside();
      cursor.skip(true);
      cursor.must(")");
      return { is: "group", inner, start, end: cursor.at };
    }
    if (cursor.take("[")) return this.#inside(true, () => this.#list(start));
    if (cursor.take("{")) return this.#inside(false, () => this.#object(start));
    const number = cursor.number();
    if (number !== undefined) return { ...numberOf(number), start, end: cursor.at };
    const name = cursor.identifier();
    return name === undefined ? cursor.fail("an expression is expected") : this.#named(name, start);
  }

  #named(name: string, start: number): Expression {
    const cursor = this.#cursor;
    let whole = name;
    while (cursor.take("::")) whole += `::${cursor.identifier() ?? cursor.fail("a name is expected")}`;
    const end = cursor.at;
    this.#skip();
    if (cursor.take("(")) return this.#inside(true, () => this.#call(whole, start));
    cursor.at = end;
    if (whole !== name) return cursor.fail("( is expected");
    if (name === "true" || name === "false") return { is: "literal", value: name === "true", start, end };
    if (name === "null") return { is: "literal", value: null, start, end };
    return { is: "name", name, start, end };
  }

  #call(name: string, start: number): Expression {
    const cursor = this.#cursor;
    const args: Expression[] = [];
    let isSpread = false;
    for (;;) {
      this.#skip();
      if (cursor.take(")")) break;
      args.push(this.#expression());
      this.#skip();
      isSpread = cursor.take("...");
      this.#skip();
      if (isSpread || !cursor.take(",")) {
        cursor.must(")");
        break;
      }
    }
    return { is: "call", name, args, isSpread, start, end: cursor.at };
  }

  #list(start: number): Expression {
    const cursor = this.#cursor;
    this.#skip();
    if (this.#takesFor()) return { ...this.#for("]", false), start, end: cursor.at };
    const items: Expression[] = [];
    for (;;) {
      this.#skip();
      if (cursor.take("]")) break;
      items.push(this.#expression());
      this.#skip();
      if (!cursor.take(",")) {
        cursor.must("]");
        break;
      }
    }
    return { is: "list", items, start, end: cursor.at };
  }

  #object(start: number): Expression {
    const cursor = this.#cursor;
    const before = cursor.at;
    cursor.skip(true);
    if (this.#takesFor()) {
      const made = this.#inside(true, () => this.#for("}", true));
      return { ...made, start, end: cursor.at };
    }
    cursor.at = before;
    const entries: ObjectEntry[] = [];
    for (;;) {
      cursor.skip(true);
      if (cursor.take("}")) break;
      const key = this.#expression();
      cursor.skip(false);
      if (cursor.has("==") || cursor.has("=>") || !(cursor.take("=") || cursor.take(":"))) cursor.fail("= is expected");
      entries.push({ key, value: this.#expression() });
      cursor.skip(false);
      if (cursor.take("}")) break;
      if (!cursor.take(",") && !cursor.isLineBreak()) cursor.fail("a comma or line break is expected");
    }
    return { is: "object", entries, start, end: cursor.at };
  }

  #takesFor(): boolean {
    const cursor = this.#cursor;
    const before = cursor.at;
    if (cursor.identifier() === "for") return true;
    cursor.at = before;
    return false;
  }

  /** After `for`, with the closing mark. */
  #for(end: "]" | "}", isObject: boolean): ForExpression {
    const cursor = this.#cursor;
    const loop = readLoop(cursor, () => this.#expression());
    cursor.skip(true);
    cursor.must(":");
    const first = this.#expression();
    cursor.skip(true);
    if (isObject) cursor.must("=>");
    const value = isObject ? this.#expression() : first;
    cursor.skip(true);
    const isGrouped = isObject && cursor.take("...");
    cursor.skip(true);
    const isConditional = cursor.match(/if(?![\p{ID_Continue}-])/uy) !== undefined;
    const condition = isConditional ? this.#expression() : undefined;
    cursor.skip(true);
    cursor.must(end);
    return { is: "for", loop, key: isObject ? first : undefined, value, isGrouped, condition };
  }
}

function numberOf(text: string): { readonly is: "literal"; readonly value: number } | { readonly is: "unread" } {
  return /^\d{1,15}(?:\.\d{1,6})?$/.test(text) ? { is: "literal", value: Number(text) } : { is: "unread" };
}
