/** Adopts and renders realistic pools and node classes, and compares each with the original field by field. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { run } from "../../support/golden/case.ts";
import { objectsOf, roundTrip } from "../../support/adopt/round-trip.ts";

const CORPUS = fileURLToPath(new URL("corpus", import.meta.url));
const files = readdirSync(CORPUS).toSorted();
const read = (file: string): string => readFileSync(join(CORPUS, file), "utf8");

/** A file named after a profile is only for that profile. */
const filesFor = (profile: string) =>
  files.filter((file) => !file.startsWith("karpenter-") || file.startsWith(profile));

describe.each(["hypershift", "karpenter-1.15"])("profile %s", (profile) => {
  it.each(filesFor(profile))("%s comes back as it was", async (file) => {
    await roundTrip(read(file), profile, file);
  });

  it("round-trips from all files together, without other classes", async () => {
    const whole = filesFor(profile).map(read).join("\n---\n");
    const { stderr } = await roundTrip(whole, profile, "all files");
    const { findings } = JSON.parse(stderr) as { findings: { code: string; message: string }[] };
    const absent = findings.filter(({ code }) => code === "adopt-class-absent").map(({ message }) => message);
    expect(absent).toStrictEqual([
      "NodePool elsewhere: the EC2NodeClass made-by-hand is not in the input; the reference is kept",
    ]);
  });
});

it("has at least 40 pools and 15 node classes for both profiles", () => {
  const kinds = filesFor("hypershift").flatMap((file) => objectsOf(read(file)).map(({ kind }) => kind));
  expect(kinds.filter((kind) => kind === "NodePool").length).toBeGreaterThanOrEqual(40);
  expect(kinds.filter((kind) => kind === "EC2NodeClass").length).toBeGreaterThanOrEqual(15);
});

it("prints no user data in any report format", async () => {
  for (const report of ["text", "json", "sarif", "markdown"]) {
    const { stdout, stderr } = await run(CORPUS, ["adopt", ".", "--profile", "karpenter-1.15", "--report", report]);
    expect(stdout + stderr).not.toMatch(/not-for-your-eyes|\/opt\/agent/);
    expect(stderr).toContain("userData");
  }
});

it("skips objects of its own output, as render does: they have a wrapper", async () => {
  const { wrappers } = await roundTrip(read("general.yaml"), "hypershift");
  const rendered = await run(CORPUS, ["render", "-"], wrappers);
  const again = await run(CORPUS, ["adopt", "-", "--report", "json"], rendered.stdout);
  expect({ exit: again.exit, stdout: again.stdout }).toStrictEqual({ exit: 0, stdout: "" });
  const { findings } = JSON.parse(again.stderr) as { findings: { code: string }[] };
  const made = objectsOf(read("general.yaml"));
  expect(findings.map(({ code }) => code)).toStrictEqual(made.map(() => "adopt-skipped"));
});
