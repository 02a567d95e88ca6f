/** Times as the API server accepts them (see also test/suites/soak/karpenter-crds.test.ts). */
import { expect, test } from "vitest";
import { check } from "../schema/validate.ts";
import { kubernetesTime } from "./kubernetes-time.ts";

const schema = kubernetesTime();

test.each([
  "2026-01-05T09:00:00Z",
  "2026-01-05t09:00:00z",
  "2026-01-05T09:00:00.123456789+02:00",
  "2024-02-29T09:00:00Z",
])("%s is a time", (text) => {
  expect(check(schema, text).violations).toEqual([]);
});

test.each(["", "yesterday", "2026-01-05", "2026-01-05T09:00Z", "2026-01-05T09:00:00", "2026-02-29T09:00:00Z"])(
  "%j is not a time",
  (text) => {
    expect(check(schema, text).violations.map(({ message }) => message)).toEqual([
      "is wrong: is not a time, such as 2026-01-05T09:00:00Z",
    ]);
  },
);
