/** Tests in a table of pairs whether one requirement admits only nodes that another admits. */
import { expect, it } from "vitest";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { isSubset } from "./is-subset.ts";
import type { LabelPresence } from "./label-presence.ts";
import { intersection, type Requirement, requirementOf } from "./requirement.ts";

/** `In a,b`, `NotIn a`, `Exists`, `Gt 3`; several joined by `and`; empty for nothing. */
function requirement(text: string): Requirement | undefined {
  const [first, ...others] = text === "" ? [] : text.split(" and ").map(one);
  return first && others.reduce(intersection, first);
}

function one(text: string): Requirement {
  const [operator = "", values] = text.split(" ");
  const list = values === undefined ? {} : { values: values.split(",").map((value) => (value === '""' ? "" : value)) };
  return requirementOf({ key: "k", operator, ...list } as NodeSelectorRequirement);
}

it.each<[own: string, than: string, presence: LabelPresence, held: boolean]>([
  ["In a", "In a,b", "always", true],
  ["In a,c", "In a,b", "always", false],
  ["In a", "NotIn b", "always", true],
  ["In b", "NotIn b", "always", false],
  ["NotIn a,b", "NotIn a", "always", true],
  ["NotIn a", "NotIn a,b", "always", false],
  ["NotIn a", "In b", "always", false],
  ["", "In a", "always", false],
  ["", "Exists", "always", true],
  ["", "NotIn a", "always", false],
  ["Exists", "Exists", "always", true],
  ["Gt 7", "Gt 3", "always", true],
  ["Gt 3", "Gt 7", "always", false],
  ["Gt 3 and Lt 9", "Lt 9", "always", true],
  ["In 4,5", "Gt 3", "always", true],
  ["In 2,5", "Gt 3", "always", false],
  // Entries that contradict each other admit no node.
  ["In a and In b", "In c", "always", true],

  ["In 1", "In 1,4", "optional", true],
  ["NotIn 4", "In 1,4", "optional", false],
  ["NotIn 4", "NotIn 4", "optional", true],
  ["DoesNotExist", "NotIn 4", "optional", true],
  ["DoesNotExist", "In 1", "optional", false],
  ["DoesNotExist", "Exists", "optional", false],
  ["Exists", "NotIn 4", "optional", false],
  ["", "Exists", "optional", false],

  ["In cr-1", "In cr-1,cr-2", "offering", true],
  ["NotIn cr-1", "Exists", "offering", false],
  ["In pg-1", "In pg-1", "class", false],
  ["In pg-1", "NotIn pg-2", "class", true],
  ["", "NotIn pg-2", "class", false],

  ["In gold", "In gold,silver", "custom", true],
  ["", "In gold", "custom", false],
  ["", "NotIn gold", "custom", true],
  ["", "DoesNotExist", "custom", true],
  ['In gold,""', "In gold", "custom", false],
  ["DoesNotExist", "In gold", "custom", false],
  ["Exists", "Exists", "custom", true],
  ["Exists", "In gold", "custom", false],
])("%s against %s on a label that nodes have %s: %s", (own, than, presence, held) => {
  expect(isSubset(requirement(own), requirement(than)!, presence)).toBe(held);
});
