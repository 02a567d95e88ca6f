/** The labels that Karpenter v1.14.1 with its AWS provider knows are those that we know. */
import { describe, expect, test } from "vitest";
import { normalizeKey } from "../../../src/karpenter/requirements/requirement.ts";
import { KNOWN_VALUES, WELL_KNOWN_LABELS } from "../../../src/model/labels.ts";
import { askOracle } from "../../support/oracle/ask.ts";

interface Labels {
  readonly normalized: Readonly<Record<string, string>>;
}

describe("labels", () => {
  test("well-known ones, their values and their old names are Karpenter's", async () => {
    const [reply] = await askOracle([{ op: "labels" }]);
    const { normalized } = reply!.answer as Labels;
    expect(Object.keys(normalized)).toHaveLength(6);
    expect(reply!.answer).toStrictEqual({
      wellKnown: [...WELL_KNOWN_LABELS].toSorted(),
      knownValues: KNOWN_VALUES,
      normalized: Object.fromEntries(Object.keys(normalized).map((key) => [key, normalizeKey(key)])),
      // Karpenter could rename values as well; nobody does.
      normalizedValues: {},
      restrictedDomains: ["karpenter.k8s.aws", "karpenter.sh"],
    });
  }, 600_000);
});
