/** A world as anp reads it to decide what Karpenter disrupts. */
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
