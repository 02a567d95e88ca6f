/** The errors of an API server: which requests are retried, and which parts of a message are never shown. */
import { describe, expect, test } from "vitest";
import { apiErrorOf } from "../../../src/cluster/api/api-answer.ts";

describe("an error of an API server", () => {
  test.each([
    [401, "", "unauthorized"],
    [403, "", "forbidden"],
    [404, "", "notFound"],
    [409, "", "conflict"],
    [410, "", "expired"],
    [422, "", "invalid"],
    [400, "", "invalid"],
    [429, "", "unavailable"],
    [500, "etcdserver: request timed out", "unavailable"],
    [500, "failed to create typed patch object: .spec.x: field not declared in schema", "invalid"],
    [503, "", "unavailable"],
    [504, "", "unavailable"],
  ])("%i %s: %s", (status, message, kind) => {
    expect(apiErrorOf(status, { message })).toMatchObject({ kind, status });
  });

  test("the user data that it refuses is a secret", () => {
    const message = 'EC2NodeClass "x" is invalid: spec.userData: Invalid value: "{\\"token\\":\\"s3cret\\"}": too long';
    expect(apiErrorOf(422, { message }).message).toBe(
      'EC2NodeClass "x" is invalid: spec.userData: Invalid value (not shown, because it is a secret)',
    );
  });

  test.each([
    'spec: Invalid value: {"amiFamily":"Custom","userData":"s3cret"}: too long',
    'spec: Invalid value: map[string]interface {}{"userData":"s3cret"}',
    "denied: userData=s3cret",
  ])("so it is within a value: %s", (message) => {
    expect(apiErrorOf(422, { message }).message).not.toContain("s3cret");
  });

  test("it is one line, and not without end", () => {
    expect(apiErrorOf(400, { message: "a\n  b" }).message).toBe("a b");
    expect(apiErrorOf(400, { message: "x".repeat(5000) }).message).toHaveLength(1000);
  });
});
