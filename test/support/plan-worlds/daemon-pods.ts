/** Pods of DaemonSets on the nodes of a random world; admission has changed what some of them ask for. */
import type { Random } from "./random.ts";
import type { Manifest } from "./world.ts";

interface DaemonSet extends Manifest {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: { readonly template: { readonly metadata: Manifest; readonly spec: Manifest } };
}

export function podsOfDaemons(daemons: readonly Manifest[], cluster: readonly Manifest[], random: Random): Manifest[] {
  const nodes = cluster
    .filter(({ kind }) => kind === "Node")
    .map(({ metadata }) => (metadata as { name: string }).name);
  return (daemons as readonly DaemonSet[]).flatMap((daemon) =>
    nodes.flatMap((node, at) => (random.chance(0.4) ? [podOf(daemon, node, at, random)] : [])),
  );
}

function podOf({ metadata, spec: { template } }: DaemonSet, node: string, at: number, random: Random): Manifest {
  const { name, namespace, uid } = metadata;
  const { containers, ...spec } = template.spec as { containers: readonly [Manifest] };
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [pinned(node)] } },
  };
  const requests = { cpu: random.pick(["50m", "300m", "2"]), memory: "64Mi" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...template.metadata,
      name: `${name}-${node}`,
      namespace,
      creationTimestamp: `2026-01-01T00:0${at}:00Z`,
      ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name, uid, controller: true }],
    },
    spec: {
      ...spec,
      affinity,
      nodeName: node,
      containers: [random.chance(0.5) ? { ...containers[0], resources: { requests } } : containers[0]],
    },
    status: { phase: "Running" },
  };
}

/** As the controller of DaemonSets writes it. */
function pinned(node: string): Manifest {
  return { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] };
}
