/** The words that `npm run check` refuses: which text counts as prose, and which phrases are hits. */
import { describe, expect, it } from "vitest";
import { proseOfCode, proseOfMarkdown } from "../../../scripts/words/prose-of.ts";
import { refusedWordsIn } from "../../../scripts/words/refused-words.ts";

const inCode = (text: string): string[] =>
  refusedWordsIn(proseOfCode("a.ts", text)).map(({ line, word }) => `${line} ${word}`);
const inMarkdown = (text: string): string[] =>
  refusedWordsIn(proseOfMarkdown(text)).map(({ line, word }) => `${line} ${word}`);

describe("refused words", () => {
  it.each([
    ["a line comment", `const a = 1;\n// What nobody reads.`, [`2 nobody`]],
    ["a block comment over two lines", `/**\n * A pool that gets\n * round the policy.\n */`, [`2 gets round`]],
    ["line comments over two lines", `// There is a way\n// round it.`, [`1 way round`]],
    ["a string", `const a = "It is nobody's.";`, ["1 nobody"]],
    ["a template", `const a = \`\${b} says what nobody knows\`;`, ["1 nobody"]],
    ["the title of a test", `it("is for whoever asks", () => undefined);`, [`1 whoever`]],
  ])("are found in %s", (_where, text, hits) => {
    expect(inCode(text)).toStrictEqual(hits);
  });

  it.each([
    ["a value", `const a = "nobody";`],
    ["a value in a comment", `/** \`nobody\`: without a keeper. */`],
    ["a name", `const nobody = 1;`],
    ["a pattern", `const a = /as nobody else/;`],
    ["comments around code", `/* gets */ const a = 1; /* round */`],
    ["the reverse", "// Or the other way round."],
    ["an amount that is reached", "// A loop that comes to an end."],
  ])("are not found in %s", (_where, text) => {
    expect(inCode(text)).toStrictEqual([]);
  });

  it("are found in Markdown with their line, except as values", () => {
    expect(inMarkdown(`# A page\n\nIt runs as \`nobody\`, and nobody may\nget\nround it.\n`)).toStrictEqual([
      `3 nobody`,
      `4 get round`,
    ]);
  });

  it("come with a plain word", () => {
    const [hit] = refusedWordsIn(`What is told of is gone.`);
    expect(hit).toStrictEqual({ line: 1, word: `told of`, instead: "reported, logged" });
  });
});
