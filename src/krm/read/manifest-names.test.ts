/** `.krmignore`: the paths that the patterns of one or several folders exclude. */
import { describe, expect, it } from "vitest";
import { isIgnored, parseKrmIgnore } from "./manifest-names.ts";

describe("isIgnored", () => {
  it.each<[what: string, patterns: string, path: string, isFolder: boolean, ignored: boolean]>([
    ["no pattern", "", "p/a.yaml", false, false],
    ["a comment", "# a.yaml\n", "p/a.yaml", false, false],
    ["a name", "a.yaml\n", "p/a.yaml", false, true],
    ["a name, deeper", "a.yaml\n", "p/b/a.yaml", false, true],
    ["a name at the root only", "/a.yaml\n", "p/b/a.yaml", false, false],
    ["another name that ends so", "a.yaml\n", "p/ba.yaml", false, false],
    ["a star", "*.yml\n", "p/b/a.yml", false, true],
    ["a folder", "b/\n", "p/b", true, true],
    ["a file with the name of a folder", "b/\n", "p/b", false, false],
    ["a file in a folder", "b/\n", "p/b/c/a.yaml", false, true],
    ["two stars", "**/c/*.yaml\n", "p/b/c/a.yaml", false, true],
    ["a negation", "*.yaml\n!a.yaml\n", "p/a.yaml", false, false],
    ["a negation below a folder that is left out", "b/\n!b/a.yaml\n", "p/b/a.yaml", false, true],
    ["a negation below a folder whose files are left out", "b/*\n!b/a.yaml\n", "p/b/a.yaml", false, false],
    ["a negation before the pattern", "!a.yaml\n*.yaml\n", "p/a.yaml", false, true],
    ["another case: files differ by it", "A.yaml\n", "p/a.yaml", false, false],
    ["CRLF", "a.yaml\r\nb.yaml\r\n", "p/a.yaml", false, true],
    ["no line break at the end", "a.yaml", "p/a.yaml", false, true],
    ["spaces at the end", "a.yaml  \n", "p/a.yaml", false, true],
    ["an escaped !", "\\!a.yaml\n", "p/!a.yaml", false, true],
  ])("%s", (_what, patterns, path, isFolder, ignored) => {
    expect(isIgnored(path, isFolder, [parseKrmIgnore("p", patterns)])).toBe(ignored);
  });

  it.each<[folder: string, path: string]>([
    ["/", "/a.yaml"],
    ["/p", "/p/b/a.yaml"],
    ["p/q", "p/q/a.yaml"],
  ])("is relative to its folder: %j, %j", (folder, path) => {
    expect(isIgnored(path, false, [parseKrmIgnore(folder, "a.yaml\n")])).toBe(true);
    expect(isIgnored(path, false, [parseKrmIgnore(folder, "!a.yaml\n")])).toBe(false);
    expect(isIgnored(path, false, [parseKrmIgnore(folder, "x.yaml\n")])).toBe(false);
  });

  it("adds up over folders: an inner file cannot include what an outer one excludes", () => {
    const rules = [parseKrmIgnore("p", "a.yaml\n"), parseKrmIgnore("p/q", "!a.yaml\nb.yaml\n")];
    const ignored = ["p/q/a.yaml", "p/q/b.yaml", "p/q/c.yaml"].filter((path) => isIgnored(path, false, rules));
    expect(ignored).toStrictEqual(["p/q/a.yaml", "p/q/b.yaml"]);
  });
});
