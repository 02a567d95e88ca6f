/** Reads the text of a Helm template: its literal texts, and which values its actions take. */

/** A step of a path in the values; `EACH` stands for any entry of a mapping or list that a `range` goes through. */
export type Step = string | typeof EACH;
export const EACH = Symbol("each");

/** Values that an action may take. */
export interface Taken {
  readonly path: readonly Step[];
  /** Whether it is the key of the entry, and not its value. */
  readonly isKey: boolean;
}

export interface TemplateLine {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The texts around outputs of actions, one more than there are of these. */
  readonly literals: readonly string[];
  /** The offset of the first output; undefined if all of it is literal. */
  readonly action: number | undefined;
  readonly taken: readonly Taken[];
  /** The names of the templates that it includes. */
  readonly included: readonly string[];
  /** How far its actions indent what they write, if one says so. */
  readonly nindent: number | undefined;
}

/** Lines that can write something. */
export interface TemplateText {
  readonly lines: readonly TemplateLine[];
  /** Those of each template that it defines, which are not among the lines. */
  readonly defined: ReadonlyMap<string, readonly TemplateLine[]>;
}

interface Action {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

export function readTemplate(text: string): TemplateText {
  const scopes = new Scopes();
  const defined = new Map<string, TemplateLine[]>();
  const own: TemplateLine[] = [];
  let current = own;
  const builder = new Lines(text, (line) => current.push(line));
  let at = 0;
  let depth = 0;
  for (const action of actionsIn(text)) {
    builder.literal(at, action.start);
    const taken = scopes.enter(action.body);
    const [, name] = /^define\s+"([^"\n]*)"/.exec(action.body) ?? [];
    if (name !== undefined) {
      builder.end();
      current = defined.get(name) ?? [];
      defined.set(name, current);
      depth = scopes.depth;
    }
    builder.action(action, taken);
    at = action.end;
    if (current === own || scopes.depth >= depth) continue;
    builder.end();
    current = own;
  }
  builder.literal(at, text.length);
  builder.end();
  return { lines: own, defined };
}

function* actionsIn(text: string): Generator<Action> {
  for (let start = text.indexOf("{{"); start !== -1;) {
    const end = endOf(text, start + 2);
    if (end === undefined) return;
    const body = text
      .slice(start + 2, end - 2)
      .replace(/^-\s/, "")
      .replace(/\s-$/, "");
    yield { start, end, body: body.trim() };
    start = text.indexOf("{{", end);
  }
}

/** Strings and comments may hold the sign of the end. */
function endOf(text: string, from: number): number | undefined {
  const comment = text.startsWith("/*", from) ? from : text.startsWith("- /*", from) ? from + 2 : undefined;
  let at = comment === undefined ? from : text.indexOf("*/", comment + 2);
  if (at === -1) return undefined;
  for (let quote = ""; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quote === "" && sign === "}" && text[at + 1] === "}") return at + 2;
    if (sign === "\\" && quote !== "" && quote !== "`") at += 1;
    else if (sign === quote) quote = "";
    else if (quote === "" && (sign === '"' || sign === "`" || sign === "'")) quote = sign;
  }
  return undefined;
}

class Lines {
  readonly #text: string;
  readonly #add: (line: TemplateLine) => void;
  #start = 0;
  #literals = [""];
  #action: number | undefined;
  #taken: Taken[] = [];
  #bodies: string[] = [];

  constructor(text: string, add: (line: TemplateLine) => void) {
    this.#text = text;
    this.#add = add;
  }

  literal(from: number, to: number): void {
    let at = from;
    for (let end = this.#text.indexOf("\n", at); end !== -1 && end < to; end = this.#text.indexOf("\n", at)) {
      this.#literals[this.#literals.length - 1]! += this.#text.slice(at, end);
      this.#close(end);
      at = end + 1;
      this.#start = at;
    }
    this.#literals[this.#literals.length - 1]! += this.#text.slice(at, to);
  }

  /** @param taken undefined if it writes nothing */
  action({ start, end, body }: Action, taken: readonly Taken[] | undefined): void {
    const isEmpty = this.#literals.every((one) => one.trim() === "");
    if (taken !== undefined) {
      this.#action ??= start;
      this.#bodies.push(body);
      this.#taken.push(...taken);
    }
    // What writes nothing parts texts only where it stands between them.
    if (taken !== undefined || !isEmpty) this.#literals.push("");
    const next = this.#text.indexOf("\n", start);
    if (next === -1 || next >= end) return;
    this.#close(next);
    this.#start = this.#text.lastIndexOf("\n", end - 1) + 1;
  }

  /** Ends the line where it is. */
  end(): void {
    const next = this.#text.indexOf("\n", this.#start);
    this.#close(next === -1 ? this.#text.length : next);
  }

  #close(end: number): void {
    const literals = this.#literals;
    const action = this.#action;
    // An action without output ends the line.
    if (action === undefined && literals.length === 2 && literals[1]!.trim() === "") literals.pop();
    if (action !== undefined || literals.some((one) => one.trim() !== "")) {
      const bodies = this.#bodies.join(" ");
      const [, nindent] = /\bnindent\s+(\d{1,3})\b/.exec(bodies) ?? [];
      this.#add({
        start: this.#start,
        end,
        literals,
        action,
        taken: this.#taken,
        included: [...bodies.matchAll(/\b(?:include|template)\s+"([^"\n]*)"/g)].map(([, name = ""]) => name),
        nindent: nindent === undefined ? undefined : Number(nindent),
      });
    }
    this.#bodies = [];
    this.#literals = [""];
    this.#action = undefined;
    this.#taken = [];
  }
}

/** The top, which has `.Values`, or some of the values; undefined if unknown. */
type Value = "top" | Taken | undefined;

interface Scope {
  readonly dot: Value;
  readonly outside: Value;
  readonly variables: Map<string, Value>;
}

/** What `.` and variables mean where an action stands. */
class Scopes {
  readonly #open: Scope[] = [{ dot: "top", outside: "top", variables: new Map() }];

  /** The values that an action may write; undefined if it writes nothing. */
  enter(body: string): readonly Taken[] | undefined {
    const [, word = ""] = /^([a-z]+)\b/.exec(body) ?? [];
    const rest = body.slice(word.length).trim();
    switch (word) {
      case "end":
        if (this.#open.length > 1) this.#open.pop();
        return undefined;
      case "else":
        this.#replaceDot();
        return undefined;
      case "range":
        this.#push(rest, true);
        return undefined;
      case "with":
        this.#push(rest, false);
        return undefined;
      case "define":
        this.#open.push({ dot: "top", outside: "top", variables: new Map() });
        return undefined;
      case "if":
      case "block":
        this.#open.push({ dot: this.#dot, outside: this.#dot, variables: new Map() });
        return undefined;
      default:
    }
    if (body.startsWith("/*") || word === "break" || word === "continue") return undefined;
    const [assignment, name, expression = ""] = /^(\$\w+)\s*:?=([^]*)$/.exec(body) ?? [];
    if (assignment === undefined) return this.#valuesIn(body);
    this.#open.at(-1)!.variables.set(name!, this.#firstOf(expression));
    return undefined;
  }

  get depth(): number {
    return this.#open.length;
  }

  get #dot(): Value {
    return this.#open.at(-1)!.dot;
  }

  #push(text: string, isRange: boolean): void {
    const [declared = "", first, second] = /^(\$\w+)\s*(?:,\s*(\$\w+)\s*)?:=/.exec(text) ?? [];
    const value = this.#firstOf(text.slice(declared.length));
    const isKnown = value !== undefined && value !== "top" && !value.isKey;
    const one: Value = isRange ? (isKnown ? { path: [...value.path, EACH], isKey: false } : undefined) : value;
    const variables = new Map<string, Value>();
    if (second !== undefined) {
      variables.set(second, one);
      variables.set(first!, one === undefined || one === "top" ? undefined : { ...one, isKey: true });
    } else if (first !== undefined) variables.set(first, one);
    this.#open.push({ dot: one, outside: this.#dot, variables });
  }

  #replaceDot(): void {
    const { outside } = this.#open.pop()!;
    // Without a block, the scope of the whole text takes its own place.
    this.#open.push({ dot: outside, outside, variables: new Map() });
  }

  #firstOf(text: string): Value {
    if (/^\s*\$\s*$/.test(text)) return "top";
    if (/^\s*\.\s*$/.test(text)) return this.#dot;
    return this.#valuesIn(text)[0];
  }

  #valuesIn(text: string): Taken[] {
    const bare = withoutStrings(text);
    return [...bare.matchAll(/(?<![\w)$.])(?:(\$\w*)?((?:\.\w+)+)|(\$\w+)|\.(?=[\s)|]|$))/g)].flatMap(
      ([, root, fields = "", variable]) => {
        const name = root ?? variable;
        const base = name === undefined ? this.#dot : name === "$" ? "top" : this.#variable(name);
        const steps = fields.split(".").slice(1);
        if (base === undefined) return [];
        if (base === "top") return steps[0] === "Values" ? [{ path: steps.slice(1), isKey: false }] : [];
        return base.isKey && steps.length > 0 ? [] : [{ path: [...base.path, ...steps], isKey: base.isKey }];
      },
    );
  }

  #variable(name: string): Value {
    return this.#open.findLast(({ variables }) => variables.has(name))?.variables.get(name);
  }
}

function withoutStrings(text: string): string {
  let bare = "";
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quote === "" && (sign === '"' || sign === "`")) quote = sign;
    else if (quote === "") bare += sign;
    else if (quote === '"' && sign === "\\") at += 1;
    else if (sign === quote) quote = "";
  }
  return bare;
}
