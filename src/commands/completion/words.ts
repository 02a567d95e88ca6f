/** Splits a typed line into words, and finds its command and the role of the last word. */
import type { Command, Option } from "commander";

export interface TypedLine {
  readonly command: Command;
  readonly operands: readonly string[];
  /** The options that are given already, by their long names. */
  readonly given: ReadonlySet<string>;
  /** The option that takes the typed value. */
  readonly option: Option | undefined;
  /** The text before the typed part in the same word: `--nodepool=`. */
  readonly before: string;
  readonly typed: string;
  /** Whether `--` was given, after which nothing is an option. */
  readonly operandsOnly: boolean;
}

/** @param words without the program's name; the last one ends at the cursor and may be empty */
export function typedLine(program: Command, words: readonly string[]): TypedLine {
  const walk = new Walk(program);
  for (const word of words.slice(0, -1)) walk.step(word);
  return walk.end(words.at(-1) ?? "");
}

interface Waiting {
  readonly option: Option;
  /** The next word is its value, even if that looks like an option. */
  readonly surely: boolean;
}

/** Word by word, as commander reads them. */
class Walk {
  #command: Command;
  #operandsOnly = false;
  #waiting: Waiting | undefined;
  readonly #operands: string[] = [];
  readonly #given = new Set<string>();

  constructor(program: Command) {
    this.#command = program;
  }

  step(word: string): void {
    const waiting = this.#waitingFor(word);
    this.#waiting = undefined;
    if (waiting !== undefined) {
      if (waiting.variadic) this.#waiting = { option: waiting, surely: false };
    } else if (this.#operandsOnly || !isOption(word)) this.#operand(word);
    else if (word === "--") this.#operandsOnly = true;
    else this.#option(word);
  }

  end(word: string): TypedLine {
    const line = {
      command: this.#command,
      operands: this.#operands,
      given: this.#given,
      operandsOnly: this.#operandsOnly,
    };
    const waiting = this.#waitingFor(word);
    if (waiting !== undefined) return { ...line, option: waiting, before: "", typed: word };
    const { option, value } = this.#operandsOnly ? NOTHING : this.#split(word);
    if (option === undefined || value === undefined || !takesValue(option))
      return { ...line, option: undefined, before: "", typed: word };
    return { ...line, option, before: word.slice(0, word.length - value.length), typed: value };
  }

  #waitingFor(word: string): Option | undefined {
    return this.#waiting?.surely === true || !isOption(word) ? this.#waiting?.option : undefined;
  }

  #operand(word: string): void {
    const found =
      this.#operands.length > 0
        ? undefined
        : this.#command.commands.find((command) => command.name() === word || command.aliases().includes(word));
    if (found === undefined) this.#operands.push(word);
    else this.#command = found;
  }

  #option(word: string): void {
    const { option, value } = this.#split(word);
    if (option === undefined) return;
    this.#given.add(option.long ?? option.short ?? "");
    if (takesValue(option) && value === undefined) this.#waiting = { option, surely: option.required };
  }

  /** `--nodepool=web` and `-oyaml` contain their values. */
  #split(word: string): Split {
    const [, flag, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? /^(-[^-])(.+)?$/s.exec(word) ?? [];
    if (flag === undefined) return NOTHING;
    return { option: this.#command.options.find(({ long, short }) => long === flag || short === flag), value };
  }
}

interface Split {
  readonly option?: Option | undefined;
  readonly value?: string | undefined;
}

const NOTHING: Split = {};

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** A single dash is the standard input. */
function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

/** A part of a word: in single quotes, in double quotes, behind a backslash, or plain. An open quote goes to the end. */
const PART = /'([^']*)(?:'|$)|"((?:\\.|[^"\\])*)(?:"|$)|\\(.?)|([^\s'"\\]+)|(\s+)/gs;

/** The last one may be empty or unfinished. */
export function wordsOfShellLine(line: string): string[] {
  const words = [""];
  for (const [, single, double, escaped, plain, blank] of line.trimStart().matchAll(PART)) {
    const part = single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (blank !== undefined) words.push("");
    else words.push(`${words.pop()}${part ?? ""}`);
  }
  return words;
}
