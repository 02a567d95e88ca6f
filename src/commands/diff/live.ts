/** `--live`: the live objects of a cluster as the old side of `anp diff`. */
import { type SideCluster, type SideObject, idIn } from "../../analyze/diff/sides.ts";
import { withLiveWrapperFields } from "../../analyze/diff/wrapper-fields.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { idOf, type KubeObject } from "../../model/objects/kube-object.ts";
import type { Context } from "../cli/context.ts";
import type { OldSide } from "./sides.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";

export interface LiveOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly nodeData?: string;
}

/** @returns an exit code if the cluster cannot answer; `hosted` if the new side is raw and the cluster is a hosted cluster */
export async function readLive(
  clusters: readonly SideCluster[],
  mode: InputMode,
  { kubeconfig, context: kubeContext, nodeData }: LiveOptions,
  context: Context,
): Promise<OldSide | ExitCode | "hosted"> {
  const [cluster, ...others] = clusters;
  if (others.length > 0)
    throw new UsageError(
      "--live reads one hosted cluster, and the input is for several: select one with --hosted-cluster",
    );
  const objects = cluster?.objects ?? [];
  // Network code and its packages are loaded only here.
  const { readLiveRawSide, readLiveSide } = await import("../../cluster/run/live-queries.ts");
  const ask = mode === "raw" ? readLiveRawSide : readLiveSide;
  const live = await ask(
    objects.map(({ object }) => object),
    { kubeconfig, context: kubeContext, withNodes: nodeData === undefined },
  );
  if (live === "hosted") return live;
  if ("problem" in live) {
    context.writeError(`anp: ${live.problem}\n`);
    return EXIT.cluster;
  }
  const rendered = new Map(objects.map((one) => [idIn(one.object), one]));
  const asItStands = mode === "raw";
  const sideOf = (
    all: readonly KubeObject[],
    wrapperOf: (object: KubeObject) => unknown,
    isApplied: boolean,
  ): SideCluster => ({
    hostedCluster: cluster?.hostedCluster,
    settings: cluster?.settings,
    karpenter: cluster?.karpenter,
    objects: all.map((object): SideObject => {
      const wrapper = wrapperOf(object);
      const written = wrapper === undefined ? undefined : withLiveWrapperFields(object, wrapper);
      // Live objects have no place in a file.
      const made = isApplied ? rendered.get(idIn(object)) : undefined;
      const { placeOf = () => undefined, needs, driftedFloor } = made ?? {};
      return { object, written, asItStands, needs, driftedFloor, placeOf };
    }),
    unsure: cluster?.unsure ?? new Set(),
  });
  return {
    old: {
      clusters: [sideOf(live.before, (object) => live.wrappers.get(idOf(object)), false)],
      findings: [],
      readable: true,
    },
    now: [sideOf(live.after, (object) => rendered.get(idIn(object))?.written, true)],
    nodes: live.nodes,
    notes: live.notes,
    notAsked: live.notAsked,
  };
}
