/** The whole transformation: what one hosted cluster is made of in, the manifests it should run out. Start reading here. */
import { type Finding, findingOnInput, hasErrors, type Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { type Bundle, hasWrappers } from "../model/bundle.ts";
import { admissionPolicies } from "./admission-policies.ts";
import { checkFatal } from "./check-fatal.ts";
import { checkRendered } from "./check-rendered.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import { type RenderContext, renderContext } from "../resolve/render-context.ts";
import { renderEC2NodeClass } from "./render-ec2-node-class.ts";
import { renderNodePool } from "./render-node-pool.ts";
import { applyRules } from "../resolve/rules.ts";
import { rulesLoosened } from "../resolve/rules-loosened.ts";
import { type RenderOptions, settingsOf } from "../resolve/settings.ts";

/**
 * The objects of a hosted cluster in the order they are applied: admission policies, node classes, pools, each by
 * name. A wrapper with an error has no object; a policy or RenderConfig with an error leaves no object at all.
 */
export function render(bundle: Bundle, options: RenderOptions): Outcome<RenderedObject[]> {
  const settings = settingsOf(bundle, options);
  const found: Finding[] = [...bundle.findings, ...settings.findings];
  if (settings.value === undefined) return { value: [], findings: found };
  found.push(...rulesLoosened(settings.value, options));
  const { rules } = settings.value.config;
  const nothing = (why: readonly Finding[]) => ({ value: [], findings: applyRules([...found, ...why], rules) });
  if (options.autoNode === false) return nothing([GATE_OFF]);
  const { value: context, findings: onContext } = renderContext(bundle, settings.value);
  found.push(...onContext);
  if (context === undefined || hasErrors(bundle.findings)) return nothing([]);
  // Where the input names no hosted cluster either, that is said of the input.
  if (!hasWrappers(bundle) && bundle.hostedCluster !== undefined) found.push(NO_WRAPPERS);

  const value: RenderedObject[] = admissionPolicies(settings.value);
  const findings = applyRules(found, rules);
  const renderEach = (wrappers: readonly Resource[], one: RenderOne): void => {
    for (const wrapper of wrappers) {
      const { value: object, findings: own } = one(wrapper, context);
      const { profile } = context.settings;
      const checked = object === undefined ? [] : [...checkRendered(object, profile), ...checkFatal(object, profile)];
      const all = applyRules([...own, ...checked], rules);
      for (const finding of all) findings.push(finding);
      if (object !== undefined && !hasErrors(all)) value.push(object);
    }
  };
  // Pools go on: a root volume that nobody gets is no reason to leave requirements as they were.
  const launches = !findings.some(({ code, severity }) => code === "root-volume-refused" && severity === "error");
  if (context.settings.renderNodeClasses && launches) renderEach(bundle.nodeClasses, renderEC2NodeClass);
  renderEach(bundle.nodePools, renderNodePool);
  return { value, findings };
}

type RenderOne = (wrapper: Resource, context: RenderContext) => Outcome<RenderedObject | undefined>;

const GATE_OFF: Finding = findingOnInput("feature-gate-off", {
  message: "the feature gate AutoNode is off: nothing is rendered, and nothing is removed",
});

const NO_WRAPPERS: Finding = findingOnInput("no-wrappers", {
  message: "no OpenshiftNodePool or OpenshiftEC2NodeClass was read: only the admission policies are rendered",
});
