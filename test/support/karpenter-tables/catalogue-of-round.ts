/** The instance types of a recorded round as a catalogue in anp's open form. */
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { readCatalogue } from "../../../src/karpenter/catalogue/read-catalogue.ts";
import { memoizeByObject } from "../../../src/model/schema/memoize.ts";
import type { Manifest } from "../plan-worlds/world.ts";
import type { RecordedType, Start } from "./round.ts";

interface RoundCatalogue {
  readonly catalogue: Catalogue;
  /** The pool, with what makes it get its own types only. */
  readonly poolOf: (pool: Manifest) => Manifest;
  /** A node or NodeClaim, with the name that its type has in the catalogue. */
  readonly nodeOf: (object: Manifest) => Manifest;
  /** Of a type of the catalogue. */
  readonly nameOf: (name: string) => string;
}

/** No label of nodes: it says which pool gets a type, if each gets its own. */
const OF_POOL = "tables.test/pool";
const SEPARATOR = "@";

export function catalogueOf({ typesOf, wellKnownLabels }: Start): RoundCatalogue {
  const lists = Object.entries(typesOf);
  const [all = []] = lists.map(([, types]) => types);
  const isShared = all.length > 0 && lists.every(([, types]) => types === all) && !hasTwins(all);
  if (isShared)
    return { catalogue: sharedCatalogue(all)(wellKnownLabels), poolOf: same, nodeOf: same, nameOf: (name) => name };
  const own = lists.flatMap(([pool, types]) => types.map((type, index) => ofPool(type, pool, index)));
  const types = own.length > 0 ? own : [ofPool(NONE, "", 0)];
  return {
    catalogue: read(types, [...wellKnownLabels, OF_POOL]),
    poolOf: withOwnTypes,
    nodeOf: (object) => withOwnType(object, typesOf),
    nameOf: (name) => name.split(SEPARATOR)[0]!,
  };
}

function same(object: Manifest): Manifest {
  return object;
}

/** A catalogue has one type at least. */
const NONE: RecordedType = {
  name: "none",
  requirements: [],
  offerings: [],
  capacity: {},
  allocatable: {},
  volumeLimits: null,
  hasDevices: false,
  hasOverrides: false,
};

const sharedCatalogue = memoizeByObject((types: readonly RecordedType[]) => {
  let made: Catalogue | undefined;
  return (wellKnownLabels: readonly string[]): Catalogue => (made ??= read(types, wellKnownLabels));
});

/** Tests have types of the same name. */
export function hasTwins(types: readonly RecordedType[]): boolean {
  return new Set(types.map(({ name }) => name)).size < types.length;
}

function ofPool(type: RecordedType, pool: string, index: number): RecordedType {
  const requirement = { key: OF_POOL, operator: "In", values: [pool] } as const;
  const name = [type.name, pool, index].join(SEPARATOR);
  return { ...type, name, requirements: [...type.requirements, requirement] };
}

function withOwnTypes(pool: Manifest): Manifest {
  const changed = structuredClone(pool) as {
    metadata: { name: string };
    spec: { template: { spec: { requirements: Manifest[] } } };
  };
  const { requirements } = changed.spec.template.spec;
  requirements.push({ key: OF_POOL, operator: "In", values: [changed.metadata.name] });
  return changed;
}

function withOwnType(object: Manifest, typesOf: Start["typesOf"]): Manifest {
  const { labels = {}, ...metadata } = object["metadata"] as { labels?: Readonly<Record<string, string>> };
  const { "karpenter.sh/nodepool": pool = "", [INSTANCE_TYPE]: name = "" } = labels;
  const index = typesOf[pool]?.findIndex((type) => type.name === name) ?? -1;
  if (index === -1) return object;
  const own = { ...labels, [INSTANCE_TYPE]: [name, pool, index].join(SEPARATOR) };
  return { ...object, metadata: { ...metadata, labels: own } };
}

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";

function read(types: readonly RecordedType[], wellKnownLabels: readonly string[]): Catalogue {
  const instanceTypes = types.map(({ name, requirements, offerings, capacity, allocatable }) => ({
    name,
    requirements,
    capacity,
    allocatable,
    offerings: offerings.map(({ reservationCapacity, ...offering }) => {
      const isReserved = offering.requirements.some(({ values = [] }) => values.includes("reserved"));
      return isReserved ? { ...offering, reservationCapacity } : offering;
    }),
  }));
  const given = { schemaVersion: 1, source: "recorded", date: "2026-11", wellKnownLabels, instanceTypes };
  const made = readCatalogue(JSON.stringify(given), "recorded");
  if ("problem" in made) throw new Error(made.problem.message);
  return made.catalogue;
}
