/** Times as the API server takes them; test/suites/soak/karpenter-crds.test.ts asks it the same. */
import { expect, test } from "vitest";
import { check } from "./validate.ts";
import { kubernetesTime } from "./kubernetes-time.ts";

const schema = kubernetesTime();

test.each([
  "2026-01-05T09:00:00Z",
  "2026-01-05t09:00:00z",
  "2026-01-05T09:00:00.123456789+02:00",
  "2024-02-29T09:00:00Z",
])("%s is one", (text) => {
  expect(check(schema, text).violations).toEqual([]);
});

test.each(["", "yesterday", "2026-01-05", "2026-01-05T09:00Z", "2026-01-05T09:00:00", "2026-02-29T09:00:00Z"])(
  "%j is none",
  (text) => {
    expect(check(schema, text).violations.map(({ message }) => message)).toEqual([
      "is wrong: is no time, such as 2026-01-05T09:00:00Z",
    ]);
  },
);
