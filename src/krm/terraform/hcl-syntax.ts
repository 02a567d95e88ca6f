/** The parts of a Terraform file: blocks, attributes and expressions, with their places. */

/** Offsets in the text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Body {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: readonly Block[];
}

export interface Attribute {
  readonly at: number;
  readonly value: Expression;
}

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly at: number;
  readonly body: Body;
}

/** A piece of a text as the file spells it: from `at` on, character by character, unless it is an escape. */
export interface TextPiece {
  readonly text: string;
  readonly at: number;
}

export type TemplatePart =
  | { readonly is: "text"; readonly pieces: readonly TextPiece[] }
  | { readonly is: "value"; readonly value: Expression }
  | ({ readonly is: "if"; readonly condition: Expression } & Branches)
  | ({ readonly is: "for"; readonly loop: Loop; readonly body: readonly TemplatePart[] } & Span);

interface Branches extends Span {
  readonly whenTrue: readonly TemplatePart[];
  readonly whenFalse: readonly TemplatePart[];
}

export interface Loop {
  readonly key: string | undefined;
  readonly value: string;
  readonly over: Expression;
}

export interface ObjectEntry {
  /** A name without quotes is the key itself. */
  readonly key: Expression;
  readonly value: Expression;
}

export type Expression = Span &
  (
    | { readonly is: "literal"; readonly value: number | boolean | null }
    /** A number with more digits than anp counts with. */
    | { readonly is: "unread" }
    | { readonly is: "template"; readonly parts: readonly TemplatePart[] }
    | { readonly is: "list"; readonly items: readonly Expression[] }
    | { readonly is: "object"; readonly entries: readonly ObjectEntry[] }
    | ForExpression
    | { readonly is: "call"; readonly name: string; readonly args: readonly Expression[]; readonly isSpread: boolean }
    | { readonly is: "name"; readonly name: string }
    | { readonly is: "field"; readonly of: Expression; readonly name: string }
    | { readonly is: "index"; readonly of: Expression; readonly key: Expression }
    | { readonly is: "splat"; readonly of: Expression; readonly fields: readonly string[] }
    | { readonly is: "group"; readonly inner: Expression }
    | { readonly is: "not" | "minus"; readonly of: Expression }
    | { readonly is: "binary"; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
    | {
        readonly is: "choice";
        readonly condition: Expression;
        readonly whenTrue: Expression;
        readonly whenFalse: Expression;
      }
  );

export interface ForExpression {
  readonly is: "for";
  readonly loop: Loop;
  /** Set for an object. */
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly isGrouped: boolean;
  readonly condition: Expression | undefined;
}

export type Operator = "||" | "&&" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "+" | "-" | "*" | "/" | "%";

/** Why a text is not read. */
export class HclProblem extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
