/** The objects of a recorded round, of those that tests keep from Karpenter's state of the cluster as the state has them. */
import type { Manifest } from "../plan-worlds/world.ts";
import type { RecordedNode, Start } from "./round.ts";

interface KubernetesObject extends Manifest {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

/** In the order in which the API server lists them. */
export function objectsOf(round: Start): Manifest[] {
  const objects = round.objects as readonly KubernetesObject[];
  const nodes = new Map(round.nodes.flatMap((one) => (one.node === null ? [] : [[nameOf(one.node), one]])));
  const stored = objects.flatMap((object): Manifest[] => {
    if (object.kind === "NodeClaim") return [];
    if (object.kind === "Pod") return isAsked(object, round) ? [object] : [];
    if (object.kind !== "Node") return [object];
    const known = nodes.get(object.metadata.name);
    nodes.delete(object.metadata.name);
    return [known === undefined ? withoutRoom(object) : asKnown(known.node!, known)];
  });
  const gone = [...nodes.values()].map((known) => asKnown(known.node!, known));
  const claims = round.nodes.flatMap((known) => (known.nodeClaim === null ? [] : [asKnown(known.nodeClaim, known)]));
  return [...stored, ...gone, ...claims, ...round.pods];
}

function nameOf(object: Manifest): string {
  return (object as KubernetesObject).metadata.name;
}

/** A test that calls Solve itself gives the pods that want a node. */
function isAsked({ spec }: Manifest, { of }: Start): boolean {
  return of !== "Solve" || (spec as { nodeName?: string }).nodeName !== undefined;
}

/** It counts for topology, and takes no pods. */
function withoutRoom({ metadata, ...node }: KubernetesObject): Manifest {
  const { deletionTimestamp: _, ...kept } = metadata as Manifest;
  return { ...node, metadata: kept, status: {} };
}

/** Karpenter marks nodes in memory once it has tainted them. */
function asKnown(object: Manifest, { deleting }: RecordedNode): Manifest {
  const { spec, kind } = object as { spec: { taints?: readonly Manifest[] }; kind: string };
  if (!deleting || kind !== "Node") return object;
  const taint = { key: "karpenter.sh/disrupted", effect: "NoSchedule" };
  return { ...object, spec: { ...spec, taints: [...(spec.taints ?? []), taint] } };
}
