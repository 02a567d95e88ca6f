/** docs/architecture.md: each rule stands where its table says, and every room of src/ has its words. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../support/process/built.ts";

const PAGE = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");

const rules = [...PAGE.matchAll(/^\| (.+) \| \[`([\w/-]+\.ts)`\]\(\.\.\/src\/([\w/-]+\.ts)\) `(\w+)` \|$/gm)].map(
  ([, rule = "", shown = "", file = "", name = ""]) => ({ rule, shown, file, name }),
);

describe("where a rule stands", () => {
  it("is said of ten rules or more", () => expect(rules.length).toBeGreaterThanOrEqual(10));

  it.each(rules)("$rule", ({ shown, file, name }) => {
    expect(file).toBe(shown);
    const text = existsSync(join(ROOT, "src", file)) ? readFileSync(join(ROOT, "src", file), "utf8") : "";
    expect(text).toMatch(new RegExp(`^export function ${name}[<(]`, "m"));
  });
});

/** Two words of one folder are no room: parts of a room may be folders of their own. */
const STAGES_WITH_ROOMS = ["krm", "model", "karpenter", "analyze", "report", "cluster", "commands"];

describe("the rooms", () => {
  const cells = new Map(
    [...PAGE.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, stage = "", text = ""]) => [stage, text]),
  );

  it.each(STAGES_WITH_ROOMS)("of %s are all named", (stage) => {
    const rooms = readdirSync(join(ROOT, "src", stage), { withFileTypes: true }).filter((one) => one.isDirectory());
    const unnamed = rooms.map(({ name }) => name).filter((name) => !cells.get(stage)?.includes(`\`${name}\``));
    expect(unnamed).toStrictEqual([]);
  });

  it("and every command has its name", () => {
    const commands = readdirSync(join(ROOT, "src/commands")).filter((name) => /^[\w-]+\.ts$/.test(name));
    const words = cells.get("commands") ?? "";
    expect(commands.map((name) => name.replace(".ts", "")).filter((name) => !words.includes(name))).toStrictEqual([]);
  });
});
