/** The packages in the bundles by esbuild's list of inputs: names, versions and licences. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Metafile } from "esbuild";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it. */
  readonly license: string;
  /** The text that the licence requires to be distributed with the code. */
  readonly notice: string;
}

/** Sorted by name and version; duplicates of npm's installation are removed. */
export function bundledPackages(metafiles: readonly Metafile[]): BundledPackage[] {
  const folders = new Set<string>();
  for (const { inputs } of metafiles)
    for (const input of Object.keys(inputs)) {
      // A plugin's files begin with its name and a colon.
      const path = resolve(input.replace(/^[\w-]{2,}:/, ""));
      const folder = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/.exec(path)?.[0];
      if (folder !== undefined) folders.add(folder);
    }
  const packages = [...folders].map((folder): BundledPackage => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
    const { name = "", version = "", license = "" } = manifest;
    return { name, version, license, notice: noticeOf(folder, name, license) };
  });
  const byName = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** @throws if a package names no licence: its code must not be distributed */
function noticeOf(folder: string, name: string, license: string): string {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  const readme = join(folder, "README.md");
  if (texts.length === 0 && existsSync(readme)) {
    const section = /^#+ *licen[cs]e[\s\S]*/im.exec(readFileSync(readme, "utf8"))?.[0];
    if (section !== undefined) texts.push(section.trim());
  }
  if (texts.length === 0 && license === "") throw new Error(`${name} is bundled, and names no licence`);
  if (texts.length === 0) return `Licensed as ${license}; the package holds no text of it.`;
  return texts.join("\n\n");
}

/** Packages of the same terms are listed together, each with its copyright, followed by the terms once. */
export function licensesText(packages: readonly BundledPackage[]): string {
  const groups = Map.groupBy(packages, ({ notice }) => termsOf(notice).map(oneLine).join("\n"));
  const parts = [...groups.values()].map((group) => {
    const heads = group.map(({ name, version, license, notice }) =>
      [`${name} ${version} (${license})`, ...paragraphsOf(notice).filter(isOwn)].join("\n\n"),
    );
    const shared = group.length > 1 ? [`The terms of these ${group.length} packages:`] : [];
    return `${[...heads, ...shared, ...termsOf(group[0]!.notice)].join("\n\n")}\n`;
  });
  return ["The code of these packages is part of anp.\n", ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

function paragraphsOf(notice: string): string[] {
  return notice.split(/\r?\n(?:[ \t]*\r?\n)+/);
}

/** The name of a licence is listed with that of the package. */
function isOwn(paragraph: string): boolean {
  return /^\W*(?:copyright|\(c\)|©|(?:the )?mit license(?: \(mit\))?$)/i.test(oneLine(paragraph));
}

function termsOf(notice: string): string[] {
  return paragraphsOf(notice).filter((paragraph) => !isOwn(paragraph));
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
