/** What touching changes, by the same answer as `anp diff --live` gives of such a change. */
import type { SideCluster } from "../../analyze/diff/compare-clusters.ts";
import type { SideObject } from "../../analyze/diff/side-object.ts";
import type { TouchPlan } from "../../cluster/guard/touch.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { once } from "../../model/once.ts";
import type { Context } from "../cli/context.ts";
import { answerDiff, type DiffAnswer } from "../diff/answer.ts";
import { catalogues } from "../input/load-catalogue.ts";
import { pricesFor } from "../input/load-prices.ts";

/** Nanoseconds, as `anp diff` assumes. */
const NODE_TIME = 300_000_000_000n;

/** What stays as it is stands on both sides: the classes that pools name say what their nodes are. */
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
  const prices = once(() => pricesFor(catalogueFor, {}, context));
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
