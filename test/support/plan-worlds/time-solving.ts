/** How long anp and Karpenter's own scheduler take to place the pods of a world, in processor time on one core. */
import { solve } from "../../../src/karpenter/solver/solve.ts";
import { askProgram } from "../go/ask-program.ts";
import { objectsOf } from "./ask-karpenter.ts";
import { solverWorldOf } from "./plan-by-anp.ts";
import type { World } from "./world.ts";

export interface SolvingTime {
  readonly milliseconds: number;
  readonly nodeClaims: number;
}

/** The shortest of some runs. */
export function timeOfAnp(world: World, runs = 3): SolvingTime {
  const { world: given } = solverWorldOf(world);
  const all = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    const { claims } = solve(given);
    return { milliseconds: process.cpuUsage(before).user / 1000, nodeClaims: claims.length };
  });
  return all.toSorted((a, b) => a.milliseconds - b.milliseconds)[0]!;
}

/** Of `Solve` alone, which excludes what Karpenter prepares for it. */
export async function timeOfKarpenter(world: World): Promise<SolvingTime> {
  const question = { op: "timeOfSolve", objects: objectsOf(world), types: world.types, options: world.options };
  const [answer] = await askProgram<SolvingTime>("oracle-scheduler", [question]);
  return answer!;
}
