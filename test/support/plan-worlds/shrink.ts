/** Makes a world smaller for as long as it still shows the same. */
import type { Manifest, World } from "./world.ts";

/** How many smaller worlds are tried at once. */
const BATCH = 24;

/** @param shows which of the worlds still do */
export async function shrink(
  world: World,
  shows: (worlds: readonly World[]) => Promise<readonly boolean[]>,
): Promise<World> {
  let smallest = world;
  for (;;) {
    const next = await smallerOne(smallest, shows);
    if (next === undefined) return smallest;
    smallest = next;
  }
}

async function smallerOne(
  world: World,
  shows: (worlds: readonly World[]) => Promise<readonly boolean[]>,
): Promise<World | undefined> {
  const candidates = smallerWorlds(world);
  for (let from = 0; from < candidates.length; from += BATCH) {
    const batch = candidates.slice(from, from + BATCH);
    const shown = await shows(batch);
    const place = shown.indexOf(true);
    if (place >= 0) return batch[place];
  }
  return undefined;
}

/** The largest steps first. */
function smallerWorlds(world: World): World[] {
  const lists = ["workloads", "pools", "daemons", "cluster", "types"] as const;
  const halves = lists.flatMap((list) => {
    const all = world[list] as readonly unknown[];
    if (all.length < 4) return [];
    const middle = Math.ceil(all.length / 2);
    return [all.slice(0, middle), all.slice(middle)].map((half) => ({ ...world, [list]: half }));
  });
  const singles = lists.flatMap((list) =>
    world[list].map((_one, at) => ({ ...world, [list]: (world[list] as readonly unknown[]).toSpliced(at, 1) })),
  );
  const fewer = world.workloads.flatMap((workload, at) =>
    [1, Math.floor(workload.replicas / 2), workload.replicas - 1]
      .filter((replicas) => replicas > 0 && replicas < workload.replicas)
      .map((replicas) => ({ ...world, workloads: world.workloads.with(at, { ...workload, replicas }) })),
  );
  const options = Object.keys(world.options).map((name) => ({
    ...world,
    options: without(world.options as Manifest, name),
  }));
  const fields = [
    ...world.workloads.flatMap((workload, at) =>
      smallerValues(workload.template).map((template) => ({
        ...world,
        workloads: world.workloads.with(at, { ...workload, template: template as Manifest }),
      })),
    ),
    ...(["pools", "daemons", "cluster"] as const).flatMap((list) =>
      world[list].flatMap((object, at) =>
        smallerValues(object).map((smaller) => ({ ...world, [list]: world[list].with(at, smaller as Manifest) })),
      ),
    ),
    ...world.types.flatMap((type, at) =>
      type.offerings.map((_one, nth) => ({
        ...world,
        types: world.types.with(at, { ...type, offerings: type.offerings.toSpliced(nth, 1) }),
      })),
    ),
  ];
  return [...halves, ...singles, ...fewer, ...options, ...fields] as World[];
}

/** Without what an API server refuses an object for, and what is no part of the question. */
const KEPT: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "name",
  "namespace",
  "spec",
  "containers",
  "resources",
  "nodeClassRef",
  "requirements",
  "values",
  "effect",
  "selector",
  "template",
  "nodeName",
  "providerID",
  "status",
  "topology",
  "labelSelector",
  "matchLabels",
  "preference",
  "podAffinityTerm",
  "weight",
  "provisioner",
  "volumeBindingMode",
  "containerPort",
  "nodeID",
  "claimName",
  "persistentVolumeClaim",
  "uid",
  "key",
  "operator",
  "topologyKey",
  "whenUnsatisfiable",
  "maxSkew",
]);

/** Each with one field or one entry less, at any depth. */
function smallerValues(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const all = value as unknown[];
    return [
      ...all.map((_one, at) => all.toSpliced(at, 1)).filter((rest) => rest.length > 0),
      ...all.flatMap((one, at) => smallerValues(one).map((smaller) => all.with(at, smaller))),
    ];
  }
  if (typeof value !== "object" || value === null) return [];
  const object = value as Manifest;
  return [
    ...Object.keys(object)
      .filter((name) => !KEPT.has(name))
      .map((name) => without(object, name)),
    ...Object.entries(object).flatMap(([name, one]) =>
      smallerValues(one).map((smaller) => ({ ...object, [name]: smaller })),
    ),
  ];
}

function without(object: Manifest, name: string): Manifest {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
