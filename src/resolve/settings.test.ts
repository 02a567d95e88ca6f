/** Tests precedence of flags, RenderConfig and defaults, and severities of a RenderConfig. */
import { describe, expect, it } from "vitest";
import type { Finding } from "../krm/findings/finding.ts";
import { FINDING_CODES, type FindingCode, SEVERITIES } from "../krm/findings/finding-codes.ts";
import { makeBundle, configText, policyText } from "../../test/support/bundle.ts";
import { applyRules } from "./rules.ts";
import { type RenderOptions, type Settings, settingsOf } from "./settings.ts";

function settings(spec: string | undefined, options: RenderOptions = {}): Settings {
  const { value, findings } = settingsOf(
    makeBundle({
      "p.yaml": policyText("{}"),
      "c.yaml": spec === undefined ? policyText("{}").replace("default", "other") : configText(spec),
    }),
    options,
  );
  expect(findings).toStrictEqual([]);
  return value!;
}

describe("settingsOf", () => {
  it.each<[keyof Settings, string | undefined, RenderOptions, unknown]>([
    ["profile", undefined, {}, "hypershift"],
    ["profile", "{}", {}, "hypershift"],
    ["profile", "{profile: karpenter-1.14}", {}, "karpenter-1.14"],
    ["profile", "{profile: karpenter-1.14}", { profile: "karpenter-1.15" }, "karpenter-1.15"],
    ["profile", undefined, { profile: "karpenter-1.15" }, "karpenter-1.15"],
    ["requirePolicy", undefined, {}, false],
    ["requirePolicy", "{requirePolicy: true}", {}, true],
    ["requirePolicy", "{requirePolicy: false}", { requirePolicy: true }, true],
    ["requirePolicy", undefined, { requirePolicy: true }, true],
    ["onBypass", undefined, {}, "Fail"],
    ["onBypass", "{onBypass: Block}", {}, "Block"],
    ["nodeLabels", undefined, {}, { "hypershift.openshift.io/nodepool-globalps-enabled": "true" }],
    ["nodeLabels", "{nodeLabels: {}}", {}, {}],
    ["nodeLabels", "{nodeLabels: {a: b}}", {}, { a: "b" }],
    ["renderNodeClasses", undefined, {}, true],
    ["renderNodeClasses", "{ec2NodeClasses: Render}", {}, true],
    ["renderNodeClasses", "{ec2NodeClasses: Skip}", {}, false],
    ["includeUserData", "{}", {}, false],
    ["includeUserData", "{}", { includeUserData: true }, true],
    ["rootVolume", "{}", {}, undefined],
  ])("%s with %s and %j is %j", (field, spec, options, expected) => {
    expect(settings(spec, options)[field]).toStrictEqual(expected);
  });

  it("has the place of the root volume", () => {
    const { rootVolume, resource } = settings("{rootVolume: {volumeSize: 120Gi}}");
    expect(rootVolume?.value).toStrictEqual({ volumeSize: "120Gi" });
    expect(rootVolume?.from).toStrictEqual({ resource, path: ["spec", "rootVolume"] });
  });

  it.each([
    ["an unknown field", "{profil: hypershift}", "spec.profil"],
    ["an unknown field below", "{hostedCluster: {infraId: x}}", "spec.hostedCluster.infraId"],
    ["an unknown profile", "{profile: karpenter-2}", "spec.profile"],
    ["a word for a flag", "{requirePolicy: 'true'}", "spec.requirePolicy"],
    ["a field without a value", "{requirePolicy: }", "spec.requirePolicy"],
    ["an unknown choice", "{onBypass: Allow}", "spec.onBypass"],
    ["no AMI", "{hostedCluster: {amis: {amd64: x}}}", "spec.hostedCluster.amis.amd64"],
    ["a bad size", "{rootVolume: {volumeSize: 75}}", "spec.rootVolume.volumeSize"],
    ["an unknown code", "{rules: {policy-bypast: off}}", 'spec.rules["policy-bypast"]'],
    ["an unknown level", "{rules: {policy-empty: fatal}}", 'spec.rules["policy-empty"]'],
  ])("is undefined for %s", (_what, spec, field) => {
    const { value, findings } = settingsOf(makeBundle({ "p.yaml": policyText("{}"), "c.yaml": configText(spec) }), {});
    expect(value).toBeUndefined();
    expect(
      findings.map((finding) => [finding.code, finding.field?.replaceAll(/\["([\w-]+)"\]/g, ".$1")]),
    ).toStrictEqual([["render-config-invalid", field.replaceAll(/\["([\w-]+)"\]/g, ".$1")]]);
  });
});

const CODES = Object.entries(FINDING_CODES) as [
  FindingCode,
  { severity: Finding["severity"]; fixed?: true; most?: Finding["severity"] },
][];
const FIXED = CODES.filter(([, entry]) => entry.fixed);
const FREE = CODES.filter(([, entry]) => !entry.fixed);

describe("rules", () => {
  it("of the two laws are fixed", () => {
    const laws: FindingCode[] = [
      "policy-bypassed",
      "policy-invalid",
      "policy-duplicate",
      "untrusted-policy",
      "ambiguous-cluster",
      "raw-object",
    ];
    for (const code of laws) expect(FINDING_CODES[code]).toMatchObject({ severity: "error", fixed: true });
  });

  it.each(FIXED)("cannot change %s", (code, { severity }) => {
    for (const level of ["error", "warning", "info", "off"]) {
      const { value, findings } = settingsOf(
        makeBundle({ "p.yaml": policyText("{}"), "c.yaml": configText(`{rules: {${code}: ${level}}}`) }),
        {},
      );
      expect(value === undefined, level).toBe(level !== severity);
      expect(findings.map((finding) => finding.code)).toStrictEqual(
        level === severity ? [] : ["render-config-invalid"],
      );
    }
    const finding: Finding = { code, severity, message: "m" };
    expect(applyRules([finding], { [code]: "off" })).toStrictEqual([finding]);
  });

  it.each(FREE)("can change %s", (code, { severity, most = "error" }) => {
    const finding: Finding = { code, severity, message: "m" };
    for (const level of SEVERITIES) {
      if (SEVERITIES.indexOf(level) < SEVERITIES.indexOf(most)) {
        const { findings } = settingsOf(
          makeBundle({ "p.yaml": policyText("{}"), "c.yaml": configText(`{rules: {${code}: ${level}}}`) }),
          {},
        );
        expect(findings.map(({ message }) => message)).toStrictEqual([
          `RenderConfig config: \`spec.rules.${code}\` is wrong: ${code} is a ${most} at most; money alone is never an error`,
        ]);
        continue;
      }
      expect(settings(`{rules: {${code}: ${level}}}`).config.rules).toStrictEqual({ [code]: level });
      expect(applyRules([finding], { [code]: level })).toStrictEqual([{ ...finding, severity: level }]);
    }
    expect(applyRules([finding], { [code]: "off" })).toStrictEqual([]);
    expect(applyRules([finding], {})).toStrictEqual([finding]);
    expect(applyRules([finding], undefined)).toStrictEqual([finding]);
  });
});
