/** A guard of what stands in a package or an application: its policy and its RenderConfig. */
import { AWS } from "../karpenter/provider/aws.ts";
import { type Finding, findingAt, findingOnInput, hasErrors, type Outcome } from "../krm/finding.ts";
import { locationOf } from "../krm/location.ts";
import { describeResource, groupOf, type Resource } from "../krm/resource.ts";
import { sameValue } from "../krm/same-value.ts";
import { ADMISSION_GROUP } from "../model/applied-kinds.ts";
import type { GuardWish } from "../model/guard-wish.ts";
import type { KubeObject } from "../model/kube-object.ts";
import type { Profile } from "../model/profile.ts";
import { type Role, roleOf } from "../model/role.ts";
import { type EffectivePolicy, readPolicy } from "../resolve/policy.ts";
import { decideRootVolume, refusedRootVolume } from "../resolve/root-volume.ts";
import { applyRules } from "../resolve/rules.ts";
import { type Settings, settingsOf } from "../resolve/settings.ts";
import { guard } from "./guard.ts";
import { isOfGuard } from "./guard-objects.ts";

interface GuardInputs {
  readonly resources: readonly Resource[];
  /** That of `--config`. */
  readonly config: Resource | undefined;
  readonly profile: Profile | undefined;
}

/** Nothing with an error among the findings, and for `off`. Name and namespace of the policy mean nothing here. */
export function guardOfInputs({ resources, config, profile }: GuardInputs, wish: GuardWish): Outcome<KubeObject[]> {
  if (wish === "off") return { value: [], findings: [] };
  const ofRole = (role: Role): Resource[] => resources.filter((one) => roleOf(one) === role);
  const policies = ofRole("policy");
  const configs = config === undefined ? ofRole("render-config") : [config];
  const untrusted = [...policies, ...configs].filter(({ document }) => !document.source.trusted);
  const onInput = [
    ...resources.flatMap(misspelt),
    ...untrusted.map(standsOutside),
    ...onlyOne(policies, "policy-duplicate"),
    ...onlyOne(configs, "render-config-duplicate"),
    ...(policies.length === 0 ? [withoutPolicy()] : []),
  ];
  const settings = settingsOf({ renderConfig: configs[0] }, { profile });
  const policy = policies[0] === undefined ? undefined : readPolicy(policies[0]);
  const findings = [...onInput, ...settings.findings, ...(policy?.findings ?? [])];
  if (settings.value === undefined || policy?.value === undefined || hasErrors(findings))
    return { value: [], findings };
  const { admission, rules } = settings.value.config;
  if (admission?.karpenterUsers === undefined) return { value: [], findings: [...findings, withoutUsers()] };
  const made = guardUnder(policy.value, settings.value, { wish, karpenterUsers: admission.karpenterUsers });
  const told = applyRules([...findings, ...made.findings], rules);
  return { value: hasErrors(told) ? [] : made.value, findings: told };
}

interface Wished {
  readonly wish: Exclude<GuardWish, "off">;
  readonly karpenterUsers: readonly string[];
  /** In files: who may change the definitions of Karpenter's kinds. */
  readonly installers?: readonly string[] | undefined;
}

/** As the API or, where somebody installs it there, the API server's files take it. */
export function guardUnder(
  policy: EffectivePolicy,
  settings: Settings,
  { wish, karpenterUsers, installers }: Wished,
): Outcome<KubeObject[]> {
  const rootVolume = decideRootVolume({ policy, settings });
  const isWithdrawn = wish === "withdraw";
  const { value, findings } = guard({
    policy: isWithdrawn ? { ...policy, requirements: [], rootVolume: undefined } : policy,
    rootVolume,
    karpenterUsers,
    provider: AWS,
    bounds: isWithdrawn ? {} : settings.config,
    profile: settings.profile,
    form: installers === undefined ? "api" : "static",
    ...(installers === undefined ? {} : { installers }),
    action: wish === "audit" ? "Audit" : "Deny",
  });
  return { value, findings: [...refusedRootVolume(rootVolume), ...findings] };
}

/** Whether an earlier run has made it: an annotation alone makes nothing else a guard's. */
export function isEarlierGuard({ apiVersion, value }: Resource): boolean {
  return groupOf(apiVersion) === ADMISSION_GROUP && isOfGuard(value);
}

/** Those that an earlier run has left, and this one would write otherwise or not at all. */
export function staleGuards(resources: readonly Resource[], objects: readonly KubeObject[]): Finding[] {
  const made = new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  const stale = resources.filter((one) => {
    const object = made.get(`${one.kind} ${one.name}`);
    return isEarlierGuard(one) && !(object !== undefined && sameValue(one.value["spec"], object.spec));
  });
  const hint = "write the guard anew, or take it out";
  return stale.map((one) =>
    findingAt("output-stale", one, [], {
      message: `${describeResource(one)} is not what the guard comes to now`,
      hint,
    }),
  );
}

/** It may have been a policy. */
function misspelt(resource: Resource): Finding[] {
  const role = roleOf(resource);
  if (typeof role === "string" || role.code !== "unknown-kind") return [];
  const { code, message, hint } = role;
  return [findingAt(code, resource, ["kind"], { message: `${describeResource(resource)} ${message}`, hint })];
}

function standsOutside(resource: Resource): Finding {
  const message = `${describeResource(resource)} stands outside the policy directory, where anybody who may commit a NodePool could change it`;
  const hint = "move it to the policy directory";
  return findingAt("untrusted-policy", resource, [], { message, hint });
}

function onlyOne(resources: readonly Resource[], code: "policy-duplicate" | "render-config-duplicate"): Finding[] {
  const [first, ...others] = resources;
  return others.map((other) => {
    const message = `${describeResource(other)} is one more beside ${locationOf(first!, [])}, and a cluster has one guard`;
    return findingAt(code, other, [], { message, hint: "leave one of them" });
  });
}

function withoutPolicy(): Finding {
  const hint = "add the AutoNodePolicy that the NodePools are to keep to; guard: off takes an earlier guard away";
  return findingOnInput("policy-required", {
    message: "a guard is asked for, and the input has no AutoNodePolicy",
    hint,
  });
}

function withoutUsers(): Finding {
  const message = "nobody says who Karpenter is to the API server, and nobody else may make NodeClaims";
  const hint =
    "write spec.admission.karpenterUsers in a RenderConfig, such as [system:serviceaccount:kube-system:karpenter]";
  return findingOnInput("render-config-invalid", { message, hint });
}
