/** The plan of a pass: what was read and rendered, what is to be done, what forbids deleting. */
import { setImmediate as nextTurn } from "node:timers/promises";
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
import type { Place } from "./loop.ts";
import { stablePlan } from "./stable-plan.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";
import { idOf } from "../../model/kube-object.ts";

export interface PlannedPass {
  readonly inputs: Inputs;
  readonly limits: PreparedLimits;
  readonly rendered: RenderedInputs;
  readonly steps: readonly Step[];
}

export async function planPass(
  cluster: WatchedCluster,
  crds: readonly CrdState[],
  { signal, now, place }: { readonly signal: AbortSignal; readonly now: Date; readonly place?: Place | undefined },
): Promise<PlannedPass> {
  const make = async (): Promise<PlannedPass> => {
    const inputs = await gatherInputs(cluster, crds, { signal, now });
    // With thousands of wrappers each step takes a part of a second: the lease and other clusters have their turn.
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
  // Files have come to rest before they are read.
  return hasLiveWrappers(cluster.source)
    ? stablePlan(make, {
        pauseMs: cluster.pruneAfterMs,
        signal,
        // A user may create and delete a wrapper each second for ever: no other cluster waits for that.
        ...(place === undefined ? {} : { rest: place.rest }),
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
    { adopt, allowEmpty, maxPrune, pruneBlocked },
  );
}

function areWrappersKnown({ problems }: Inputs, { unreadable }: RenderedInputs): boolean {
  return unreadable === undefined && !problems.some(({ kind }) => kind in WRAPPER_KINDS);
}

const WRAPPER_KINDS = { OpenshiftNodePool: true, OpenshiftEC2NodeClass: true };

/** Nothing is deleted because of an error, or of what could not be read. */
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

/** Nothing is known well enough to be applied, or nothing is to be. */
export function isHeld({ unreadable, inventoryProblem, gateOff, decision }: RenderedInputs): boolean {
  return unreadable !== undefined || inventoryProblem !== undefined || gateOff || decision.mode === "Hold";
}

/** Its objects get no status either: they are deleted as well, or must stay as they are. */
export const LEFT_ALONE: readonly string[] = ["HostedClusterGoing", "HostedClusterPaused"];
