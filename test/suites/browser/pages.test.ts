/** Pages in a real Chromium: no requests, no policy violations, axe without a violation, widths, schemes, paper. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, NO_CHROMIUM, startChromium } from "../../support/browser/chromium.ts";
import { QUICKSTART, ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";

if (chromiumPath === undefined) console.log(NO_CHROMIUM);

const DIFF = join(ROOT, "fixtures/cases/diff/money-of-nodes");
const AT = "2026-11-23T09:00:00Z";
/** The name of a file, which every entry of the funnel shows. */
const HOSTILE = "<script><img src=b.png onerror=alert(1)>.yaml";

const pool = (name: string): string =>
  JSON.stringify({
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: [{ key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["m"] }],
        },
      },
    },
  });

const FLEET = Array.from({ length: 60 }, (_, index) => pool(`pool-${String(index)}`)).join("\n---\n");

const PAGES: readonly (readonly [name: string, args: readonly string[], cwd?: string])[] = [
  ["explain", ["explain", QUICKSTART]],
  ["check", ["check", QUICKSTART, "--prove"]],
  ["diff", ["diff", "in", "--against", "old", "--at", AT, "--node-data", "nodes.json"], DIFF],
  ["simulate", ["simulate", QUICKSTART, "--from", AT, "--tz", "Europe/Berlin", "--nodes", "web=10"]],
];

const FLEET_PAGE = "a fleet with a hostile name";

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await startChromium();
    folder = mkdtempSync(join(tmpdir(), "anp-pages-"));
    writeFileSync(join(folder, HOSTILE), FLEET);
    for (const [name, args, cwd = ROOT] of [...PAGES, [FLEET_PAGE, ["explain", HOSTILE], folder] as const]) {
      const { stdout, stderr } = await runAnp([...args, "-o", "html"], { cwd });
      expect(stdout.length, stderr).toBeGreaterThan(1000);
      writeFileSync(join(folder, `${name}.html`), stdout);
    }
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a page, and records its errors and requests. */
  async function open(name: string, look: { width: number; colorScheme: "light" | "dark" }): Promise<[Page, string[]]> {
    const { width, colorScheme } = look;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const problems: string[] = [];
    const url = pathToFileURL(join(folder, `${name}.html`)).href;
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    page.on("request", (request) => {
      if (request.url() !== url) problems.push(request.url());
    });
    await page.goto(url);
    return [page, problems];
  }

  describe.each([...PAGES.map(([name]) => name), FLEET_PAGE])("%s", (name) => {
    it.each([
      [400, "light"],
      [400, "dark"],
      [1600, "light"],
      [1600, "dark"],
    ] as const)("is readable at %i pixels, %s", async (width, colorScheme) => {
      const [page, problems] = await open(name, { width, colorScheme });
      const root = "document.documentElement";
      expect(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`)).toBe(0);
      // Lines of a file are right below each other, except for rounding.
      const gaps = `[...document.querySelectorAll(".lines")].flatMap((block) => [...block.children].slice(1).map(
        (line, at) => line.offsetTop - block.children[at].offsetTop - block.children[at].offsetHeight))`;
      const wide = ((await page.evaluate(gaps)) as number[]).filter((gap) => Math.abs(gap) > 1);
      expect(wide).toEqual([]);
      // Through the driver, because the page's policy allows no other script.
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe: within } = globalThis as unknown as {
          axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const { violations: found } = await within.run();
        return found.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
      });
      expect(violations).toStrictEqual([]);
      expect(problems).toStrictEqual([]);
      await page.close();
    });

    it("prints", async () => {
      const [page, problems] = await open(name, { width: 1000, colorScheme: "dark" });
      const pdf = await page.pdf({ format: "A4" });
      expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
      expect(pdf.length).toBeGreaterThan(10_000);
      expect(problems).toStrictEqual([]);
      await page.close();
    });
  });

  it("shows a type for an arrow key, and filters pools by words", async () => {
    const [page] = await open("explain", { width: 1280, colorScheme: "light" });
    await page.locator("svg.map.by-vcpu").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".detail").first().textContent()).toMatch(
      /^\S+ · \d+ vCPU · .* an hour · (?:left|ruled out by policy: .*policy\.yaml:11\))$/,
    );
    await page.getByRole("radio", { name: "price an hour" }).check();
    expect(await page.locator("svg.by-price").first().isVisible()).toBe(true);
    await page.getByLabel("Find among the pools").fill("data");
    expect(await page.locator("#strip tbody tr:visible").allTextContents()).toHaveLength(1);
    await page.close();
  });

  it("draws a pool of a fleet when it is opened, and its names stay text", async () => {
    const [page, problems] = await open(FLEET_PAGE, { width: 1280, colorScheme: "light" });
    await page.getByRole("button", { name: "pool-7", exact: true }).click();
    const opened = page.locator("#pool");
    expect(await opened.locator("h2").textContent()).toBe("pool-7");
    expect(await opened.locator("svg.map:visible path.k-left").count()).toBe(1);
    expect(await opened.locator("tbody tr").first().textContent()).toContain(HOSTILE);
    expect(await opened.locator("svg.plot path.dots").count()).toBe(1);
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toStrictEqual([]);
    await page.close();
  });
});
