/** Draws parts of `-o html` pages as PNG files, light and dark, with Chromium and pngquant. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumPath, NO_CHROMIUM, startChromium } from "../../test/support/browser/chromium.ts";
import { runAnp } from "../../test/support/process/run-anp.ts";
import { ROOT, Unavailable } from "../build-folder.ts";

interface Shown {
  readonly name: string;
  /** The folder in the repository; paths in the picture are relative to it. */
  readonly folder: string;
  readonly args: readonly string[];
  /** The heading of the part that is shown. */
  readonly pool: string;
}

const SHOWN: readonly Shown[] = [
  { name: "explain", folder: "fixtures/eks", args: ["explain", "karpenter"], pool: "api" },
  {
    name: "simulate",
    folder: "fixtures/quickstart",
    args: ["simulate", "users", "--from", "2026-11-23", "--tz", "Europe/Berlin"],
    pool: "databases",
  },
];

const SCHEMES = ["light", "dark"] as const;
const WIDTH = 960;

/** By the name of the file. @throws Unavailable */
export async function pagePictures(): Promise<ReadonlyMap<string, Buffer>> {
  if (chromiumPath === undefined) throw new Unavailable(NO_CHROMIUM);
  if (spawnSync("pngquant", ["--version"]).status !== 0)
    throw new Unavailable("pngquant is missing (Debian's package pngquant)");
  const folder = mkdtempSync(join(tmpdir(), "anp-pictures-"));
  const browser = await startChromium();
  try {
    const pictures = new Map<string, Buffer>();
    for (const { name, folder: cwd, args, pool } of SHOWN) {
      const { stdout } = await runAnp([...args, "-o", "html"], { cwd: join(ROOT, cwd) });
      const file = join(folder, `${name}.html`);
      writeFileSync(file, stdout);
      for (const colorScheme of SCHEMES) {
        const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, colorScheme });
        await page.goto(pathToFileURL(file).href);
        const part = page.locator("section").filter({ has: page.getByRole("heading", { name: pool, level: 2 }) });
        pictures.set(`${name}-${colorScheme}.png`, smaller(await part.screenshot()));
        await page.close();
      }
    }
    return pictures;
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** With a palette: a third of the size. */
function smaller(png: Buffer): Buffer {
  return execFileSync("pngquant", ["--speed", "1", "--strip", "64", "-"], { input: png, maxBuffer: 2 ** 26 });
}
