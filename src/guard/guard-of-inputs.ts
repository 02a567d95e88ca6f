/** Creates the guard of a package or an application from its policy and its RenderConfig. */
import { AWS } from "../karpenter/provider/aws.ts";
import { type Finding, findingAt, findingOnInput, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { locationOf } from "../krm/places/location.ts";
import { describeResource, groupOf, type Resource } from "../krm/places/resource.ts";
import { sameValue } from "../krm/values/canonical.ts";
import { ADMISSION_GROUP } from "../model/objects/applied-kinds.ts";
import { extendedPolicies, policyOfBase } from "../model/inputs/extended-policies.ts";
import type { GuardAction } from "../model/settings/settings.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { Profile } from "../model/crds/profile.ts";
import { type Role, roleOf } from "../model/objects/role.ts";
import { type EffectivePolicy, readPolicy } from "../resolve/policy.ts";
import { decideRootVolume, refusedRootVolume } from "../resolve/root-volume.ts";
import { applyRules } from "../resolve/rules.ts";
import { type Settings, settingsOf } from "../resolve/settings.ts";
import { guard } from "./guard.ts";
import { isOfGuard } from "./guard-objects.ts";

interface GuardInputs {
  readonly resources: readonly Resource[];
  /** The RenderConfig of `--config`. */
  readonly config: Resource | undefined;
  readonly profile: Profile | undefined;
}

/** Empty if there is an error, and for `off`. Name and namespace of the policy have no meaning here. */
export function guardOfInputs(
  { resources, config, profile }: GuardInputs,
  requested: GuardAction,
): Outcome<KubeObject[]> {
  if (requested === "off") return { value: [], findings: [] };
  const ofRole = (role: Role): Resource[] => resources.filter((one) => roleOf(one) === role);
  const policies = ofRole("policy");
  const configs = config === undefined ? ofRole("render-config") : [config];
  const extended = configs[0] && extendedPolicies(configs, resources).of.get(configs[0]);
  const untrusted = [...policies, ...configs].filter(({ document }) => !document.source.trusted);
  const onInput = [
    ...resources.flatMap(unknownKinds),
    ...untrusted.map(outsidePolicyDir),
    ...configs.flatMap((one) => ofAnotherTree(one, policies)),
    ...onlyOne(policies, "policy-duplicate"),
    ...onlyOne(configs, "render-config-duplicate"),
    ...(policies.length === 0 ? [withoutPolicy()] : []),
    ...(extended?.findings ?? []),
  ];
  const settings = settingsOf({ renderConfig: configs[0] }, { profile });
  const chosen = extended === undefined ? policies[0] : extended.value && policyOfBase(extended.value, "");
  const policy = chosen === undefined ? undefined : readPolicy(chosen);
  const findings = [...onInput, ...settings.findings, ...(policy?.findings ?? [])];
  if (settings.value === undefined || policy?.value === undefined || hasErrors(findings))
    return { value: [], findings };
  const { admission, rules } = settings.value.config;
  if (admission?.karpenterUsers === undefined) return { value: [], findings: [...findings, withoutUsers()] };
  const made = guardUnder(policy.value, settings.value, {
    action: requested,
    karpenterUsers: admission.karpenterUsers,
  });
  const reported = applyRules([...findings, ...made.findings], rules);
  return { value: hasErrors(reported) ? [] : made.value, findings: reported };
}

interface GuardUsers {
  readonly action: Exclude<GuardAction, "off">;
  readonly karpenterUsers: readonly string[];
  /** For static manifests: users that may change the CRDs of Karpenter's kinds. */
  readonly installers?: readonly string[] | undefined;
}

/** For the API, or with `installers` for static manifests. */
export function guardUnder(
  policy: EffectivePolicy,
  settings: Settings,
  { action, karpenterUsers, installers }: GuardUsers,
): Outcome<KubeObject[]> {
  const rootVolume = decideRootVolume({ policy, settings });
  const isWithdrawn = action === "withdraw";
  const { value, findings } = guard({
    policy: isWithdrawn ? { ...policy, requirements: [], rootVolume: undefined } : policy,
    rootVolume,
    karpenterUsers,
    provider: AWS,
    bounds: isWithdrawn ? {} : settings.config,
    profile: settings.profile,
    form: installers === undefined ? "api" : "static",
    ...(installers === undefined ? {} : { installers }),
    action: action === "audit" ? "Audit" : "Deny",
  });
  return { value, findings: [...refusedRootVolume(rootVolume), ...findings] };
}

/** Whether an earlier run created it: the annotation alone is not enough. */
export function isEarlierGuard({ apiVersion, value }: Resource): boolean {
  return groupOf(apiVersion) === ADMISSION_GROUP && isOfGuard(value);
}

/** Guard objects of an earlier run that this run would write differently or not at all. */
export function staleGuards(resources: readonly Resource[], objects: readonly KubeObject[]): Finding[] {
  const made = new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  const stale = resources.filter((one) => {
    const object = made.get(`${one.kind} ${one.name}`);
    return isEarlierGuard(one) && !(object !== undefined && sameValue(one.value["spec"], object.spec));
  });
  const hint = "write the guard again, or remove it";
  return stale.map((one) =>
    findingAt("output-stale", one, [], {
      message: `${describeResource(one)} differs from the current guard`,
      hint,
    }),
  );
}

/** A misspelled kind may be a policy. */
function unknownKinds(resource: Resource): Finding[] {
  const role = roleOf(resource);
  if (typeof role === "string" || role.code !== "unknown-kind") return [];
  const { code, message, hint } = role;
  return [findingAt(code, resource, ["kind"], { message: `${describeResource(resource)} ${message}`, hint })];
}

function outsidePolicyDir(resource: Resource): Finding {
  const message = `${describeResource(resource)} is outside the policy directory, so anyone who can commit a NodePool could change it`;
  const hint = "move it to the policy directory";
  return findingAt("untrusted-policy", resource, [], { message, hint });
}

/** With a `*` in `--policy-dir`, a new folder could otherwise name Karpenter's users for another policy. */
function ofAnotherTree(config: Resource, [policy]: readonly Resource[]): Finding[] {
  const { tree } = config.document.source;
  if (tree === undefined || policy === undefined || tree === policy.document.source.tree) return [];
  const message = `${describeResource(config)} is in another folder than ${locationOf(policy, [])}: rules that the * of --policy-dir finds apply only to their own folder`;
  const hint = "keep both in one folder, or name that folder without *";
  return [findingAt("untrusted-policy", config, [], { message, hint })];
}

function onlyOne(resources: readonly Resource[], code: "policy-duplicate" | "render-config-duplicate"): Finding[] {
  const [first, ...others] = resources;
  return others.map((other) => {
    const message = `${describeResource(other)} duplicates ${locationOf(first!, [])}, but a cluster has one guard`;
    return findingAt(code, other, [], { message, hint: "keep one of them" });
  });
}

function withoutPolicy(): Finding {
  const hint = "add the AutoNodePolicy to enforce; guard: off removes an earlier guard";
  return findingOnInput("policy-required", {
    message: "a guard needs an AutoNodePolicy, but the input has none",
    hint,
  });
}

function withoutUsers(): Finding {
  const message = "Karpenter's users are not set, but a guard lets only Karpenter create NodeClaims";
  const hint =
    "set spec.admission.karpenterUsers in a RenderConfig, such as [system:serviceaccount:kube-system:karpenter]";
  return findingOnInput("render-config-invalid", { message, hint });
}
