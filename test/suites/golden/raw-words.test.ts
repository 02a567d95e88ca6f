/** Users of raw NodePools may not know HyperShift: no answer about them mentions it. */
import { expect, it } from "vitest";
import { expected, goldenCases } from "../../support/golden/case.ts";

/** The only sentence that mentions it: there are no such objects. */
const NO_WRAPPERS = /the input has no policy and no wrapper|neither side has a policy or a wrapper/g;

/** Answers may name a given policy, and wrappers in the input. */
const WITH_OTHERS = /^raw-input\/(policy|.*wrappers)/;

const raw = goldenCases().filter(({ name }) => name.startsWith("raw-input/") && !WITH_OTHERS.test(name));

it.each(raw)("$name", ({ folder }) => {
  const text = ["stdout.txt", "stderr.txt"].map((file) => expected(folder, file)).join("");
  expect(text).not.toBe("");
  expect(
    text.replace(NO_WRAPPERS, "").match(/.*(wrapper|hosted cluster|hypershift|openshift|the policy).*/gi),
  ).toBeNull();
});
