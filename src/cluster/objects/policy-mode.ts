/** Whether the watch applies, holds or is permissive, by the result of reading the policy. */
import type { Settled } from "../../model/settings/settings.ts";

/** The reason of a decision, by the result of reading the policy. */
const REASONS = {
  present: "PolicyApplied",
  /** The hosted cluster exists and has no policy named `default`. */
  absent: "PolicyAbsent",
  invalid: "PolicyInvalid",
  required: "PolicyRequired",
  forbidden: "PolicyForbidden",
  unavailable: "PolicyUnavailable",
  "not-served": "PolicyNotServed",
  "no-hosted-cluster": "HostedClusterUnknown",
  /** The hosted cluster is being deleted. */
  going: "HostedClusterGoing",
  /** Its reconciliation is paused. */
  paused: "HostedClusterPaused",
} as const;

type State = keyof typeof REASONS;

/** The result of reading the policy; `words` describes it for users. */
export type PolicyReading =
  | { readonly state: "present" }
  | { readonly state: "absent" }
  | { readonly state: Exclude<State, "present" | "absent">; readonly words: string };

export type PolicyMode = "Apply" | "Hold" | "Permissive";

export interface PolicyDecision {
  readonly mode: PolicyMode;
  readonly reason: (typeof REASONS)[State];
  readonly message: string;
}

/**
 * Pools go without a policy in two cases only: the API server says that there is none, or RBAC forbids reading it and
 * the user chose `onPolicyUnreadable: Permissive`. A missing, late or wrong answer is not enough
 * (docs/design.md#which-policy-applies).
 */
export function decideByPolicy(
  reading: PolicyReading,
  onPolicyUnreadable: Settled<"cluster">["onPolicyUnreadable"],
): PolicyDecision {
  const reason = REASONS[reading.state];
  if (reading.state === "present") return { mode: "Apply", reason, message: "" };
  if (reading.state === "absent") {
    const message = "there is no AutoNodePolicy named default: user requirements pass through";
    return { mode: "Permissive", reason, message };
  }
  const { state, words } = reading;
  if (state === "forbidden" && onPolicyUnreadable === "Permissive") {
    const message = `${words}; user requirements pass through, because of onPolicyUnreadable: Permissive`;
    return { mode: "Permissive", reason, message };
  }
  return { mode: "Hold", reason, message: `${words}; applied objects stay as they are` };
}
