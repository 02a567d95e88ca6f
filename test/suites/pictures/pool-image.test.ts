/** `--picture`: one pool as an SVG file of its own, to send in a chat. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { QUICKSTART } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

interface Drawn {
  readonly elements: readonly string[];
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
  readonly text: string;
}

/** @throws if it is no XML */
function parsed(svg: string): Drawn {
  const parser = new SaxesParser();
  const [elements, links, ids]: [string[], string[], Set<string>] = [[], [], new Set()];
  let text = "";
  parser.on("opentag", ({ name, attributes }) => {
    elements.push(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.endsWith("href")) links.push(value);
      if (key === "id") ids.add(value);
      expect(key).not.toMatch(/^on/);
    }
  });
  parser.on("text", (one) => (text += one));
  parser.write(svg).close();
  return { elements, links, ids, text };
}

async function pictureOf(pool: string): Promise<string> {
  const cwd = folderWith({});
  const args = ["explain", QUICKSTART, "--nodepool", pool, "--picture", "pool.svg"];
  expect(await runAnp(args, { cwd })).toMatchObject({ exit: 0, stdout: expect.stringContaining(pool) as unknown });
  return readFileSync(join(cwd, "pool.svg"), "utf8");
}

describe("the picture of a pool", () => {
  it("has its title, its figures and its legend in words", async () => {
    const { text, elements } = parsed(await pictureOf("web"));
    expect(text).toContain("web: 7 of 1363 instance types left");
    expect(text).toContain("from $0.1632 an hour (us-east-1, 2026-07)");
    expect(text).toContain("ruled out by the policy (1356)");
    expect(elements.slice(0, 3)).toStrictEqual(["svg", "title", "desc"]);
  });

  it("needs nothing but itself, in light and dark", async () => {
    const svg = await pictureOf("web");
    const { links, ids, elements } = parsed(svg);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !ids.has(link.slice(1)))).toStrictEqual([]);
    expect(elements).not.toContain("script");
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
    expect(svg.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|@import|url\((?!#)/);
    expect(Buffer.byteLength(svg)).toBeLessThan(150_000);
  });

  it.each<[why: string, args: readonly string[]]>([
    ["several pools", [QUICKSTART, "--picture", "pool.svg"]],
    ["another format", [QUICKSTART, "--nodepool", "web", "--picture", "pool.png"]],
  ])("is refused for %s", async (_why, args) => {
    const cwd = folderWith({});
    const { exit, stdout } = await runAnp(["explain", ...args], { cwd });
    expect([exit, stdout, readdirSync(cwd)]).toStrictEqual([2, "", []]);
  });
});
