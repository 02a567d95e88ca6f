/** Who has NodePools as they stand knows nothing of HyperShift: no answer about them speaks of it. */
import { expect, it } from "vitest";
import { expected, goldenCases } from "../../support/golden/case.ts";

/** That there are none of those is all that is said of them. */
const NO_WRAPPERS = /there is no policy and no wrapper (among the inputs|on either side)/g;

/** Of a policy that is named, and of wrappers that there are, answers speak. */
const WITH_OTHERS = /^raw-input\/(policy|.*wrappers)/;

const raw = goldenCases().filter(({ name }) => name.startsWith("raw-input/") && !WITH_OTHERS.test(name));

it.each(raw)("$name", ({ folder }) => {
  const text = ["stdout.txt", "stderr.txt"].map((file) => expected(folder, file)).join("");
  expect(text).not.toBe("");
  expect(
    text.replace(NO_WRAPPERS, "").match(/.*(wrapper|hosted cluster|hypershift|openshift|the policy).*/gi),
  ).toBeNull();
});
