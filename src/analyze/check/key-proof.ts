/** The result of a proof for one label key of a policy. */
import type { LabelPresence } from "../../karpenter/requirements/label-presence.ts";
import type { Misfit } from "../../karpenter/requirements/node-label.ts";
import type { Requirement } from "../../karpenter/requirements/requirement.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";

/**
 * `holds`: Karpenter never launches nodes outside the policy's entries for the key. `guarded`: Karpenter would, for the shown wrapper; anp refuses to render such a wrapper, or blocks it (`policy-bypassed`). `void`: the policy's own entries contradict each other on a label that may be absent, and Karpenter ignores them all. `leaks`: nodes lack the label or get a value that the entries do not admit, because of the entries themselves, the class or a pod.
 */
export interface KeyProof {
  readonly key: string;
  readonly presence: LabelPresence;
  readonly demands: readonly PoolRequirement[];
  readonly policy: Requirement;
  readonly result: "holds" | "guarded" | "void" | "leaks";
  readonly escape: Escape | undefined;
  /** Present for `leaks`. */
  readonly misfit: Misfit | undefined;
}

export interface Escape {
  /** The requirement that a user would write. */
  readonly entry?: NodeSelectorRequirement;
  /** Or the label of the template that a user would write. */
  readonly label?: { readonly key: string; readonly value: string };
  /** The merged requirement, in Karpenter's print form. */
  readonly effective: string;
  /** The instance types that it admits and the policy does not; empty for custom labels, which no type has. */
  readonly types: readonly string[];
}
