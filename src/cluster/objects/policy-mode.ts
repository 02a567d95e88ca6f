/** Whether the watch applies, holds or is permissive, by the result of reading the policy. */

/** The result of reading the policy; `words` describes it for users. */
export type PolicyReading =
  | { readonly state: "present" }
  /** The hosted cluster exists and has no policy named `default`. */
  | { readonly state: "absent" }
  | {
      readonly state: "invalid" | "required" | "forbidden" | "unavailable" | "not-served" | "no-hosted-cluster";
      readonly words: string;
    }
  /** The hosted cluster is being deleted, or its reconciliation is paused. */
  | { readonly state: "going" | "paused"; readonly words: string };

export type PolicyMode = "Apply" | "Hold" | "Permissive";

export interface PolicyDecision {
  readonly mode: PolicyMode;
  readonly reason:
    | "PolicyApplied"
    | "PolicyAbsent"
    | "PolicyInvalid"
    | "PolicyRequired"
    | "PolicyForbidden"
    | "PolicyUnavailable"
    | "PolicyNotServed"
    | "HostedClusterUnknown"
    | "HostedClusterGoing"
    | "HostedClusterPaused";
  readonly message: string;
}

export type OnPolicyUnreadable = "Hold" | "Permissive";

/**
 * Pools go without a policy in two cases only: the API server says that there is none, or RBAC forbids reading it and
 * the user chose `onPolicyUnreadable: Permissive`. A missing, late or wrong answer is not enough
 * (docs/design.md#which-policy-applies).
 */
export function decideByPolicy(reading: PolicyReading, onPolicyUnreadable: OnPolicyUnreadable): PolicyDecision {
  switch (reading.state) {
    case "present":
      return { mode: "Apply", reason: "PolicyApplied", message: "" };
    case "absent":
      return {
        mode: "Permissive",
        reason: "PolicyAbsent",
        message: "there is no AutoNodePolicy named default: user requirements pass through",
      };
    case "forbidden":
      return onPolicyUnreadable === "Permissive"
        ? {
            mode: "Permissive",
            reason: "PolicyForbidden",
            message: `${reading.words}; user requirements pass through, because of onPolicyUnreadable: Permissive`,
          }
        : hold("PolicyForbidden", reading.words);
    case "invalid":
      return hold("PolicyInvalid", reading.words);
    case "required":
      return hold("PolicyRequired", reading.words);
    case "unavailable":
      return hold("PolicyUnavailable", reading.words);
    case "not-served":
      return hold("PolicyNotServed", reading.words);
    case "no-hosted-cluster":
      return hold("HostedClusterUnknown", reading.words);
    case "going":
      return hold("HostedClusterGoing", reading.words);
    case "paused":
      return hold("HostedClusterPaused", reading.words);
  }
}

function hold(reason: PolicyDecision["reason"], words: string): PolicyDecision {
  return { mode: "Hold", reason, message: `${words}; applied objects stay as they are` };
}
