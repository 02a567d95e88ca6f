/** Tests that we know the labels of each Karpenter version with its AWS provider. */
import { describe, expect, test } from "vitest";
import { normalizeKey } from "../../../src/karpenter/requirements/requirement.ts";
import { KNOWN_VALUES, WELL_KNOWN_LABELS } from "../../../src/model/requirements/labels.ts";
import { askOracle } from "../../support/oracle/ask.ts";

interface Labels {
  readonly normalized: Readonly<Record<string, string>>;
}

describe("labels", () => {
  test.each(["1.14", "1.15"] as const)(
    "well-known ones, their values and old names are Karpenter %s's",
    async (karpenter) => {
      const [reply] = await askOracle([{ op: "labels" }], karpenter);
      const { normalized } = reply!.answer as Labels;
      expect(Object.keys(normalized)).toHaveLength(6);
      expect(reply!.answer).toStrictEqual({
        wellKnown: [...WELL_KNOWN_LABELS].toSorted(),
        knownValues: KNOWN_VALUES,
        normalized: Object.fromEntries(Object.keys(normalized).map((key) => [key, normalizeKey(key)])),
        // Karpenter could normalize values too, but no provider does.
        normalizedValues: {},
        restrictedDomains: ["karpenter.k8s.aws", "karpenter.sh"],
      });
    },
    600_000,
  );
});
