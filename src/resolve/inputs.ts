/** Resolves the inputs that all wrappers of a hosted cluster share. */
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { type HiddenInputs, hiddenInputsOf } from "./hidden-inputs.ts";
import { type EffectivePolicy, effectivePolicy } from "./policy.ts";
import { type DecidedRootVolume, decideRootVolume, refusedRootVolume } from "./root-volume.ts";
import type { Settings } from "./settings.ts";
import type { Sourced } from "./origin.ts";

export interface ResolvedInputs {
  readonly settings: Settings;
  readonly policy: EffectivePolicy;
  readonly hidden: HiddenInputs;
  readonly rootVolume: DecidedRootVolume;
}

/** Undefined if the policy, or an object with hidden inputs, is invalid. */
export function resolveInputs(bundle: Bundle, settings: Settings): Outcome<ResolvedInputs | undefined> {
  const policy = effectivePolicy(bundle, settings);
  const hidden = hiddenInputsOf(bundle, settings);
  const findings: Finding[] = [...policy.findings, ...hidden.findings];
  if (policy.value === undefined || hidden.value === undefined) return { value: undefined, findings };
  const rootVolume = decideRootVolume({ policy: policy.value, settings });
  findings.push(...refusedRootVolume(rootVolume));
  return { value: { settings, policy: policy.value, hidden: hidden.value, rootVolume }, findings };
}

interface Ami {
  readonly arch: "amd64" | "arm64";
  readonly ami: Sourced<string>;
}

/**
 * The machine images of a node class. In the order amd64, arm64; empty if none is known. From the user-data Secret of the class, else from the
 * RenderConfig.
 *
 * @param nodeClass its name
 */
export function amisOf(nodeClass: string, { hidden, settings }: Pick<ResolvedInputs, "hidden" | "settings">): Ami[] {
  const secret = hidden.secrets.get(nodeClass);
  const configured = settings.config.hostedCluster?.amis;
  return (["amd64", "arm64"] as const).flatMap((arch) => {
    if (secret !== undefined) return secret.amis[arch] === undefined ? [] : [{ arch, ami: secret.amis[arch] }];
    const value = configured?.[arch];
    if (value === undefined || settings.resource === undefined) return [];
    return [
      { arch, ami: { value, from: { resource: settings.resource, path: ["spec", "hostedCluster", "amis", arch] } } },
    ];
  });
}
