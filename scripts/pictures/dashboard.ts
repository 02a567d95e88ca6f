/** Draws the dashboard as SVG, from a frame of the dashboard's tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build-folder.ts";
import { terminalSvg } from "./terminal-svg.ts";

/** The frame of test/suites/dashboard/frames.test.ts. */
const FRAME = "test/suites/dashboard/frames/colours.txt";

export function dashboardPicture(): string {
  const frame = readFileSync(join(ROOT, FRAME), "utf8");
  return terminalSvg(
    frame,
    "anp watch: a table of seven hosted clusters, and below it what is wrong with the chosen one",
  );
}
