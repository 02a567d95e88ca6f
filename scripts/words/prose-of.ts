/** The prose of a file, with everything else blanked out so that lines keep their numbers. */
import { parseSync, Visitor } from "oxc-parser";

/** Not white space, so that no phrase reaches over code. */
const CODE = "\0";

/** A value in backquotes, such as an enum value or the name of a user. */
const VALUE = /`[^`\s]+`/g;

export function proseOfMarkdown(text: string): string {
  return text.replaceAll(VALUE, blank);
}

/** Comments, and strings and templates with more than one word: a single one is a value. */
export function proseOfCode(file: string, text: string): string {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const parts: { start: number; end: number; prose: string }[] = comments.map(({ start, end }) => ({
    start,
    end,
    prose: text
      .slice(start, end)
      .replaceAll(VALUE, blank)
      .replaceAll(/^[ \t]*(?:\/?\*+\/?|\/\/)/gm, (sign) => " ".repeat(sign.length)),
  }));
  const add = (start: number, end: number): void => {
    const prose = text.slice(start, end);
    if (/\s/.test(prose)) parts.push({ start, end, prose });
  };
  new Visitor({
    Literal: ({ value, start, end }) => {
      if (typeof value === "string") add(start, end);
    },
    TemplateElement: ({ start, end }) => add(start, end),
    JSXText: ({ start, end }) => add(start, end),
  }).visit(program);
  let prose = "";
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    prose += blankCode(text.slice(prose.length, part.start)) + part.prose;
  }
  return prose + blankCode(text.slice(prose.length));
}

function blank(text: string): string {
  return CODE.repeat(text.length);
}

function blankCode(text: string): string {
  return text.replaceAll(/\S/g, CODE);
}
