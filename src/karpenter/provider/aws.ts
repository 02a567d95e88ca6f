/** Karpenter's AWS provider: EC2NodeClasses, and the instance types of Amazon EC2. */
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { KARPENTER_AWS_GROUP } from "../../krm/known-kinds.ts";
import { oncePerObject } from "../../model/once.ts";
import type { Catalogue, LabelColumn } from "../catalogue/catalogue.ts";
import { RESERVATION_LABELS } from "../catalogue/reserved-capacity.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import { type Requirement, requirementOf } from "../requirements/requirement.ts";
import type { ClassDemand, Provider } from "./provider.ts";

export const AWS: Provider = {
  name: "aws",
  title: "Karpenter on AWS",
  group: KARPENTER_AWS_GROUP,
  kinds: ["EC2NodeClass"],
  prefixes: [`${KARPENTER_AWS_GROUP}/`],
  labels: AWS_LABELS,
  typesOf: (catalogue) => withWindows(catalogue),
  demandsOf: (nodeClass) => [
    ...systemDemands(nodeClass),
    ...imageDemands(nodeClass),
    ...zoneDemands(nodeClass),
    ...withoutReservations(nodeClass, ["spec", RESERVATION_TERMS]),
  ],
};

/** Whether it is Windows says the node class: types for amd64 run either (docs/upstream/karpenter.md#windows). */
const withWindows = oncePerObject((catalogue: Catalogue): Catalogue => {
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

/** By family. */
const WINDOWS_BUILDS: Readonly<Record<string, string>> = {
  windows2019: "10.0.17763",
  windows2022: "10.0.20348",
  windows2025: "10.0.26100",
};

function systemDemands(nodeClass: unknown): ClassDemand[] {
  const build = WINDOWS_BUILDS[amiFamilyOf(nodeClass)];
  const [os, ofBuild]: readonly [string, Requirement] =
    build === undefined
      ? ["linux", requirementOf({ key: WINDOWS_BUILD, operator: "DoesNotExist" })]
      : ["windows", listed(WINDOWS_BUILD, [build])];
  const path = ["spec", valueAt(nodeClass, ["spec", "amiFamily"]) === undefined ? "amiSelectorTerms" : "amiFamily"];
  return [listed(OS, [os]), ofBuild].map((requirement) => ({ path, requirement }));
}

/** In small letters; empty where the class has none. The family that is named goes before the alias. */
function amiFamilyOf(nodeClass: unknown): string {
  const named = valueAt(nodeClass, ["spec", "amiFamily"]);
  if (typeof named === "string") return named.toLowerCase();
  const terms = valueAt(nodeClass, ["spec", "amiSelectorTerms"]);
  const aliases = Array.isArray(terms) ? terms.map((term: unknown) => valueAt(term, ["alias"])) : [];
  const alias = aliases.find((text): text is string => typeof text === "string") ?? "";
  return alias.replace(/@.*/s, "").toLowerCase();
}

/** A node starts only from an image of its architecture. A cluster says which there are. */
function imageDemands(nodeClass: unknown): ClassDemand[] {
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

/** Those of the subnets that a cluster has found for the class. */
function zoneDemands(nodeClass: unknown): ClassDemand[] {
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
 * Without a selector in its class a pool has no reserved capacity, and its nodes have none of the labels of a
 * reservation (provider: instancetype/types.go, computeRequirements).
 *
 * @param selector the path of the selector in the class as written
 * @param labels of nodes in a reservation
 */
export function withoutReservations(
  nodeClass: unknown,
  selector: FieldPath,
  labels: readonly string[] = RESERVATION_LABELS.aws,
): ClassDemand[] {
  if ((valueAt(nodeClass, selector) ?? undefined) !== undefined) return [];
  const without = labels.map((key) => requirementOf({ key, operator: "DoesNotExist" }));
  return [NOT_RESERVED, ...without].map((requirement) => ({ path: selector, requirement }));
}

const NOT_RESERVED = listed("karpenter.sh/capacity-type", ["on-demand", "spot"]);

/** Whether the class leaves reserved capacity out; only a pool that asks about it is told so. */
export function isOfReservations({ path }: ClassDemand): boolean {
  return path.at(-1) === RESERVATION_TERMS;
}
