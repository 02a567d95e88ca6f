/** Whether a hosted cluster is applied, held or permissive, by how reading its policy ended. */

/** How reading ended. `words` says it for people. */
export type PolicyReading =
  | { readonly state: "present" }
  /** The hosted cluster is there and has no policy named `default`. */
  | { readonly state: "absent" }
  | {
      readonly state: "invalid" | "required" | "forbidden" | "unavailable" | "not-served" | "no-hosted-cluster";
      readonly words: string;
    }
  /** The hosted cluster is being deleted, or somebody paused what is done to it. */
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
 * Only two readings let pools go without a policy: there is none, as the API server itself says; or RBAC forbids to
 * read it and whoever started the watch chose so. No answer, a late one or a wrong one is no reason. All of it is in
 * docs/design.md#which-policy-applies.
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
  return { mode: "Hold", reason, message: `${words}; what is applied stays as it is` };
}
