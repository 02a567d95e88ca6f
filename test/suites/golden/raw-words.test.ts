/** Who has NodePools as they stand knows nothing of HyperShift: no answer about them speaks of it. */
import { expect, it } from "vitest";
import { expected, goldenCases } from "../../support/golden/case.ts";

const NO_WRAPPERS = "NodePools as they stand: there is no policy and no wrapper among the inputs";

const raw = goldenCases().filter(({ name }) => name.startsWith("raw-input/"));

it.each(raw)("$name", ({ folder }) => {
  const text = ["stdout.txt", "stderr.txt"].map((file) => expected(folder, file)).join("");
  expect(text).not.toBe("");
  expect(
    text.replace(NO_WRAPPERS, "").match(/.*(wrapper|hosted cluster|hypershift|openshift|the policy).*/gi),
  ).toBeNull();
});
