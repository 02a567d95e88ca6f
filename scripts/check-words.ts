/** Fails for words that readers stumble over, in code's prose and in Markdown: part of `npm run check`. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { proseOfCode, proseOfMarkdown } from "./words/prose-of.ts";
import { refusedWordsIn } from "./words/refused-words.ts";

const cwd = fileURLToPath(new URL("..", import.meta.url));

const CODE = ["{src,scripts,test}/**/*.{ts,tsx}", "bin/*.js", "*.config.ts"];
/** The list of words, and its test. */
const EXCLUDED = ["scripts/words/refused-words.ts", "test/suites/docs/words.test.ts"];
/** Messages of admission policies are in clusters, and stay as they are. */
const RENDERED: Readonly<Record<string, string>> = {
  "src/guard/guard-static.ts": "whoever",
  "test/suites/guard/static.test.ts": "whoever",
};
const MARKDOWN = ["{docs,deploy,integrations}/**/*.md", "README.md", "CONTRIBUTING.md"];

const read = (file: string): string => readFileSync(`${cwd}/${file}`, "utf8");
const filesOf = (patterns: string[]): string[] => globSync(patterns, { cwd, exclude: EXCLUDED }).toSorted();

const texts = [
  ...filesOf(CODE).map((file) => ({ file, prose: proseOfCode(file, read(file)) })),
  ...filesOf(MARKDOWN).map((file) => ({ file, prose: proseOfMarkdown(read(file)) })),
];
const lines = texts.flatMap(({ file, prose }) =>
  refusedWordsIn(prose)
    .filter(({ word }) => RENDERED[file] !== word)
    .map(({ line, word, instead }) => `${file}:${line}: "${word}": write ${instead}`),
);
process.stdout.write([...lines, `${texts.length} files, ${lines.length} refused words`, ""].join("\n"));
process.exitCode = lines.length === 0 ? 0 : 1;
