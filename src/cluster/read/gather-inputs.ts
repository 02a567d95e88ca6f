/** Reads all input of a pass from the directory, the management cluster and the guest cluster. */
import { canonical } from "../../krm/values/canonical.ts";
import { findingAt, type Finding } from "../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { autoNodePolicySchema, POLICY_NAME } from "../../model/policy/auto-node-policy.ts";
import { extendsOf } from "../../model/inputs/extended-policies.ts";
import { gatherBundles } from "../../model/inputs/gather.ts";
import { isRule } from "../../model/objects/role.ts";
import { validate } from "../../model/schema/validate.ts";
import { type LiveObject, liveResource } from "../api/live-object.ts";
import { readQuota } from "../api/read-quota.ts";
import type { CrdState } from "../crds/install-crds.ts";
import { inventoryLocation } from "../inventory/location.ts";
import { type InventoryReading, knownIn, readInventory, repairedReading } from "../inventory/read-inventory.ts";
import { confirmAbsentPolicy, type ManagementSide, readManagement } from "./read-management.ts";
import type { PolicyReading } from "../objects/policy-mode.ts";
import { type GuestSide, readApplied, readWrappers } from "./read-guest.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import { WRAPPER_KINDS } from "../api/served-kind.ts";
import { type DirectoryInput, hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";

export interface Inputs {
  readonly resources: readonly Resource[];
  readonly config: Resource | undefined;
  readonly findings: readonly Finding[];
  readonly reading: PolicyReading;
  /** The live policy, for its status. */
  readonly policy: LiveObject | undefined;
  readonly hiddenProblem: string | undefined;
  readonly guest: GuestSide;
  readonly inventory: InventoryReading;
  readonly problems: readonly ReadProblem[];
}

/** @param crds as the pass found or created them */
export async function gatherInputs(
  cluster: WatchedCluster,
  crds: readonly CrdState[],
  { signal, now }: { readonly signal: AbortSignal; readonly now: Date },
): Promise<Inputs> {
  const { hostedCluster, source, allowEmpty, settleMs } = cluster;
  // Read applied objects before wrappers: an object that another replica creates meanwhile cannot look like an orphan.
  const budget = readQuota(cluster.readLimits);
  const applied = await readApplied(cluster.guest, budget);
  // The inventory has an entry before its object is created, so read it after the objects.
  const made = readInventory(inventoryLocation(cluster)).then((reading) => repairedReading(reading, applied.live));
  const [directory, management, inventory, guest] = await Promise.all([
    cluster.readDirectory({ allowEmpty, settleMs, signal }),
    cluster.management === undefined ? undefined : readManagement(cluster.management, hostedCluster, now),
    made,
    hasLiveWrappers(source)
      ? made.then((inventory) => readWrappers(cluster.guest, applied, inventory, budget))
      : { ...applied, wrappers: [], wrappersSince: new Map() },
  ]);
  const written = writtenPolicy(directory.value, management?.hidden ?? [], hostedCluster);
  const { reading: read, policies, findings } = choosePolicy(written, management);
  const doubt = { live: applied.live, made: idsOf(inventory), mustKnow: cluster.installCrds };
  const reading =
    cluster.management === undefined
      ? read
      : (management?.end ?? (await confirmAbsentPolicy(read, cluster.management, doubt)));
  const wrappers = guest.wrappers.map((object) =>
    liveResource(
      object,
      "guest",
      WRAPPER_KINDS.find(({ kind }) => kind === object.kind)!,
    ),
  );
  return {
    resources: [...directory.value.resources, ...policies, ...(management?.hidden ?? []), ...wrappers],
    config: directory.value.config,
    findings: [...directory.findings, ...findings],
    reading,
    inventory,
    policy: management?.policy,
    hiddenProblem: management?.hiddenProblem,
    guest,
    problems: [...(management?.problems ?? []), ...guest.problems].map((problem) =>
      withAwaited(problem, crds, cluster),
    ),
  };
}

function idsOf(inventory: InventoryReading): ReadonlySet<string> {
  return new Set(knownIn(inventory)?.keys());
}

function withAwaited(
  problem: ReadProblem,
  crds: readonly CrdState[],
  { dryRun }: Pick<WatchedCluster, "dryRun">,
): ReadProblem {
  const would = crds.some(({ kind, outcome }) => kind === problem.kind && outcome === "created");
  return dryRun && would && problem.error.kind === "notFound" ? { ...problem, isAwaited: true } : problem;
}

interface WrittenPolicy {
  readonly policy?: Resource | undefined;
  /** Why there is none although a RenderConfig extends one: then the cluster is not one without a policy. */
  readonly problem?: string;
}

/** The policy in files: the cluster's own, or the one that its RenderConfig extends. */
function writtenPolicy(
  { resources, config }: DirectoryInput,
  hidden: readonly Resource[],
  hostedCluster: string,
): WrittenPolicy {
  const own = resources.find((resource) => isPolicyOf(resource, hostedCluster));
  if (own !== undefined || ![...resources, config].some((one) => extendsOf(one) !== undefined)) return { policy: own };
  const rules = [...resources.filter(isRule), ...hidden];
  const { policy, renderConfig } = gatherBundles(rules, { hostedCluster, config }).value.bundles[0]!;
  if (policy !== undefined || extendsOf(renderConfig) === undefined) return { policy };
  return { problem: `the policy that ${describeResource(renderConfig!)} extends cannot be used` };
}

function isPolicyOf({ kind, name, namespace }: Resource, hostedCluster: string): boolean {
  return kind === "AutoNodePolicy" && name === POLICY_NAME && namespace === hostedCluster;
}

interface Chosen {
  readonly reading: PolicyReading;
  readonly policies: readonly Resource[];
  readonly findings: readonly Finding[];
}

/** The policy of the directory, if it has one. A live policy must then be equal, because one of the two would be ignored. */
function choosePolicy({ policy: written, problem }: WrittenPolicy, management: ManagementSide | undefined): Chosen {
  if (problem !== undefined) return { reading: { state: "invalid", words: problem }, policies: [], findings: [] };
  if (management === undefined) {
    return { reading: { state: written === undefined ? "absent" : "present" }, policies: [], findings: [] };
  }
  const live = management.policies.map(withoutUnknownFields);
  const policies = live.map(({ policy }) => policy);
  const findings = live.flatMap((one) => one.findings);
  if (written === undefined) return { reading: management.reading, policies, findings };
  const others = policies.filter(({ name }) => name !== POLICY_NAME);
  const counterpart = policies.find(({ name }) => name === POLICY_NAME);
  if (counterpart === undefined || canonical(counterpart.value["spec"]) === canonical(written.value["spec"]))
    return { reading: { state: "present" }, policies: others, findings };
  const words = `the AutoNodePolicy in ${written.document.source.file} and the one in the management cluster differ`;
  const hint = "apply the file to the management cluster, or remove it from the directory";
  const finding = findingAt("policy-duplicate", written, ["spec"], { message: words, hint });
  return { reading: { state: "invalid", words }, policies: others, findings: [...findings, finding] };
}

/**
 * A newer management cluster may have fields that anp does not know. They are a warning, not an error
 * (docs/design.md#the-autonode-policy-enhancement).
 */
function withoutUnknownFields(policy: Resource): { policy: Resource; findings: readonly Finding[] } {
  if (policy.name !== POLICY_NAME) return { policy, findings: [] };
  const codes = { code: "policy-invalid", unknownField: "unknown-field" } as const;
  const { value, findings } = validate(autoNodePolicySchema, policy, codes);
  // Rendering reports every other error of the policy.
  if (value === undefined) return { policy, findings: [] };
  return { policy: { ...policy, value }, findings };
}
