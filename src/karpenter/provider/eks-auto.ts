/** Describes EKS Auto Mode: NodeClasses, its labels, and the instance types that it offers. */
import { EKS_AUTO_GROUP, KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { CORE_LABELS, RESERVATION_LABELS } from "../../model/requirements/labels.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { Catalogue, LabelColumn } from "../catalogue/catalogue.ts";
import { valuesOf } from "../catalogue/type-filter.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { RESERVATION_TERMS, withoutReservations } from "./aws.ts";
import type { Provider } from "./provider.ts";

const COMPUTE_TYPE = `${EKS_AUTO_GROUP}/compute-type`;
const ZONE_ID = "topology.k8s.aws/zone-id";
const OS = "kubernetes.io/os";
const WINDOWS_BUILD = "node.kubernetes.io/windows-build";

/** It has no labels for accelerators and tenancy. */
const LEFT_OUT = /\/instance-(accelerator-|tenancy$)/;

const OF_AWS = `${KARPENTER_AWS_GROUP}/`;

const OF_RESERVATIONS = RESERVATION_LABELS.eksAuto;

/**
 * Other labels of the domain belong to EKS in general, such as the node group, and are set on nodes of any provider.
 */
const PREFIXES = [`${EKS_AUTO_GROUP}/instance-`, `${EKS_AUTO_GROUP}/capacity-reservation-`];

/** See docs/upstream/karpenter.md#eks-auto-mode. */
export const EKS_AUTO: Provider = {
  name: "eks-auto",
  title: "EKS Auto Mode",
  group: EKS_AUTO_GROUP,
  kinds: ["NodeClass"],
  prefixes: PREFIXES,
  labels: {
    wellKnown: new Set([
      ...CORE_LABELS,
      ZONE_ID,
      COMPUTE_TYPE,
      ...ofInstances(AWS_LABELS.wellKnown),
      ...OF_RESERVATIONS,
    ]),
    optional: new Set([ZONE_ID, WINDOWS_BUILD, ...ofInstances(AWS_LABELS.optional), ...OF_RESERVATIONS]),
  },
  typesOf: (catalogue) => offered(catalogue).types,
  classRequirements: (nodeClass) => withoutReservations(nodeClass, ["spec", RESERVATION_TERMS], OF_RESERVATIONS),
};

/** Its labels of instance types, derived from those of AWS. */
function ofInstances(labels: ReadonlySet<string>): string[] {
  return [...labels].filter((key) => key.startsWith(`${OF_AWS}instance-`) && !LEFT_OUT.test(key)).map(ownName);
}

function ownName(key: string): string {
  return key.startsWith(OF_AWS) ? `${EKS_AUTO_GROUP}/${key.slice(OF_AWS.length)}` : key;
}

/** The families that AWS lists as supported. */
const FAMILIES: ReadonlySet<string> = new Set(
  [
    "c8id c8i c8i-flex c8gd c8gn c8g c8a c8gb c7a c7g c7gn c7gd c7i c7i-flex c6a c6g c6i c6gn c6id c6in c6gd c5 c5a",
    "c5d c5ad c5n c4",
    "m8id m8i m8i-flex m8a m8azn m8gn m8gb m8gd m8g m7i m7a m7g m7gd m7i-flex m6a m6i m6in m6g m6idn m6id m6gd m5 m5a",
    "m5ad m5n m5dn m5d m5zn m4",
    "r8id r8i r8i-flex r8gn r8gb r8gd r8g r8a r7a r7iz r7gd r7i r7g r6a r6i r6id r6in r6idn r6g r6gd r5 r5n r5a r5dn",
    "r5b r5ad r5d r4",
    "t4g t3 t3a t2",
    "z1d x8aedz x8g x8i x2gd",
    "i8ge i7i i8g i7ie i4g i4i i3 i3en is4gen d3 d3en im4gn",
    "p6-b200 p6-b300 p5 p5e p5en p4d p4de p3dn g7e g6 gr6 g6e g5g g5 g4dn g4ad inf2 inf1 trn1 trn1n trn2",
    "hpc8a x2iezn x2iedn x2idn",
  ].flatMap((line) => line.split(" ")),
);

const TOO_SMALL: ReadonlySet<string> = new Set(["nano", "micro", "small"]);

/** The types that it offers, with its labels; undefined if the catalogue is of another provider. */
const offered = memoizeByObject((catalogue: Catalogue): { readonly types: Catalogue | undefined } => {
  const { labels } = catalogue;
  if (labels.has(`${EKS_AUTO_GROUP}/instance-family`)) return { types: catalogue };
  if (!labels.has(`${KARPENTER_AWS_GROUP}/instance-family`)) return { types: undefined };
  const columns = [...labels].flatMap(([key, column]): [string, LabelColumn][] => {
    const name = ownName(key);
    return name === key || EKS_AUTO.labels.wellKnown.has(name) ? [[name, column]] : [];
  });
  const all = constant(catalogue, COMPUTE_TYPE, "auto");
  const renamed = {
    ...catalogue,
    ...EKS_AUTO.labels,
    labels: new Map([...columns, all, constant(catalogue, OS, "linux")]),
  };
  return { types: withTypes(renamed, (type) => isOffered(catalogue, type)) };
});

function isOffered(catalogue: Catalogue, type: number): boolean {
  const [family = "", size = ""] = catalogue.names[type]!.split(".");
  const [cpus] = valuesOf(catalogue, type, `${OF_AWS}instance-cpu`);
  return FAMILIES.has(family) && !TOO_SMALL.has(size) && cpus !== "1";
}

function constant({ names }: Catalogue, key: string, value: string): [string, LabelColumn] {
  const sets = [requirementOf({ key, operator: "In", values: [value] })];
  return [key, { sets, of: new Uint16Array(names.length) }];
}

/** @param wanted gets the place of a type */
function withTypes(catalogue: Catalogue, wanted: (type: number) => boolean): Catalogue {
  const places = catalogue.names.flatMap((_name, type) => (wanted(type) ? [type] : []));
  const narrowed = (of: Uint16Array): Uint16Array => Uint16Array.from(places, (type) => of[type]!);
  return {
    ...catalogue,
    names: places.map((type) => catalogue.names[type]!),
    labels: new Map([...catalogue.labels].map(([key, { sets, of }]) => [key, { sets, of: narrowed(of) }])),
    offerings: { ...catalogue.offerings, of: narrowed(catalogue.offerings.of) },
    allocatable: new Map(
      [...catalogue.allocatable].map(([name, amounts]) => [name, places.map((type) => amounts[type])]),
    ),
  };
}
