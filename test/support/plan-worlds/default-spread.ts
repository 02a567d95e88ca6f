/** What decides in random worlds on the topology spread of pods without their own: Services, owners, and Karpenter's option. */
import type { Random } from "./random.ts";
import { constraintsFor, GROUPS, NAMESPACES } from "./workloads.ts";
import type { Manifest, Workload } from "./world.ts";

export function defaultConstraints(random: Random): Manifest[] {
  return constraintsFor(random);
}

/** Most workloads have an owner, and lose their own constraints. */
export function withOwners(workloads: readonly Workload[], random: Random): Workload[] {
  return workloads.map((workload) => {
    const { metadata, spec } = workload.template as { metadata: { labels: Record<string, string> }; spec: Manifest };
    const { topologySpreadConstraints: _, ...without } = spec;
    const template = { metadata, spec: random.chance(0.8) ? without : spec };
    if (random.chance(0.3)) return { ...workload, template };
    const { app, group } = metadata.labels;
    const kind = random.pick(["ReplicaSet", "ReplicaSet", "StatefulSet"] as const);
    return { ...workload, template, owner: { kind, matchLabels: random.pick<Manifest>([{ app }, { group }]) } };
  });
}

/** Of both namespaces; one without a selector selects nothing. */
export function servicesFor(random: Random): Manifest[] {
  const service = (name: string, namespace: string, selector: Manifest | undefined): Manifest => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { ...(selector === undefined ? {} : { selector }), ports: [{ port: 80 }] },
  });
  return NAMESPACES.flatMap((namespace) => [
    service("external", namespace, random.pick([undefined, {}])),
    ...random
      .some(GROUPS, random.pick([0, 1, 2]))
      .map((group) => service(group, namespace, random.chance(0.8) ? { group } : { group, app: "work-a" })),
  ]);
}
