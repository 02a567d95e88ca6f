/** Splits a shell's line up to the cursor into the words that a program gets. */

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
