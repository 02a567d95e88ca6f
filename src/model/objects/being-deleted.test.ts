/** The message about an object that is being deleted; other parties choose its finalizers. */
import { expect, test } from "vitest";
import { deletionWords } from "./being-deleted.ts";

const SINCE = "it is being deleted since 2026-02-01T00:00:00Z";

test.each<[string, readonly string[] | undefined, string]>([
  ["none", undefined, SINCE],
  ["one", ["karpenter.k8s.aws/termination"], `${SINCE}, and kept by its finalizer karpenter.k8s.aws/termination`],
  [
    "two thousand",
    Array.from({ length: 2000 }, (_, index) => `example.com/${index}`),
    `${SINCE}, and kept by its finalizers example.com/0, example.com/1, example.com/2, example.com/3, example.com/4 and 1995 more`,
  ],
  ["a long one", ["x".repeat(5000)], `${SINCE}, and kept by its finalizer ${"x".repeat(99)}…`],
])("with %s", (_, finalizers, words) => {
  const metadata = { name: "web", uid: "1", resourceVersion: "1", ...(finalizers && { finalizers }) };
  const object = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata };
  expect(deletionWords(object)).toBeUndefined();
  const deleted = { ...metadata, deletionTimestamp: "2026-02-01T00:00:00Z" };
  expect(deletionWords({ ...object, metadata: deleted })).toBe(words);
});
