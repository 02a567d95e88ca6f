/** `anp check --live --policy`: whether the guard is in the cluster, and who can remove it. */
import type { DumpedKind } from "../../cluster/read/live-dump.ts";
import { compareGuard, removersOf } from "../../guard/compare-guard.ts";
import { guard } from "../../guard/guard.ts";
import { AWS } from "../../karpenter/provider/aws.ts";
import { type Finding, findingOnInput } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { ADMISSION_GROUP } from "../../model/objects/applied-kinds.ts";
import { POLICY_END } from "../../model/requirements/policy-end.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { decideRootVolume } from "../../resolve/root-volume.ts";
import { type Settings, settingsOf } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import { type LiveInputOptions, readLiveKinds } from "../input/live-input.ts";

interface Guarded {
  readonly policy: EffectivePolicy;
  /** The RenderConfig whose bounds the guard enforces; without one, the defaults apply. */
  readonly guarding: Settings | undefined;
  readonly clusters: readonly ResolvedCluster[];
}

/** @returns an exit code if the cluster cannot answer; the reason is already printed */
export async function liveGuard(
  { policy, guarding, clusters }: Guarded,
  options: LiveInputOptions,
  context: Context,
): Promise<Finding[] | ExitCode> {
  const read = await readLiveKinds(KINDS, options, context);
  if (typeof read === "number") return read;
  const unread = read.unread.map(({ plural, unknown, reason }) =>
    findingOnInput("live-kind-unread", {
      message: `${unknown}, because the user may not list ${plural}: ${reason}`,
      hint: `let the user list ${plural}`,
    }),
  );
  if (read.unread.some(({ plural }) => plural.includes("admission"))) return unread;
  const settings = guarding ?? settingsOf({ renderConfig: undefined }, {}).value!;
  const expected = guard({
    policy,
    rootVolume: decideRootVolume({ policy, settings }),
    karpenterUsers: ["karpenter"],
    provider: AWS,
    bounds: settings.config,
    profile: settings.profile,
    form: "api",
    action: "Deny",
  }).value;
  const { missing, weakened, leftover, isThere } = compareGuard(expected, read.resources);
  // In a cluster that has never had a guard, pools are only compared with the policy of a file.
  const isMarked = clusters.some(({ pools }) =>
    pools.some(({ spec }) => (spec.template.spec.requirements ?? []).some(({ key }) => key === POLICY_END)),
  );
  if (!isThere && !isMarked && leftover.length === 0) return unread;
  const hint = "apply the output of anp guard; a guard in files of the API server (--static) is not visible here";
  const problem = (code: "live-guard-missing" | "live-guard-weakened", words: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [findingOnInput(code, { message: `${words}: ${ids.join(", ")}`, hint })];
  const removers = removersOf(ofKind(read.resources, "ClusterRole"), ofKind(read.resources, "ClusterRoleBinding"));
  return [
    ...unread,
    ...(isThere || isMarked
      ? problem("live-guard-missing", "the cluster lacks a part of the policy's guard", missing)
      : []),
    ...problem("live-guard-weakened", "a part of the policy's guard has another form in the cluster", weakened),
    ...left(leftover, removers),
    ...(isThere ? removable(removers) : []),
  ];
}

function ofKind(resources: readonly Resource[], kind: string): Resource[] {
  return resources.filter((one) => one.kind === kind);
}

/** Objects of an earlier guard stay in force, because applying a new guard deletes nothing. */
function left(ids: readonly string[], removers: readonly string[]): Finding[] {
  if (ids.length === 0) return [];
  const who = removers.length === 0 ? "" : `; ${removers.join(", ")} may delete them`;
  const message = `objects of an earlier guard, which anp guard does not print for this policy, are still in force: ${ids.join(", ")}${who}`;
  // Bindings are deleted first: a policy without its binding is inactive.
  const commands = ids
    .toSorted((a, b) => Number(b.includes("Binding ")) - Number(a.includes("Binding ")))
    .map((id) => id.toLowerCase().replace(" ", "/"))
    .join(" ");
  const hint = `if they come from the bounds of a RenderConfig, name it with --config; otherwise kubectl delete ${commands}`;
  return [findingOnInput("live-guard-leftover", { message, hint })];
}

function removable(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const message = `these users or groups can change or remove the guard: ${names.join(", ")}`;
  const hint =
    "remove their permissions on admission policies, or keep the guard in files of the API server (--static)";
  return [findingOnInput("live-guard-removable", { message, hint })];
}

const GUARDS = "it is unknown whether a guard enforces the policy";
const REMOVERS = "it is unknown who can remove the guard";

const KINDS: readonly DumpedKind[] = [
  ...["MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"].flatMap((kind): DumpedKind[] => [
    kindOf(ADMISSION_GROUP, kind, `${kind.toLowerCase().slice(0, -1)}ies`, GUARDS),
    kindOf(ADMISSION_GROUP, `${kind}Binding`, `${kind.toLowerCase()}bindings`, GUARDS),
  ]),
  kindOf("rbac.authorization.k8s.io", "ClusterRole", "clusterroles", REMOVERS),
  kindOf("rbac.authorization.k8s.io", "ClusterRoleBinding", "clusterrolebindings", REMOVERS),
];

function kindOf(group: string, kind: string, plural: string, unknown: string): DumpedKind {
  return { group, versions: ["v1"], kind, plural, optional: true, unknown };
}
