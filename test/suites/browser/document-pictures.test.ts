/** docs/pictures matches the output of `npm run pictures`: the same parts and widths, and small files. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pagePictures } from "../../../scripts/pictures/page-pictures.ts";
import { chromiumPath, NO_CHROMIUM } from "../../support/browser/chromium.ts";
import { ROOT } from "../../support/process/built.ts";

const FOLDER = join(ROOT, "docs/pictures");

const missing =
  chromiumPath === undefined
    ? NO_CHROMIUM
    : spawnSync("pngquant", ["--version"]).error === undefined
      ? undefined
      : "no pngquant (apt-get install pngquant)";
if (missing !== undefined) console.log(`drawing the pictures of the documentation is skipped: ${missing}`);

it.skipIf(missing !== undefined)("can be drawn again", async () => {
  const drawn = await pagePictures();
  const kept = readdirSync(FOLDER).filter((file) => file.endsWith(".png"));
  expect([...drawn.keys()].toSorted()).toStrictEqual(kept.toSorted());
  for (const [file, png] of drawn) {
    // Heights differ with the fonts of a machine.
    expect([file, png.readUInt32BE(16)]).toStrictEqual([file, readFileSync(join(FOLDER, file)).readUInt32BE(16)]);
    expect(png.length, file).toBeLessThanOrEqual(150_000);
  }
});
