/** `--live`: the live objects of a hosted cluster as the old side of `anp diff`. */
import type { SideCluster } from "../../analyze/diff/compare-clusters.ts";
import { type SideObject } from "../../analyze/diff/compare-objects.ts";
import { withLiveWrapperFields } from "../../analyze/diff/wrapper-fields.ts";
import { idOf, type KubeObject } from "../../model/kube-object.ts";
import type { Context } from "../cli/context.ts";
import type { OldSide } from "./side.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";

export interface LiveOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly nodeData?: string;
}

/** An exit code where the cluster cannot answer. */
export async function readLive(
  clusters: readonly SideCluster[],
  { kubeconfig, context: kubeContext, nodeData }: LiveOptions,
  context: Context,
): Promise<OldSide | ExitCode> {
  const [cluster, ...others] = clusters;
  if (others.length > 0)
    throw new UsageError(
      "a cluster is one hosted cluster, and the input is for several: select one with --hosted-cluster",
    );
  const objects = cluster?.objects ?? [];
  // All the network, and the packages it takes, are loaded here only.
  const { readLiveSide } = await import("../../cluster/read/live-side.ts");
  const live = await readLiveSide(
    objects.map(({ object }) => object),
    { kubeconfig, context: kubeContext, withNodes: nodeData === undefined },
  );
  if ("problem" in live) {
    context.writeError(`anp: ${live.problem}\n`);
    return EXIT.cluster;
  }
  const rendered = new Map(objects.map((one) => [idOf(one.object), one]));
  const sideOf = (all: readonly KubeObject[], wrapperOf: (id: string) => unknown): SideCluster => ({
    hostedCluster: cluster?.hostedCluster,
    objects: all.map((object): SideObject => {
      const [id, wrapper] = [idOf(object), wrapperOf(idOf(object))];
      const written = wrapper === undefined ? undefined : withLiveWrapperFields(object, wrapper);
      return { object, written, placeOf: rendered.get(id)?.placeOf ?? (() => undefined) };
    }),
    unsure: cluster?.unsure ?? new Set(),
  });
  return {
    old: { clusters: [sideOf(live.before, (id) => live.wrappers.get(id))], findings: [], readable: true },
    now: [sideOf(live.after, (id) => rendered.get(id)?.written)],
    nodes: live.nodes,
    notes: live.notes,
  };
}
