/** Tests which settings of a RenderConfig are reported as loosened, and how to trust them. */
import { describe, expect, it } from "vitest";
import { makeBundle, configText, poolText } from "../../test/support/bundle.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { renderAll } from "../render/render-all.ts";
import type { RenderOptions } from "./settings.ts";
import { resolveInTurn } from "./resolve.ts";

const bundle = (spec: string): Bundle => makeBundle({ "config.yaml": configText(spec), "pool.yaml": poolText("{}") });

function told(bundles: readonly Bundle[], options: RenderOptions = {}): string[] {
  return renderAll(bundles, options, resolveInTurn)
    .findings.filter(({ code }) => code === "rules-loosened")
    .map(({ severity, message, field }) => `${severity} ${field} ${message.replace(/^.* rules: /, "")}`);
}

describe("a RenderConfig", () => {
  it.each<[string, string | undefined]>([
    ["{}", undefined],
    ["{admission: {mode: DenyAll, nodeClaims: OwnedOnly, allowedWriters: []}, requirePolicy: true}", undefined],
    ["{admission: {mode: None}}", "spec.admission.mode admission.mode (None)"],
    ["{admission: {nodeClaims: None}}", "spec.admission.nodeClaims admission.nodeClaims (None)"],
    ["{admission: {allowedWriters: [argocd]}}", "spec.admission.allowedWriters admission.allowedWriters"],
    ["{admission: {karpenterUsers: [system:admin]}}", undefined],
    ["{admission: {karpenterUsers: [mallory]}}", "spec.admission.karpenterUsers admission.karpenterUsers"],
    ["{profile: karpenter-1.14, admission: {karpenterUsers: [karpenter]}}", undefined],
    [
      "{profile: karpenter-1.14, admission: {nodeClaims: OwnedOnly}}",
      "spec.profile profile (karpenter-1.14 knows no user of Karpenter)",
    ],
    ["{profile: hypershift}", undefined],
    ["{requirePolicy: false}", "spec.requirePolicy requirePolicy (false)"],
    ["{rules: {pool-unsatisfiable: error, policy-absent: warning, no-wrappers: info}}", undefined],
    ["{rules: {pool-unsatisfiable: info}}", "spec.rules.pool-unsatisfiable rules.pool-unsatisfiable (info)"],
    ['{rules: {policy-absent: "off"}}', "spec.rules.policy-absent rules.policy-absent (off)"],
    ["{baseline: accepted.json}", "spec.baseline baseline"],
    ["{ec2NodeClasses: Skip, nodeLabels: {a: b}, onBypass: Block}", undefined],
  ])("%s", (spec, expected) => {
    expect(told([bundle(spec)])).toStrictEqual(expected === undefined ? [] : [`info ${expected}`]);
  });

  it("is reported before other errors", () => {
    const options = { requirePolicy: true, autoNode: false };
    expect(told([bundle("{admission: {mode: None}}")], options)).toHaveLength(1);
    expect(told([bundle("{admission: {mode: None}}")], { requirePolicy: true })).toStrictEqual([
      "warning spec.admission.mode admission.mode (None)",
    ]);
  });

  it("counts only without a flag", () => {
    expect(told([bundle("{requirePolicy: false}")], { requirePolicy: true })).toStrictEqual([]);
    expect(told([bundle("{profile: karpenter-1.14}")], { profile: "karpenter-1.14" })).toStrictEqual([]);
  });

  it("is trusted with a policy directory", () => {
    expect(told([bundle("{admission: {mode: None}}")], { rulesTrusted: true })).toStrictEqual([]);
  });

  it("for several hosted clusters is reported once", () => {
    const one = bundle("{admission: {mode: None}}");
    expect(told([one, { ...one, hostedCluster: "clusters-b" }, bundle("{baseline: b}")])).toHaveLength(2);
  });

  it("cannot disable the report", () => {
    const config = bundle("{admission: {mode: None}, rules: {rules-loosened: 'off'}}");
    expect(renderAll([config], {}, resolveInTurn).findings.map(({ message }) => message)).toStrictEqual([
      "RenderConfig config: `spec.rules.rules-loosened` is wrong: rules-loosened is always an info; no rule may change it",
    ]);
  });
});
