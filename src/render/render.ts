/** The whole transformation: what one hosted cluster is made of in, the manifests it should run out. Start reading here. */
import { hasErrors, type Finding, type Outcome } from "../krm/finding.ts";
import { findingOnInput } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { type Bundle, hasWrappers } from "../model/bundle.ts";
import { admissionPolicies } from "./admission-policies.ts";
import { checkRendered } from "./check-rendered.ts";
import { hiddenInputsOf } from "./hidden-inputs.ts";
import type { RenderedObject } from "./origin.ts";
import { effectivePolicy } from "./policy.ts";
import { renderEC2NodeClass } from "./render-ec2-node-class.ts";
import { renderNodePool } from "./render-node-pool.ts";
import { applyRules } from "./rules.ts";
import { type RenderOptions, settingsOf } from "./settings.ts";

/**
 * The objects of a hosted cluster in the order they are applied: admission policies, node classes, pools, each by
 * name. A wrapper with an error has no object; a policy or RenderConfig with an error leaves no object at all.
 */
export function render(bundle: Bundle, options: RenderOptions): Outcome<RenderedObject[]> {
  if (options.autoNode === false) return { value: [], findings: [GATE_OFF] };
  const settings = settingsOf(bundle, options);
  if (settings.value === undefined) return { value: [], findings: settings.findings };
  const policy = effectivePolicy(bundle, settings.value);
  const hidden = hiddenInputsOf(bundle, settings.value);
  const findings = [...settings.findings, ...policy.findings, ...hidden.findings];
  const { rules } = settings.value.config;
  if (policy.value === undefined || hidden.value === undefined)
    return { value: [], findings: applyRules(findings, rules) };
  if (!hasWrappers(bundle)) findings.push(NO_WRAPPERS);

  const context = { settings: settings.value, policy: policy.value, hidden: hidden.value };
  const value: RenderedObject[] = [...admissionPolicies(context.settings.config.admission)];
  const renderAll = (
    wrappers: readonly Resource[],
    one: (wrapper: Resource) => Outcome<RenderedObject | undefined>,
  ): void => {
    for (const wrapper of wrappers) {
      const { value: object, findings: found } = one(wrapper);
      const all = applyRules(
        object === undefined ? found : [...found, ...checkRendered(object, context.settings.profile)],
        rules,
      );
      for (const finding of all) findings.push(finding);
      if (object !== undefined && !hasErrors(all)) value.push(object);
    }
  };
  if (context.settings.renderNodeClasses)
    renderAll(bundle.nodeClasses, (wrapper) => renderEC2NodeClass(wrapper, context));
  renderAll(bundle.nodePools, (wrapper) => renderNodePool(wrapper, context));
  return { value, findings: applyRules(findings, rules) };
}

const GATE_OFF: Finding = findingOnInput("feature-gate-off", {
  message: "the feature gate AutoNode is off: nothing is rendered, and nothing is removed",
});

const NO_WRAPPERS: Finding = findingOnInput("no-wrappers", {
  message: "no OpenshiftNodePool or OpenshiftEC2NodeClass was read: only the admission policies are rendered",
});
