/** What touching changes, computed and formatted as `anp diff --live` does. */
import type { SideCluster, SideObject } from "../../analyze/diff/sides.ts";
import type { TouchPlan } from "../../cluster/guard/touch.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { Context } from "../cli/context.ts";
import { answerDiff, type DiffAnswer } from "../diff/answer.ts";
import { catalogues } from "../input/load-catalogue.ts";
import { pricesFor } from "../input/load-prices.ts";

/** Nanoseconds, the default of `anp diff`. */
const NODE_TIME = 300_000_000_000n;

/** Unchanged node classes are on both sides, because they determine the nodes of pools. */
export function answerTouch({ objects, classes, nodes }: TouchPlan, context: Context): DiffAnswer {
  const sideOf = (all: readonly KubeObject[]): SideCluster => ({
    hostedCluster: undefined,
    objects: [...classes, ...all].map((object): SideObject => ({
      object,
      asItStands: true,
      isImposed: true,
      placeOf: () => undefined,
    })),
    unsure: new Set(),
  });
  const catalogueFor = catalogues(undefined, context);
  const prices = memoize(() => pricesFor(catalogueFor, {}, context));
  return answerDiff({
    mode: "raw",
    from: [sideOf(objects.map(({ before }) => before))],
    to: [sideOf(objects.map(({ before, after }) => ("refused" in after ? before : after)))],
    ignore: [],
    profile: undefined,
    nodes,
    at: context.machine.now(),
    nodeTime: NODE_TIME,
    catalogueFor,
    pricesFor: (settings) => prices()(settings),
  });
}
