/** Every way that reading a policy can end, and what becomes of the hosted cluster. */
import { describe, expect, test } from "vitest";
import { decideByPolicy, type PolicyReading } from "../../../src/cluster/objects/policy-mode.ts";

const words = "w";

describe("policy life", () => {
  test.each<[PolicyReading, "Hold" | "Permissive", string, string]>([
    [{ state: "present" }, "Hold", "Apply", "PolicyApplied"],
    [{ state: "present" }, "Permissive", "Apply", "PolicyApplied"],
    [{ state: "absent" }, "Hold", "Permissive", "PolicyAbsent"],
    [{ state: "absent" }, "Permissive", "Permissive", "PolicyAbsent"],
    [{ state: "forbidden", words }, "Hold", "Hold", "PolicyForbidden"],
    [{ state: "forbidden", words }, "Permissive", "Permissive", "PolicyForbidden"],
    [{ state: "invalid", words }, "Hold", "Hold", "PolicyInvalid"],
    [{ state: "invalid", words }, "Permissive", "Hold", "PolicyInvalid"],
    [{ state: "required", words }, "Permissive", "Hold", "PolicyRequired"],
    [{ state: "unavailable", words }, "Permissive", "Hold", "PolicyUnavailable"],
    [{ state: "not-served", words }, "Permissive", "Hold", "PolicyNotServed"],
    [{ state: "no-hosted-cluster", words }, "Permissive", "Hold", "HostedClusterUnknown"],
  ])("%j with %s: %s, %s", (reading, onPolicyUnreadable, mode, reason) => {
    expect(decideByPolicy(reading, onPolicyUnreadable)).toMatchObject({ mode, reason });
  });
});
