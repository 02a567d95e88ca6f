/** Loads the AutoNodePolicy of `--policy FILE`, to compare raw pools with it or to render them. */
import {
  blockDevicesOf,
  isFlagged,
  isRootMapping,
  rootDeviceOf,
  UNKNOWN_ROOT_HINT,
} from "../../karpenter/node-class/root-device.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { readSources } from "../../krm/read/read.ts";
import { type Finding, findingAt, findingInFile, hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import { isFields } from "../../krm/values/fields.ts";
import { RAW_PROFILE } from "../../model/crds/profile.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import { inputMode, isNodeClass } from "../../model/objects/input-mode.ts";
import { roleOf } from "../../model/objects/role.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import { type EffectivePolicy, POLICY_ROOT_VOLUME, readPolicy } from "../../resolve/policy.ts";
import { decideRootVolume } from "../../resolve/root-volume.ts";
import { configOf, type RenderOptions, settingsOf } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { gatherLoaded, type Loaded } from "./gather-loaded.ts";

/** Undefined if the file has no readable policy; the findings say why. */
export function loadPolicy(file: string, { readStdin }: Context): Outcome<EffectivePolicy | undefined> {
  const sources = readSources({ paths: [file], readStdin });
  const parsed = parseSources(sources.value);
  return policyIn(file, { value: parsed.value, findings: [...sources.findings, ...parsed.findings] });
}

/** Like `loadPolicy`, for the content of the file. */
export function policyIn(
  file: string,
  { value: resources, findings }: Outcome<readonly Resource[]>,
): Outcome<EffectivePolicy | undefined> {
  if (hasErrors(findings)) return { value: undefined, findings };
  const [policy, ...others] = resources;
  if (policy === undefined || others.length > 0 || roleOf(policy) !== "policy") {
    const hint = "apiVersion: karpenter.hypershift.openshift.io/v1beta1, kind: AutoNodePolicy";
    const message = "must hold one AutoNodePolicy and nothing else";
    return { value: undefined, findings: [...findings, findingInFile("policy-invalid", file, { message, hint })] };
  }
  const read = readPolicy(policy);
  return { value: read.value, findings: [...findings, ...read.findings] };
}

interface GatheredUnder extends Outcome<Gathered> {
  readonly options: RenderOptions;
  /** What of a rendered cluster is applied. */
  readonly applied: <C extends RenderedCluster>(cluster: C) => C;
}

/**
 * Gathers manifests to render under the policy of `--policy`: it is that of every hosted cluster among them. Without
 * HyperShift there are NodePools alone, and no admission policies of a hosted cluster.
 *
 * @throws UsageError if another option, or an AutoNodePolicy among the manifests, contradicts `--policy`
 */
export function gatherUnder(
  { value: policy, findings: onPolicy }: Outcome<EffectivePolicy | undefined>,
  { value: loaded, findings }: Outcome<Loaded>,
  given: RenderOptions & { readonly hostedCluster?: string | undefined },
): GatheredUnder {
  const { hostedCluster } = given;
  if (given.nodePools === "Wrapped")
    throw new UsageError("--policy renders the NodePools that users write: leave out --node-pools Wrapped");
  const other = loaded.resources.find((resource) => roleOf(resource) === "policy");
  if (other !== undefined)
    throw new UsageError(`--policy names the policy, and ${locationOf(other, [])} is another: give one of the two`);
  const isRaw = inputMode(loaded.resources, {}) === "raw";
  const resources = isRaw ? loaded.resources.filter((one) => !isNodeClass(one)) : loaded.resources;
  const options = { ...given, nodePools: "Raw", ...(isRaw ? { profile: profileOf(loaded, given) } : {}) } as const;
  const onInput = [
    ...findings,
    // Resolving reports the other findings.
    ...(policy === undefined ? onPolicy : []),
    ...(isRaw && policy !== undefined ? otherRootVolumes(loaded, policy, options) : []),
  ];
  // The policy names no hosted cluster.
  const asked = { nodePools: "Raw", inferred: hostedCluster === undefined, rulesTrusted: given.rulesTrusted } as const;
  const gathered = gatherLoaded({ ...loaded, resources }, onInput, hostedCluster, asked);
  const bundles = gathered.value.bundles.map((bundle) => ({ ...bundle, policy: policy?.resource }));
  return {
    value: { ...gathered.value, bundles },
    findings: gathered.findings,
    options,
    applied: (cluster) =>
      isRaw ? { ...cluster, objects: cluster.objects.filter(({ wrapper }) => wrapper !== undefined) } : cluster,
  };
}

function profileOf({ config }: Loaded, { profile }: RenderOptions) {
  return profile ?? configOf({ renderConfig: config }).value?.profile ?? RAW_PROFILE;
}

/** The classes without the policy's root volume: of a class that has no wrapper, only a guard can set it. */
function otherRootVolumes({ resources, config }: Loaded, policy: EffectivePolicy, options: RenderOptions): Finding[] {
  const { value: settings } = settingsOf({ renderConfig: config }, options);
  const by = policy.resource;
  if (by === undefined || policy.rootVolume === undefined || settings === undefined) return [];
  if (settings.enforcedBy === "Admission") return [];
  const { value } = decideRootVolume({ policy, settings });
  return resources.flatMap((resource) => {
    if (resource.kind !== "EC2NodeClass" || !isNodeClass(resource)) return [];
    const subject = describeResource(resource);
    const found = rootDeviceOf(resource.value);
    if ("unknown" in found) {
      const message = `${subject}: the policy has a root volume, and the root device of the class's images is unknown: ${found.unknown}`;
      return [findingAt("root-volume-unknown", resource, DEVICES, { message, hint: UNKNOWN_ROOT_HINT })];
    }
    const list = blockDevicesOf(resource.value);
    const [own, ...others] = list.filter(isRootMapping);
    const isOnly = others.length === 0 && (list.length === 1 || isFlagged(own));
    const { rootVolume: _flag, ...mapping } = isFields(own) ? own : {};
    const wanted = { deviceName: found.device, ebs: value };
    if (isOnly && sameValue(mapping, wanted)) return [];
    const message = `${subject} does not have the policy's root volume (${locationOf(by, POLICY_ROOT_VOLUME)}), and anp render writes no EC2NodeClass of a user`;
    const hint = `write ${JSON.stringify({ ...wanted, rootVolume: true })} into blockDeviceMappings; or install the output of anp guard, and set enforcedBy: Admission`;
    return [findingAt("outside-policy", resource, DEVICES, { message, hint })];
  });
}

const DEVICES = ["spec", "blockDeviceMappings"];
