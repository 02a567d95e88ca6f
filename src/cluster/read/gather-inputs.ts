/** Everything that a pass is made from: what directory, management and guest cluster hold. */
import { canonical } from "../../krm/canonical.ts";
import { findingAt, type Finding } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import { autoNodePolicySchema, POLICY_NAME } from "../../model/auto-node-policy.ts";
import { validate } from "../../model/validate.ts";
import type { LiveObject } from "../api/live-object.ts";
import { readBudget } from "../api/read-budget.ts";
import { liveResource } from "../api/live-resource.ts";
import type { CrdState } from "../crds/install-crds.ts";
import { placeOf } from "../inventory/place.ts";
import { type InventoryReading, readInventory } from "../inventory/read-inventory.ts";
import { believedReading } from "./lost-policy.ts";
import type { PolicyReading } from "../objects/policy-life.ts";
import { type GuestSide, readApplied, readWrappers } from "./read-guest.ts";
import { type ManagementSide, readManagement } from "./read-management.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import { OPENSHIFT_EC2_NODE_CLASSES, OPENSHIFT_NODE_POOLS } from "../api/served-kind.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";

export interface Inputs {
  readonly resources: readonly Resource[];
  readonly config: Resource | undefined;
  readonly findings: readonly Finding[];
  readonly reading: PolicyReading;
  /** The live policy, whose status is ours to write. */
  readonly policy: LiveObject | undefined;
  readonly hiddenProblem: string | undefined;
  readonly guest: GuestSide;
  readonly inventory: InventoryReading;
  readonly problems: readonly ReadProblem[];
}

/** @param crds as the pass found or made them */
export async function gatherInputs(
  cluster: WatchedCluster,
  crds: readonly CrdState[],
  { signal, now }: { readonly signal: AbortSignal; readonly now: Date },
): Promise<Inputs> {
  const { hostedCluster, source, allowEmpty, settleMs } = cluster;
  // First of all: whatever is made of a wrapper from now on is not in it, and so cannot be taken for an orphan.
  const budget = readBudget(cluster.readLimits);
  const applied = await readApplied(cluster.guest, budget);
  // What is entered before it is made is then in it.
  const made = readInventory(placeOf(cluster));
  const [directory, management, inventory, guest] = await Promise.all([
    cluster.readDirectory({ allowEmpty, settleMs, signal }),
    cluster.management === undefined ? undefined : readManagement(cluster.management, hostedCluster, now),
    made,
    hasLiveWrappers(source)
      ? made.then((inventory) => readWrappers(cluster.guest, applied, inventory, budget))
      : { ...applied, wrappers: [], wrappersSince: new Map() },
  ]);
  const written = directory.value.resources.find((resource) => isPolicyOf(resource, hostedCluster));
  const { reading: read, policies, findings } = choosePolicy(written, management);
  const doubt = { live: applied.live, made: idsOf(inventory), mustKnow: cluster.installCrds };
  const reading =
    cluster.management === undefined
      ? read
      : (management?.end ?? (await believedReading(read, cluster.management, doubt)));
  const wrappers = guest.wrappers.map((object) =>
    liveResource(
      object,
      "guest",
      object.kind === "OpenshiftNodePool" ? OPENSHIFT_NODE_POOLS : OPENSHIFT_EC2_NODE_CLASSES,
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
  return new Set(inventory.state === "known" ? inventory.known.keys() : []);
}

function withAwaited(
  problem: ReadProblem,
  crds: readonly CrdState[],
  { dryRun }: Pick<WatchedCluster, "dryRun">,
): ReadProblem {
  const would = crds.some(({ kind, outcome }) => kind === problem.kind && outcome === "created");
  return dryRun && would && problem.error.kind === "notFound" ? { ...problem, isAwaited: true } : problem;
}

function isPolicyOf({ kind, name, namespace }: Resource, hostedCluster: string): boolean {
  return kind === "AutoNodePolicy" && name === POLICY_NAME && namespace === hostedCluster;
}

interface Chosen {
  readonly reading: PolicyReading;
  readonly policies: readonly Resource[];
  readonly findings: readonly Finding[];
}

/** The directory's policy where it has one. A live one beside it must say the same: of two laws nobody knows which holds. */
function choosePolicy(written: Resource | undefined, management: ManagementSide | undefined): Chosen {
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
  const hint = "apply the file to the management cluster, or take it out of the directory";
  const finding = findingAt("policy-duplicate", written, ["spec"], { message: words, hint });
  return { reading: { state: "invalid", words }, policies: others, findings: [...findings, finding] };
}

/**
 * A management cluster that is newer than anp knows fields that anp does not: a warning
 * (docs/design.md#the-autonode-policy-enhancement).
 */
function withoutUnknownFields(policy: Resource): { policy: Resource; findings: readonly Finding[] } {
  if (policy.name !== POLICY_NAME) return { policy, findings: [] };
  const codes = { code: "policy-invalid", unknownField: "unknown-field" } as const;
  const { value, findings } = validate(autoNodePolicySchema, policy, codes);
  // What is wrong beyond that is found again where the policy is put to use.
  if (value === undefined) return { policy, findings: [] };
  return { policy: { ...policy, value }, findings };
}
