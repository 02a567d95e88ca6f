/** Every `anp render` case through `anp check`: all findings of rendering, in every cluster, and no crash. */
import { describe, expect, it } from "vitest";
import { goldenCases, run } from "../../support/golden/case.ts";

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
}

const found = (text: string): Found[] => (JSON.parse(text) as { findings: Found[] }).findings;

/** Options that check does not have, because it writes nothing. */
const OF_RENDER = ["--include-user-data", "--allow-empty", "--force"];

/** Objects of HyperShift's operator are output for check, and raw objects for rendering. */
const isOfOperator = (name: string): boolean => name.startsWith("operator-output/");

/** Rendering never infers that users write NodePools. */
const isInferred = (name: string): boolean =>
  name.startsWith("shipped/") || name.startsWith("render-policy/") || name === "users-node-pools/without-the-setting";

const cases = goldenCases().filter(
  ({ name, args, exit }) =>
    args[0] === "render" &&
    exit !== 2 &&
    !args.includes("-o") &&
    !args.includes("--output-dir") &&
    !isOfOperator(name) &&
    !isInferred(name),
);

describe("all findings of rendering", () => {
  it.each(cases.map((golden) => [golden.name, golden] as const))("%s", async (_name, { folder, args, exit }) => {
    const shared = args.slice(1).filter((argument) => !OF_RENDER.includes(argument));
    const rendered = await run(folder, ["render", ...shared, "--report", "json"]);
    const checked = await run(folder, ["check", ...shared, "--fail-on", "error", "-o", "json"]);
    const known = new Set(found(checked.stdout).map((finding) => JSON.stringify(finding)));
    const missing = found(rendered.stderr).filter((finding) => !known.has(JSON.stringify(finding)));
    // check writes no files, so findings about writing them are left out.
    expect(missing.filter(({ code }) => !["user-data-left-out", "output-kept"].includes(code))).toStrictEqual([]);
    const raised = found(checked.stdout).some(({ severity }) => severity === "error");
    expect(checked.exit).toBe(exit === 3 ? 3 : raised ? 1 : 0);
    const again = await run(folder, ["check", ...shared, "--fail-on", "error", "-o", "json"]);
    expect(again.stdout).toBe(checked.stdout);
  });
});
