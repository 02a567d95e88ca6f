/** A list of requirements at the mark of a guard. */
import { describe, expect, it } from "vitest";
import { POLICY_END_ENTRY, splitAtPolicyEnd } from "./policy-end.ts";

const [a, b] = ["a", "b"].map((key) => ({ key, operator: "Exists" }) as const);

describe("a list of requirements", () => {
  it.each([
    ["without a mark is all its author's", [a!, b!], { front: undefined, own: [a, b] }],
    ["is the policy's above the mark", [a!, POLICY_END_ENTRY, b!], { front: [a], own: [b] }],
    ["may have nothing above it", [POLICY_END_ENTRY, b!], { front: [], own: [b] }],
    ["ends at the first mark", [a!, POLICY_END_ENTRY, POLICY_END_ENTRY], { front: [a], own: [POLICY_END_ENTRY] }],
  ])("%s", (_what, list, expected) => {
    expect(splitAtPolicyEnd(list)).toStrictEqual(expected);
  });
});
