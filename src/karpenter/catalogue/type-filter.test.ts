/** Tests that similar queries to one filter do not influence each other. */
import { expect, it } from "vitest";
import { CATALOGUE } from "../../../test/support/instance-types.ts";
import { mergedByKey } from "../requirements/requirements.ts";
import { requirementOf } from "../requirements/requirement.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { UNKNOWN } from "./catalogue.ts";
import { offeredTypes } from "./reserved-capacity.ts";
import { countTypes } from "./type-mask.ts";

const RESERVATION = "karpenter.k8s.aws/capacity-reservation-id";

it("distinguishes the empty value from no value, in any order", () => {
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

it("treats a type of unknown architecture as one of the known architectures", () => {
  const column = CATALOGUE.labels.get("kubernetes.io/arch")!;
  const of = column.of.map(() => UNKNOWN);
  const unknown = { ...CATALOGUE, labels: new Map([...CATALOGUE.labels, ["kubernetes.io/arch", { ...column, of }]]) };
  const left = (...values: string[]) =>
    countTypes(
      offeredTypes(unknown).compatible(
        mergedByKey([requirementOf({ key: "kubernetes.io/arch", operator: "In", values })]),
      ),
    );
  expect([left("arm64"), left("amd64", "x86_64"), left("x86_64")]).toStrictEqual([8, 8, 0]);
});
