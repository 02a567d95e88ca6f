/** `anp check --live --policy`: whether a guard holds there, and who could take it away. */
import type { DumpedKind } from "../../cluster/read/live-dump.ts";
import { compareGuard, removersOf } from "../../guard/compare-guard.ts";
import { guard } from "../../guard/guard.ts";
import { AWS } from "../../karpenter/provider/aws.ts";
import { type Finding, findingOnInput } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import { ADMISSION_GROUP } from "../../model/applied-kinds.ts";
import { POLICY_END } from "../../model/policy-end.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { decideRootVolume } from "../../resolve/root-volume.ts";
import { type Settings, settingsOf } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import { type LiveInputOptions, readLiveKinds } from "../input/live-input.ts";

interface Guarded {
  readonly policy: EffectivePolicy;
  /** By what RenderConfig; the defaults where there is none. */
  readonly guarding: Settings | undefined;
  readonly clusters: readonly ResolvedCluster[];
}

/** An exit code where the cluster cannot answer, which is said by then. */
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
  // Who has never had one holds pools against a file.
  const isMarked = clusters.some(({ pools }) =>
    pools.some(({ spec }) => (spec.template.spec.requirements ?? []).some(({ key }) => key === POLICY_END)),
  );
  if (!isThere && !isMarked && leftover.length === 0) return unread;
  const hint = "apply what anp guard prints for the policy; one of files beside the API server is not seen here";
  const problem = (code: "live-guard-missing" | "live-guard-weakened", words: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [findingOnInput(code, { message: `${words}: ${ids.join(", ")}`, hint })];
  const removers = removersOf(ofKind(read.resources, "ClusterRole"), ofKind(read.resources, "ClusterRoleBinding"));
  return [
    ...unread,
    ...(isThere || isMarked
      ? problem("live-guard-missing", "of the guard of this policy the cluster lacks", missing)
      : []),
    ...problem("live-guard-weakened", "of the guard of this policy the cluster has in another form", weakened),
    ...left(leftover, removers),
    ...(isThere ? removable(removers) : []),
  ];
}

function ofKind(resources: readonly Resource[], kind: string): Resource[] {
  return resources.filter((one) => one.kind === kind);
}

/** What an earlier guard had and this one has not goes on acting, as applying deletes nothing. */
function left(ids: readonly string[], removers: readonly string[]): Finding[] {
  if (ids.length === 0) return [];
  const who = removers.length === 0 ? "" : `; ${removers.join(", ")} may delete them`;
  const message = `of an earlier guard there are still, and act, though anp guard prints none for this policy: ${ids.join(", ")}${who}`;
  // A binding first: without its policy it would refuse nothing, and without the binding the policy asks nobody.
  const commands = ids
    .toSorted((a, b) => Number(b.includes("Binding ")) - Number(a.includes("Binding ")))
    .map((id) => id.toLowerCase().replace(" ", "/"))
    .join(" ");
  const hint = `where they are of a RenderConfig's bounds, give it as --config; else kubectl delete ${commands}`;
  return [findingOnInput("live-guard-leftover", { message, hint })];
}

function removable(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const message = `the guard can be changed or taken away by ${names.join(", ")}`;
  const hint =
    "take the rights on admission policies from those who are guarded, or keep the guard in files (--static)";
  return [findingOnInput("live-guard-removable", { message, hint })];
}

const GUARDS = "whether a guard holds the policy is not known";
const REMOVERS = "who could take the guard away is not known";

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
