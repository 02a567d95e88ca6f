/** Describes Karpenter's AWS provider: EC2NodeClasses, and the instance types of Amazon EC2. */
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { PLACEMENT_GROUP_ID, RESERVATION_LABELS } from "../../model/requirements/labels.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { type Catalogue, type LabelColumn, UNKNOWN } from "../catalogue/catalogue.ts";
import { imageFamilyOf } from "../node-class/root-device.ts";
import { interfacesOf } from "../node-class/node-resources.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import { type Requirement, requirementOf } from "../requirements/requirement.ts";
import type { ClassRequirement, Provider } from "./provider.ts";

export const AWS: Provider = {
  name: "aws",
  title: "Karpenter on AWS",
  group: KARPENTER_AWS_GROUP,
  kinds: ["EC2NodeClass"],
  prefixes: [`${KARPENTER_AWS_GROUP}/`],
  labels: AWS_LABELS,
  typesOf: (catalogue) => withInterfaces(withWindows(catalogue)),
  classRequirements: (nodeClass) => [
    ...systemRequirements(nodeClass),
    ...imageRequirements(nodeClass),
    ...zoneRequirements(nodeClass),
    ...withoutReservations(nodeClass, ["spec", RESERVATION_TERMS]),
    ...placementRequirements(nodeClass),
    ...typeRequirements(nodeClass),
  ],
};

/**
 * The node class determines the operating system: amd64 types can run Linux or Windows
 * (docs/upstream/karpenter.md#windows).
 */
const withWindows = memoizeByObject((catalogue: Catalogue): Catalogue => {
  const column = catalogue.labels.get(ARCH);
  const arch = (type: number) => column?.sets[column.of[type]!];
  const os: LabelColumn = {
    sets: [listed(OS, ["linux"]), listed(OS, ["linux", "windows"])],
    of: Uint16Array.from(catalogue.names, (_name, type) => (arch(type)?.values.has("amd64") === false ? 0 : 1)),
  };
  const labels = new Map([...catalogue.labels].filter(([key]) => key !== WINDOWS_BUILD));
  return { ...catalogue, labels: labels.set(OS, os) };
});

const ARCH = "kubernetes.io/arch";
const OS = "kubernetes.io/os";
const WINDOWS_BUILD = "node.kubernetes.io/windows-build";

/** By image family. */
const WINDOWS_BUILDS: Readonly<Record<string, string>> = {
  windows2019: "10.0.17763",
  windows2022: "10.0.20348",
  windows2025: "10.0.26100",
};

function systemRequirements(nodeClass: unknown): ClassRequirement[] {
  const build = WINDOWS_BUILDS[imageFamilyOf(nodeClass)];
  const [os, ofBuild]: readonly [string, Requirement] =
    build === undefined
      ? ["linux", requirementOf({ key: WINDOWS_BUILD, operator: "DoesNotExist" })]
      : ["windows", listed(WINDOWS_BUILD, [build])];
  const path = ["spec", valueAt(nodeClass, ["spec", "amiFamily"]) === undefined ? "amiSelectorTerms" : "amiFamily"];
  return [listed(OS, [os]), ofBuild].map((requirement) => ({ path, requirement }));
}

/** A node needs an image of its architecture. The status of the class lists the images. */
function imageRequirements(nodeClass: unknown): ClassRequirement[] {
  const path: FieldPath = ["status", "amis"];
  const values = listAt(nodeClass, path).flatMap((image) =>
    listAt(image, ["requirements"])
      .filter((entry) => valueAt(entry, ["key"]) === ARCH && valueAt(entry, ["operator"]) === "In")
      .flatMap((entry) => listAt(entry, ["values"]).map(String)),
  );
  return values.length === 0 ? [] : [{ path, requirement: listed(ARCH, values) }];
}

function listed(key: string, values: readonly string[]): Requirement {
  return requirementOf({ key, operator: "In", values });
}

/** The zones of the subnets in the status of the class. */
function zoneRequirements(nodeClass: unknown): ClassRequirement[] {
  const path: FieldPath = ["status", "subnets"];
  const zones = listAt(nodeClass, path).map((subnet) => valueAt(subnet, ["zone"]));
  const values = [...new Set(zones.filter((zone): zone is string => typeof zone === "string"))].toSorted();
  if (values.length === 0) return [];
  return [{ path, requirement: listed("topology.kubernetes.io/zone", values) }];
}

function listAt(value: unknown, path: FieldPath): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}

export const RESERVATION_TERMS = "capacityReservationSelectorTerms";

/**
 * A pool whose class has no selector gets no reserved capacity, and its nodes have no labels of reservations
 * (provider: instancetype/types.go, computeRequirements).
 *
 * @param selector the path of the selector in the class as written
 * @param labels of nodes in a reservation
 */
export function withoutReservations(
  nodeClass: unknown,
  selector: FieldPath,
  labels: readonly string[] = RESERVATION_LABELS.aws,
): ClassRequirement[] {
  if ((valueAt(nodeClass, selector) ?? undefined) !== undefined) return [];
  const without = labels.map((key) => requirementOf({ key, operator: "DoesNotExist" }));
  return [NOT_RESERVED, ...without].map((requirement) => ({ path: selector, requirement }));
}

const NOT_RESERVED = listed("karpenter.sh/capacity-type", ["on-demand", "spot"]);

const PLACEMENT_GROUP = "placementGroupSelector";

/**
 * A class without a placement group requires nothing: its instance types do not have the label, and match any
 * requirement on it (docs/upstream/karpenter.md#labels-of-offerings-and-classes). For a group that is given by name,
 * only EC2 knows the id.
 */
function placementRequirements(nodeClass: unknown): ClassRequirement[] {
  const path: FieldPath = ["spec", PLACEMENT_GROUP];
  if ((valueAt(nodeClass, path) ?? undefined) === undefined) return [];
  const id = valueAt(nodeClass, [...path, "id"]);
  const some = requirementOf({ key: PLACEMENT_GROUP_ID, operator: "Exists" });
  return [{ path, requirement: typeof id === "string" ? listed(PLACEMENT_GROUP_ID, [id]) : some }];
}

/** No labels of nodes: the space keeps pools from asking for them. */
const EFA_INTERFACES = "EFA interfaces";
const NETWORK_CARDS = "network cards";
const CARD_INTERFACES = "interfaces of a network card";

/**
 * Each type has a card for each EFA interface, and one without EFA
 * (docs/upstream/karpenter.md#instance-types-and-node-classes). A catalogue without EFA excludes nothing.
 */
const withInterfaces = memoizeByObject((catalogue: Catalogue): Catalogue => {
  const efa = catalogue.allocatable.get("vpc.amazonaws.com/efa");
  const column = (key: string, countOf: (type: number) => number | undefined): [string, LabelColumn] => {
    const counts = catalogue.names.map((_name, type) => (efa === undefined ? undefined : countOf(type)));
    const all = [...new Set(counts.filter((count) => count !== undefined))];
    const sets = all.map((count) => listed(key, [String(count)]));
    const of = Uint16Array.from(counts, (count) => (count === undefined ? UNKNOWN : all.indexOf(count)));
    return [key, { sets, of }];
  };
  const interfaces = (type: number): number => Number(efa?.[type] ?? 0);
  const cards = (type: number): number => MORE_CARDS[catalogue.names[type]!] ?? Math.max(1, interfaces(type));
  const pods = catalogue.allocatable.get("pods");
  const ofCard = (type: number): number | undefined => interfacesOf(Number(pods?.[type]));
  const labels = [column(EFA_INTERFACES, interfaces), column(NETWORK_CARDS, cards), column(CARD_INTERFACES, ofCard)];
  return { ...catalogue, labels: new Map([...catalogue.labels, ...labels]) };
});

/** Types with a card that has no EFA. */
const MORE_CARDS: Readonly<Record<string, number>> = { "p6-b300.48xlarge": 17 };

/**
 * The provider keeps a type from classes that EC2 would refuse to launch on it: `IsCompatibleWithNodeClass`
 * (docs/upstream/karpenter.md#instance-types-and-node-classes).
 */
function typeRequirements(nodeClass: unknown): ClassRequirement[] {
  const at = (...path: string[]): unknown => valueAt(nodeClass, ["spec", ...path]) ?? undefined;
  const on = (field: string, ...requirements: Requirement[]): ClassRequirement[] =>
    requirements.map((requirement) => ({ path: ["spec", field], requirement }));
  const isAL2023 = imageFamilyOf(nodeClass) === "al2023";
  const interfaces = listAt(nodeClass, ["spec", "networkInterfaces"]);
  const efas = interfaces.filter((one) => valueAt(one, ["interfaceType"]) === "efa-only").length;
  const most = (index: string): number =>
    Math.max(0, ...interfaces.map((one) => Number(valueAt(one, [index])) || 0)) + 1;
  const [cards, devices] = [most("networkCardIndex"), most("deviceIndex")];
  return [
    ...(isAL2023 ? on(typeof at("amiFamily") === "string" ? "amiFamily" : "amiSelectorTerms", NO_A1) : []),
    ...(at("connectionTracking") === undefined ? [] : on("connectionTracking", NITRO)),
    ...(at("enclaveOptions", "enabled") === true ? on("enclaveOptions", NITRO) : []),
    ...(at("cpuOptions", "nestedVirtualization") === "enabled" ? on("cpuOptions", NITRO, INTEL, EIGHTH) : []),
    ...(efas > 0 ? on("networkInterfaces", atLeast(EFA_INTERFACES, efas)) : []),
    ...(cards > 1 ? on("networkInterfaces", atLeast(NETWORK_CARDS, cards)) : []),
    ...(devices > 1 ? on("networkInterfaces", atLeast(CARD_INTERFACES, devices)) : []),
  ];
}

const NO_A1 = requirementOf({ key: "karpenter.k8s.aws/instance-family", operator: "NotIn", values: ["a1"] });
const NITRO = listed("karpenter.k8s.aws/instance-hypervisor", ["nitro"]);
const INTEL = listed("karpenter.k8s.aws/instance-cpu-manufacturer", ["intel"]);
const EIGHTH = atLeast("karpenter.k8s.aws/instance-generation", 8);

function atLeast(key: string, count: number): Requirement {
  return requirementOf({ key, operator: "Gte", values: [String(count)] });
}

/** Whether the demand matters only to pools that ask for it: reserved capacity and the placement group. */
export function isForPoolsThatAsk({ path }: ClassRequirement): boolean {
  return path.at(-1) === RESERVATION_TERMS || path.at(-1) === PLACEMENT_GROUP;
}
