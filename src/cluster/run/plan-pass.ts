/** Plans a pass: reads, renders, and decides which steps follow and what forbids deletions. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describeResource } from "../../krm/places/resource.ts";
import type { CrdState } from "../crds/install-crds.ts";
import { holdWithoutInventory, holdMalformed, pruneBlockedByMalformed } from "../plan/hold.ts";
import { knownIn } from "../inventory/read-inventory.ts";
import { type PreparedLimits, prepareLimits } from "../limits/node-limits.ts";
import { setIdOf } from "../objects/membership.ts";
import { withTerminatingPools } from "../plan/terminating-pools.ts";
import { plan } from "../plan/plan.ts";
import { type RenderedInputs, renderCluster } from "../plan/render-cluster.ts";
import { type Step } from "../plan/step.ts";
import { gatherInputs, type Inputs } from "../read/gather-inputs.ts";
import { describeProblem } from "../objects/read-problem.ts";
import type { PassSlot } from "./loop.ts";
import { type StableOptions, waitUntilStable } from "../waiting/wait-until-stable.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";
import { idOf } from "../../model/objects/kube-object.ts";

export interface PlannedPass {
  readonly inputs: Inputs;
  readonly limits: PreparedLimits;
  readonly rendered: RenderedInputs;
  readonly steps: readonly Step[];
}

export async function planPass(
  cluster: WatchedCluster,
  crds: readonly CrdState[],
  { signal, now, slot }: { readonly signal: AbortSignal; readonly now: Date; readonly slot?: PassSlot | undefined },
): Promise<PlannedPass> {
  const make = async (): Promise<PlannedPass> => {
    const inputs = await gatherInputs(cluster, crds, { signal, now });
    // With thousands of wrappers each part takes long: yield to the renewal of the Lease and to other clusters.
    await nextTurn();
    const setId = setIdOf(cluster.hostedCluster, cluster.name);
    const usable = holdMalformed(renderCluster(inputs, cluster), inputs);
    const found = withTerminatingPools(usable, inputs.guest.live, knownIn(inputs.inventory) ?? new Map());
    await nextTurn();
    const wrappersKnown = areWrappersKnown(inputs, found);
    const unlimited = holdWithoutInventory(found, inputs, { setId, wrappersKnown });
    const limits = await prepareLimits(unlimited, inputs.guest.live, cluster);
    const rendered = { ...unlimited, desired: limits.desired };
    return { inputs, limits, rendered, steps: planOf(inputs, rendered, { ...cluster, setId, wrappersKnown }) };
  };
  // The reader of files waits until they are stable.
  return hasLiveWrappers(cluster.source)
    ? stablePlan(make, {
        pauseMs: cluster.pruneAfterMs,
        signal,
        // A user may create and delete a wrapper each second: other clusters must not wait for that.
        ...(slot === undefined ? {} : { rest: slot.rest }),
      })
    : make();
}

type Planning = WatchedCluster & { readonly setId: string; readonly wrappersKnown: boolean };

function planOf(inputs: Inputs, rendered: RenderedInputs, planning: Planning): Step[] {
  const { desired, held, wrappers } = rendered;
  const { adopt, allowEmpty, maxPrune, setId, wrappersKnown } = planning;
  const { live, wrappersSince, wrappers: liveWrappers } = inputs.guest;
  const pruneBlocked = pruneBlockedBy(inputs, rendered);
  return plan(
    {
      desired,
      held,
      live,
      wrappers,
      // Without the inventory it is unknown which objects have lost their wrapper.
      wrappersKnown: wrappersKnown && inputs.inventory.state !== "unreadable",
      wrappersSince,
      wrapperUids: new Map(liveWrappers.map((wrapper) => [idOf(wrapper), wrapper.metadata.uid])),
      inventory: knownIn(inputs.inventory),
      isRepairing: inputs.inventory.state === "damaged",
      setId,
    },
    { adopt, allowEmpty, maxPrune, pruneBlocked, rawNodePools: rendered.cluster?.mode === "shipped" },
  );
}

function areWrappersKnown({ problems }: Inputs, { unreadable }: RenderedInputs): boolean {
  return unreadable === undefined && !problems.some(({ kind }) => kind in WRAPPER_KINDS);
}

const WRAPPER_KINDS = { OpenshiftNodePool: true, OpenshiftEC2NodeClass: true };

/** An error, or an object that could not be read, must not cause a deletion. */
export function pruneBlockedBy({ problems, guest, inventory }: Inputs, rendered: RenderedInputs): string | undefined {
  const { decision, unreadable, inventoryProblem, gateOff, findings, cluster } = rendered;
  if (inventoryProblem !== undefined) return inventoryProblem;
  if (inventory.state === "damaged") return "nothing is pruned in the pass that repairs the inventory";
  if (unreadable !== undefined) return unreadable;
  if (decision.mode === "Hold") return decision.message;
  if (gateOff) return "the feature gate AutoNode is off";
  const error = findings.find(({ severity }) => severity === "error");
  if (error !== undefined) return `nothing is pruned while the input has errors (${error.code})`;
  // If classes are left to the operator, anp needs no right to read every Secret of the hosted control plane.
  const needsSecrets = cluster?.inputs.settings.renderNodeClasses !== false;
  const problem = problems.find(({ kind, error }) => needsSecrets || kind !== "Secret" || error.kind !== "forbidden");
  return problem === undefined
    ? pruneBlockedByMalformed(guest.malformed)
    : `nothing is pruned while ${describeProblem(problem)}`;
}

/** Whether nothing is applied. */
export function isHeld({ unreadable, inventoryProblem, gateOff, decision }: RenderedInputs): boolean {
  return unreadable !== undefined || inventoryProblem !== undefined || gateOff || decision.mode === "Hold";
}

/** Objects of such a hosted cluster get no status either: they are deleted as well, or must stay as they are. */
export const LEFT_ALONE: readonly string[] = ["HostedClusterGoing", "HostedClusterPaused"];

/** After so many plans that differ in what they delete, this pass deletes nothing and does the rest. */
const PATIENCE = 5;

/**
 * A mass deletion comes one wrapper after another. What a plan sees at its beginning may be fewer than `--max-prune`
 * allows, and would be gone before the limit could show that it was not intended.
 *
 * @param make reads everything anew; throws what it throws
 */
export async function stablePlan<P extends { readonly steps: readonly Step[] }>(
  make: () => Promise<P>,
  settling: Pick<StableOptions<P>, "pauseMs" | "signal" | "rest">,
): Promise<P> {
  const { value, isSettled } = await waitUntilStable(make, {
    ...settling,
    printOf: goes,
    known: "",
    patience: PATIENCE,
  });
  // After the end of the run no step begins.
  if (isSettled || settling.signal.aborted) return value;
  return { ...value, steps: value.steps.map(kept) };
}

function goes({ steps }: { readonly steps: readonly Step[] }): string {
  const pruned = steps.filter(({ action }) => action === "prune");
  return pruned.map(({ kind, name }) => `${kind}/${name}`).join(" ");
}

function kept(step: Step): Step {
  if (step.action !== "prune") return step;
  const reason = `${describeResource(step)} stays: wrappers come and go, so that it is not clear yet which are meant to go`;
  return { ...step, action: "keep", reason };
}
