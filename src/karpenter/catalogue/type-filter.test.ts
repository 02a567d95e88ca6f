/** What one filter answers to questions that look alike, in any order. */
import { expect, it } from "vitest";
import { CATALOGUE } from "../../../test/support/market.ts";
import { mergedByKey } from "../requirements/requirements.ts";
import { requirementOf } from "../requirements/requirement.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { offeredTypes } from "./reserved-capacity.ts";
import { countTypes } from "./type-mask.ts";

const RESERVATION = "karpenter.k8s.aws/capacity-reservation-id";

it("tells the empty value from none, whichever is asked for first", () => {
  const unreserved = { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] } as const;
  const absent = { key: RESERVATION, operator: "DoesNotExist" } as const;
  const empty = { key: RESERVATION, operator: "In", values: [""] } as const;
  const answers = (asked: readonly NodeSelectorRequirement[]) => {
    const filter = offeredTypes(CATALOGUE);
    return asked.map((one) => countTypes(filter.compatible(mergedByKey([unreserved, one].map(requirementOf)))));
  };
  expect(answers([absent, empty])).toStrictEqual([8, 0]);
  expect(answers([empty, absent])).toStrictEqual([0, 8]);
});
