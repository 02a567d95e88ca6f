/** The keys that a template may carry: those of docs/upstream/karpenter.md, and similar ones. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WELL_KNOWN_LABELS } from "./labels.ts";
import { reservedAnnotations, reservedLabels, WRITTEN_LATER } from "./reserved-keys.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/upstream/karpenter.md"), "utf8");
const [, SECTION = ""] = /\n## Keys on a template\n(.*?)\n## /s.exec(PAGE) ?? [];
const ROWS = [...SECTION.matchAll(/^\| `(\S+)` \|.*\| (yes|no) \|$/gm)].map(([, key = "", may = ""]) => ({ key, may }));

describe("annotations of a template", () => {
  test("are those that the page lists", () => {
    expect(ROWS.length).toBe(18);
    const reserved = reservedAnnotations(Object.fromEntries(ROWS.map(({ key }) => [key, ""])));
    expect(reserved).toEqual(ROWS.filter(({ may }) => may === "no").map(({ key }) => key));
    const listed = ROWS.map(({ key }) => key);
    expect(WRITTEN_LATER.filter((key) => !listed.includes(key))).toEqual([]);
  });

  test.each([
    ["karpenter.sh/of-a-later-version", true],
    ["karpenter.k8s.aws/of-a-later-version", true],
    ["compatibility.karpenter.sh/provider", true],
    ["a.b.karpenter.k8s.aws/x", true],
    [".karpenter.sh/x", true],
    ["karpenter.sh/", true],
    ["karpenter.sh/do-not-disrupt/x", true],
    ["notkarpenter.sh/x", false],
    ["karpenter.sh.example.com/x", false],
    ["karpenterxsh/x", false],
    ["karpenter.k8s.awsx/x", false],
    ["example.com/karpenter.sh/x", false],
    ["karpenter.sh", false],
    ["karpenter.azure.com/x", false],
    ["karpenter.hypershift.openshift.io/x", false],
    ["", false],
  ])("%j is reserved: %j", (key, isReserved) => {
    expect(reservedAnnotations({ [key]: "" })).toEqual(isReserved ? [key] : []);
  });

  test("are none without a map", () => {
    expect([undefined, null, "text", 1].flatMap(reservedAnnotations)).toEqual([]);
  });
});

describe("labels of a template", () => {
  test("may be all that requirements may name", () => {
    const known = Object.fromEntries([...WELL_KNOWN_LABELS, "example.com/team"].map((key) => [key, ""]));
    expect(reservedLabels(known)).toEqual(["karpenter.sh/nodepool"]);
  });

  test.each(["karpenter.sh/initialized", "karpenter.sh/do-not-sync-taints", "karpenter.k8s.aws/ec2nodeclass"])(
    "%s is reserved by Karpenter",
    (key) => {
      expect(reservedLabels({ [key]: "true" })).toEqual([key]);
    },
  );
});
