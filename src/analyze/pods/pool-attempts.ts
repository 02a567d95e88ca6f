/** Tries a pod on a new node of each pool, as if it were the only pod: what it gets, or why not. */
import { sortedValues } from "../../karpenter/requirements/requirement.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import { both, countTypes, isNone, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import { locationOf } from "../../krm/places/location.ts";
import { type PodStage, podStages, withVolumes } from "../../karpenter/scheduling/pod-stages.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { Relaxing } from "../../karpenter/solver/pod-shape.ts";
import { and } from "../explain/amounts.ts";
import { refusedKeys } from "../explain/refused-claim.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import { minValuesSentence, OBSTACLES, type Obstacle, type PodAttempt, tryPod } from "./attempt.ts";
import type { PodPool } from "./pool.ts";

/** What one pool does with a pod. */
export interface PoolAttempt {
  readonly pool: string;
  /** Whether the pool could take the pod if it were the only one. */
  readonly fits: boolean;
  /** How many instance types could start for it. */
  readonly instanceTypes: number;
  /** Null if it fits. `machine-image`: Karpenter picks the pool, but no image fits the types. */
  readonly reason: Obstacle | "machine-image" | null;
  /** Of a pool that fits, how it fits: by which term of the pod, without which preferences. */
  readonly sentence: string;
}

/** Each pool alone. Karpenter relaxes the preferences of the pod until the pool takes it. */
export function attemptsAlone(
  pod: PodDemand,
  targets: readonly PodPool[],
  { taintsRelent, ignoresPreferences }: Relaxing,
  knownTypes: InstanceTypes,
): PoolAttempt[] {
  const stages = podStages(pod, taintsRelent, ignoresPreferences);
  return targets.map((target) => {
    const { name } = target.pool;
    const found = bestOf(pod, stages, target, knownTypes);
    if ("obstacle" in found)
      return { pool: name, fits: false, instanceTypes: 0, reason: found.obstacle, sentence: found.sentence() };
    const failure = launchFailure(found, target);
    if (failure !== undefined) return { pool: name, fits: false, instanceTypes: 0, ...failure };
    const count = countTypes(both(found.types, target.startable));
    return { pool: name, fits: true, instanceTypes: count, reason: null, sentence: found.without };
  });
}

/** Why no node starts of a NodeClaim that Karpenter makes. */
export function launchFailure(
  { types, requirements }: { readonly types: TypeMask; readonly requirements: Requirements },
  target: PodPool,
): Pick<PoolAttempt, "reason" | "sentence"> | undefined {
  const { pool, startable, images, ofClass, nodes } = target;
  if (isNone(both(types, startable))) {
    const sentence = `no node would start: the machine images of node class ${pool.nodeClassRef.name} are for ${imagesText(images)}, and no remaining type is`;
    return { reason: "machine-image", sentence };
  }
  const refused = refusedKeys(types, requirements, ofClass, nodes);
  if (refused.size === 0) return undefined;
  const missed = minValuesSentence(refused, requirements, target);
  return {
    reason: "min-values",
    sentence: `no node would start: the API server refuses the NodeClaim; ${missed}`,
  };
}

/** The first stage at which the pool takes the pod, or the obstacle of the stage that came furthest. */
function bestOf(pod: PodDemand, stages: readonly PodStage[], target: PodPool, knownTypes: InstanceTypes) {
  let furthest: Extract<PodAttempt, { readonly obstacle: Obstacle }> | undefined;
  for (const stage of stages) {
    for (const volumes of pod.volumes.alternatives) {
      const attempt = tryPod(pod, withVolumes(stage, volumes), target, knownTypes);
      if ("types" in attempt) return { ...attempt, without: stage.without };
      const further =
        furthest === undefined || OBSTACLES.indexOf(attempt.obstacle) > OBSTACLES.indexOf(furthest.obstacle);
      if (further) furthest = attempt;
    }
  }
  return furthest!;
}

function imagesText(images: PodPool["images"]): string {
  const texts = images.map(
    ({ requirement, place }) => `${sortedValues(requirement).join(", ")} (${locationOf(place.resource, place.path)})`,
  );
  return and(texts);
}
