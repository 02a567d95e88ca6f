/** What every wrapper of a hosted cluster is rendered with: its settings, its policy and the inputs that no wrapper holds. */
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Bundle } from "../model/bundle.ts";
import { type HiddenInputs, hiddenInputsOf } from "./hidden-inputs.ts";
import { type EffectivePolicy, effectivePolicy } from "./policy.ts";
import { refusedRootVolume } from "./root-volume.ts";
import type { Settings } from "./settings.ts";

export interface RenderContext {
  readonly settings: Settings;
  readonly policy: EffectivePolicy;
  readonly hidden: HiddenInputs;
}

/** Undefined when the policy, or an object that holds hidden inputs, cannot be read. */
export function renderContext(bundle: Bundle, settings: Settings): Outcome<RenderContext | undefined> {
  const policy = effectivePolicy(bundle, settings);
  const hidden = hiddenInputsOf(bundle, settings);
  const findings: Finding[] = [...policy.findings, ...hidden.findings];
  if (policy.value === undefined || hidden.value === undefined) return { value: undefined, findings };
  findings.push(...refusedRootVolume({ policy: policy.value, settings }));
  return { value: { settings, policy: policy.value, hidden: hidden.value }, findings };
}
