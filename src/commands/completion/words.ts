/** Which command the words of a typed line lead to, and what the last word is to it. */
import type { Command, Option } from "commander";

export interface TypedLine {
  readonly command: Command;
  readonly operands: readonly string[];
  /** The values of the options that stand there, by their long names; `""` for those that take none. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** The option whose value is being typed. */
  readonly option: Option | undefined;
  /** What stands before the part that is being typed, in the same word: `--nodepool=`. */
  readonly before: string;
  readonly typed: string;
  /** Behind `--` nothing is an option. */
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
  /** A value follows whatever it looks like. */
  readonly surely: boolean;
}

/** Word by word, as commander reads them. */
class Walk {
  #command: Command;
  #operandsOnly = false;
  #waiting: Waiting | undefined;
  readonly #operands: string[] = [];
  readonly #given = new Map<string, string[]>();

  constructor(program: Command) {
    this.#command = program;
  }

  step(word: string): void {
    const waiting = this.#waitingFor(word);
    this.#waiting = undefined;
    if (waiting !== undefined) {
      this.#note(waiting, word);
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
    if (!takesValue(option)) this.#note(option, "");
    else if (value === undefined) this.#waiting = { option, surely: option.required };
    else this.#note(option, value);
  }

  /** `--nodepool=web` and `-oyaml` hold their values. */
  #split(word: string): Split {
    const [, flag, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? /^(-[^-])(.+)?$/s.exec(word) ?? [];
    if (flag === undefined) return NOTHING;
    return { option: this.#command.options.find(({ long, short }) => long === flag || short === flag), value };
  }

  #note({ long, short }: Option, value: string): void {
    const name = long ?? short ?? "";
    this.#given.set(name, [...(this.#given.get(name) ?? []), value]);
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
