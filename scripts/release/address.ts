/** The address of the repository: package.json states it, and the pages repeat it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build-folder.ts";
import { git } from "../commit.ts";

/** What the pages have instead, as long as package.json states no address. */
export const PLACEHOLDER = "https://github.com/OWNER/anp";

/** The paragraph of docs/install.md that explains the placeholder, and goes with it. */
export const PLACEHOLDER_NOTE = `
No release of anp is published yet. \`${PLACEHOLDER}\` stands for the address of your copy, on all pages.
`;

const FILES = ["*.md", "*.yaml", "*.yml", ":!CHANGELOG.md", ":!fixtures", ":!test"];
/** A link to a repository that is called anp. */
const LINK = /https?:\/\/[\w.:-]+(?:\/[\w.-]+)*?\/anp(?![\w-])/g;
const ACTION = /\buses: ([\w.-]+\/anp)@/g;

/** Such as `https://github.com/acme/anp`. Undefined before it is set. */
export function statedAddress(packageJson = readFileSync(join(ROOT, "package.json"), "utf8")): string | undefined {
  return (JSON.parse(packageJson) as { repository?: string }).repository;
}

/** `acme/anp`: how actions name it. */
function slugOf(address: string): string {
  return new URL(address).pathname.slice(1);
}

/** Undefined if it can be the address of a repository that is called anp. */
export function whyNoAddress(text: string): string | undefined {
  return /^https:\/\/[a-z\d.-]+\/[\w.-]+\/anp$/.test(text)
    ? undefined
    : "write it as https://github.com/<owner>/anp, without an end such as .git";
}

/** The files whose text may have the address. @throws outside of a git repository */
export function pagesWithAddress(): string[] {
  const names = git("ls-files", "-z", "--", ...FILES);
  if (names === undefined) throw new Error("this is not a git repository");
  return names.split("\0").filter((name) => name !== "");
}

/** The other addresses of repositories called anp, in a page. */
export function otherAddresses(text: string, address: string): string[] {
  const links = [...text.matchAll(LINK)].map(([link]) => link).filter((link) => link !== address);
  const actions = [...text.matchAll(ACTION)].map(([, slug = ""]) => slug).filter((slug) => slug !== slugOf(address));
  return [...links, ...actions];
}

/** The page with one address in the place of another. */
export function withAddress(text: string, from: string, to: string): string {
  const noted = to === PLACEHOLDER ? text : text.replace(PLACEHOLDER_NOTE, "");
  return noted.replaceAll(LINK, (link) => (link === from ? to : link)).replaceAll(slug(slugOf(from)), slugOf(to));
}

/** The slug alone: not within a link, nor the beginning of another name. */
function slug(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w./-])${name.replaceAll(".", String.raw`\.`)}(?![\w-])`, "g");
}
