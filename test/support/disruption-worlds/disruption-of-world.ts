/** A world as anp reads it to decide what Karpenter disrupts. */
import { ChangingCluster } from "../../../src/analyze/consolidate/changing-cluster.ts";
import { type Disruption, disruptionOf } from "../../../src/analyze/moves/running-cluster.ts";
import { whyWorld } from "../../../src/analyze/why/why-world.ts";
import { inputOf } from "../plan-worlds/plan-by-anp.ts";
import type { World } from "../plan-worlds/world.ts";

/** @param gates of Karpenter beside CapacityBuffer, such as `,StaticCapacity=true` */
export function disruptionOfWorld(world: World, gates: string, at?: number): Disruption {
  const { cluster, demands, others, dump } = inputOf(world, gates, at);
  const { planned, disruption } = whyWorld({ demands, others, dump }, cluster);
  // Where Karpenter expects pods is in its memory, which a world does not have.
  return disruptionOf(planned, cluster, { ...disruption, nominated: new Map(), buffered: new Set() });
}

/** The same for all moves, from the objects of the world as they are. */
export function changingClusterOf(world: World, gates: string, at: number): ChangingCluster {
  const { cluster, demands, others, dump } = inputOf(world, gates, at);
  const { planned, disruption } = whyWorld({ demands, others, dump }, cluster);
  return new ChangingCluster(planned, cluster, disruption, dump.objects);
}
