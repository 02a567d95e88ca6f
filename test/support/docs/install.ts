/** The commands in docs/install.md by heading: line by line, in order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, readPage, REPOSITORY } from "./page.ts";

export const INSTALL_PAGE = "docs/install.md";

/** The version in the page's file names: that of the package. */
export const { version: VERSION } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
  version: string;
};

/** One entry for each block of a shell. */
export function typedUnder(heading: string): readonly (readonly string[])[] {
  const section = readPage(INSTALL_PAGE)
    .split(/^(?=## )/m)
    .find((text) => text.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`${INSTALL_PAGE} has no heading ${heading}`);
  return blocksOf(section).flatMap(({ language, lines }) => (language === "sh" ? [lines] : []));
}
