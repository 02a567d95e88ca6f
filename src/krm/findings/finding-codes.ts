/** Every code that a finding can have, with its severity. */

export type Severity = "error" | "warning" | "info";

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

interface CodeEntry {
  readonly severity: Severity;
  /**
   * Fixed: `RenderConfig.spec.rules` cannot change it, because the rule is one of anp's own or anp cannot continue
   * after it.
   */
  readonly fixed?: true;
  /** The highest severity that `RenderConfig.spec.rules` can set: a finding about money alone is never an error. */
  readonly most?: Severity;
  /** The input could not be read at all: exit code 3. */
  readonly unreadable?: true;
}

/** docs/findings.md explains each code; a test compares the two. */
export const FINDING_CODES = {
  // Reading: bytes to objects.
  "file-unreadable": { severity: "error", fixed: true, unreadable: true },
  "link-outside": { severity: "error", fixed: true, unreadable: true },
  "not-utf8": { severity: "error", fixed: true, unreadable: true },
  "input-limit": { severity: "error", fixed: true, unreadable: true },
  "yaml-syntax": { severity: "error", fixed: true, unreadable: true },
  "yaml-duplicate-key": { severity: "error", fixed: true, unreadable: true },
  "not-krm": { severity: "error", fixed: true, unreadable: true },
  "input-empty": { severity: "error", fixed: true, unreadable: true },
  "file-skipped": { severity: "info" },
  "live-kind-unread": { severity: "warning" },

  // Selecting: which hosted cluster an object is for.
  "unknown-kind": { severity: "error", fixed: true },
  "provider-not-supported": { severity: "error", fixed: true },
  "raw-object": { severity: "error", fixed: true },
  "reserved-name": { severity: "error", fixed: true },
  "untrusted-policy": { severity: "error", fixed: true },
  "untrusted-program": { severity: "error", fixed: true },
  "ambiguous-cluster": { severity: "error", fixed: true },
  "hosted-cluster-unknown": { severity: "error", fixed: true },
  "hosted-cluster-absent": { severity: "info" },
  "input-not-ours": { severity: "warning" },
  "duplicate-resource": { severity: "error", fixed: true },
  "policy-duplicate": { severity: "error", fixed: true },
  "policy-invalid": { severity: "error", fixed: true },
  "policy-required": { severity: "error", fixed: true },
  "policy-absent": { severity: "info" },
  "policy-ignored": { severity: "warning" },
  "policy-empty": { severity: "info" },
  "render-config-invalid": { severity: "error", fixed: true },
  "render-config-duplicate": { severity: "error", fixed: true },
  "rules-loosened": { severity: "info", fixed: true },
  "function-config-invalid": { severity: "error", fixed: true },
  "context-invalid": { severity: "error", fixed: true },
  "feature-gate-off": { severity: "info" },
  "no-wrappers": { severity: "info" },

  // Reading Karpenter's own objects.
  "node-pool-invalid": { severity: "error", fixed: true },
  "node-class-invalid": { severity: "error", fixed: true },

  // Validating wrappers.
  "wrapper-invalid": { severity: "error", fixed: true },
  "unknown-field": { severity: "warning" },
  "field-moved": { severity: "warning" },
  "old-dialect": { severity: "info" },

  // Rendering.
  "node-class-defaulted": { severity: "info" },
  "node-label-overridden": { severity: "warning" },
  "expire-after-bounded": { severity: "warning" },
  "grace-period-bounded": { severity: "warning" },
  "drifted-budget-raised": { severity: "warning" },
  "default-bounded": { severity: "info" },
  "node-limit-not-enforced": { severity: "info" },
  "name-too-long": { severity: "warning" },
  "provider-mismatch": { severity: "error", fixed: true },
  "limits-below-zero": { severity: "warning" },
  "limits-allow-no-node": { severity: "info" },
  "expires-at-once": { severity: "warning" },
  "requirements-conflict": { severity: "warning" },
  "requirement-ignored": { severity: "warning" },
  "drifts-forever": { severity: "warning" },
  "requirement-crashes-karpenter": { severity: "error", fixed: true },
  "value-crashes-karpenter": { severity: "error", fixed: true },
  "requirements-limit": { severity: "error", fixed: true },
  "policy-bypassed": { severity: "error", fixed: true },
  "policy-bypass-blocked": { severity: "warning" },
  "template-key-refused": { severity: "error", fixed: true },
  "template-key-left-out": { severity: "warning" },
  "template-key-reserved": { severity: "warning" },
  "root-volume-replaced": { severity: "warning" },
  "root-volume-refused": { severity: "error" },
  "volume-refused": { severity: "warning" },
  "root-volume-conflict": { severity: "error", fixed: true },
  "root-volume-unknown": { severity: "error", fixed: true },
  "device-name-duplicate": { severity: "error", fixed: true },
  "hidden-inputs-missing": { severity: "info" },
  "hidden-inputs-conflict": { severity: "warning" },
  "secret-without-ami": { severity: "error", fixed: true },
  "user-data-left-out": { severity: "info" },
  "tag-overridden": { severity: "warning" },
  "kubelet-field-not-rendered": { severity: "info" },
  "kubelet-duration-invalid": { severity: "error", fixed: true },
  "rendered-invalid": { severity: "error" },
  "guard-limit": { severity: "error", fixed: true },

  // Checking: what Karpenter does with the result.
  "pool-unsatisfiable": { severity: "warning" },
  "policy-unsatisfiable": { severity: "warning" },
  "min-values-unreachable": { severity: "warning" },
  "requirement-unmatchable": { severity: "warning" },
  "value-unknown": { severity: "warning" },
  "label-misspelt": { severity: "warning" },
  "optional-label-bounded": { severity: "info" },
  "custom-label-random": { severity: "info" },
  "policy-key-bypassable": { severity: "info" },
  "pools-overlap": { severity: "info" },
  "zone-pools-tie": { severity: "info" },
  "spot-diversity": { severity: "info" },
  "karpenter-kind-ignored": { severity: "info" },
  "being-deleted": { severity: "info" },
  "capacity-type-unset": { severity: "info" },
  "arch-or-os-unset": { severity: "info" },
  "node-class-missing": { severity: "warning" },
  "node-class-unused": { severity: "info" },
  "node-class-overwritten": { severity: "warning" },
  "max-pods-unset": { severity: "info" },
  "kubelet-field-unknown": { severity: "warning" },
  "volume-unencrypted": { severity: "info" },
  "root-volume-small": { severity: "info" },
  "annotation-deprecated": { severity: "warning" },
  "budget-schedule-invalid": { severity: "warning" },
  "budget-always-blocks": { severity: "info" },
  "budget-never-blocks": { severity: "info" },
  "price-ceiling": { severity: "warning", most: "warning" },
  "price-ceiling-exceedable": { severity: "info", most: "warning" },
  "price-ceiling-unknown": { severity: "info", most: "warning" },

  // Checking raw pools against a policy.
  "outside-policy": { severity: "error", fixed: true },
  "outside-bounds": { severity: "error" },
  "node-claim-by-hand": { severity: "error", fixed: true },
  "guard-outdated": { severity: "warning" },
  "live-guard-missing": { severity: "warning" },
  "live-guard-weakened": { severity: "warning" },
  "live-guard-leftover": { severity: "warning" },
  "live-guard-removable": { severity: "info" },

  // Checking earlier output.
  "output-stale": { severity: "error", fixed: true },
  "operator-output-differs": { severity: "info" },
  "pool-not-ready": { severity: "error", fixed: true },

  // Checking with the rules of ROSA.
  "rosa-instance-size": { severity: "warning" },
  "rosa-vcpu": { severity: "warning" },
  "rosa-local-zone": { severity: "warning" },
  "rosa-node-role": { severity: "warning" },
  "rosa-volume": { severity: "warning" },
  "rosa-tag": { severity: "warning" },
  "rosa-public-ip": { severity: "warning" },

  // Accepting findings.
  "baseline-stale": { severity: "info" },

  // Placing pods.
  "pod-invalid": { severity: "error", fixed: true },

  // Simulating.
  "node-count-assumed": { severity: "info" },
  "budget-window-shifts": { severity: "warning" },

  // Adopting: raw objects to wrappers.
  "adopt-invalid": { severity: "error", fixed: true },
  "adopt-version": { severity: "error", fixed: true },
  "adopt-refused": { severity: "error", fixed: true },
  "adopt-lossy": { severity: "warning" },
  "adopt-class-absent": { severity: "warning" },
  "adopt-nodes-replaced": { severity: "info" },
  "adopt-from-hypershift": { severity: "info" },
  "adopt-repeats-policy": { severity: "info" },
  "adopt-skipped": { severity: "info" },
  "adopt-nothing": { severity: "info" },

  // Migrating: Karpenter's objects from one version to another.
  "migrate-invalid": { severity: "error", fixed: true },
  "migrate-refused": { severity: "error", fixed: true },
  "migrate-lossy": { severity: "warning" },
  "migrate-behaves-differently": { severity: "warning" },
  "migrate-nodes-replaced": { severity: "warning" },
  "migrate-expiry-forceful": { severity: "info" },
  "migrate-class-split": { severity: "info" },
  "migrate-kubelet-moved": { severity: "info" },
  "migrate-annotations-left": { severity: "info" },
  "migrate-rewritten": { severity: "info" },
  "migrate-nothing": { severity: "info" },

  // Writing a directory.
  "output-foreign": { severity: "error", fixed: true },
  "output-kept": { severity: "error", fixed: true },
  "output-unwritable": { severity: "error", fixed: true },
} as const satisfies Record<string, CodeEntry>;

export type FindingCode = keyof typeof FINDING_CODES;

export function codeEntry(code: FindingCode): CodeEntry {
  return FINDING_CODES[code];
}
