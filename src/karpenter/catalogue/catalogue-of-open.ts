/** Reads a catalogue from its open form, which any provider of Karpenter can use. */
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import type { OpenCatalogue } from "../../model/catalogue/open-catalogue.ts";
import { type Catalogue, INSTANCE_TYPE, type Offering } from "./catalogue.ts";
import { catalogueOf, type InstanceType } from "./catalogue-of.ts";
import { pricesOfCatalogue } from "./prices-of-catalogue.ts";
import { regionOf } from "./price-table.ts";
import { admitsAbsence, type Requirement, requirementOf } from "../requirements/requirement.ts";
import { type Requirements, requirementsOf } from "../requirements/requirements.ts";

type OpenInstanceType = OpenCatalogue["instanceTypes"][number];
type OpenOffering = Partial<NonNullable<OpenInstanceType["offerings"]>[number]>;

export function catalogueOfOpen(open: OpenCatalogue, name: string): Catalogue {
  const { source = name, date = "undated", wellKnownLabels, optionalLabels } = open;
  const types = open.instanceTypes.map(instanceType);
  const wellKnown = wellKnownLabels === undefined ? WELL_KNOWN_LABELS : new Set(wellKnownLabels);
  const optional = optionalLabels === undefined ? optionalOf(types, wellKnown) : new Set(optionalLabels);
  const catalogue = catalogueOf({ source, date, wellKnown, optional }, types);
  const onDemand = open.instanceTypes.flatMap((type) =>
    type.price === undefined ? [] : [[type.name, type.price] as const],
  );
  const given = { source, date, prices: open.prices };
  const prices = pricesOfCatalogue(given, catalogue.offerings.sets, regionOf(catalogue), new Map(onDemand));
  return prices === undefined ? catalogue : { ...catalogue, prices };
}

function instanceType({ name, requirements, offerings, allocatable, capacity }: OpenInstanceType): InstanceType {
  const named = requirementOf({ key: INSTANCE_TYPE, operator: "In", values: [name] });
  return {
    name,
    labels: new Map([[INSTANCE_TYPE, named], ...requirementsOfOpen(requirements)]),
    // Without offerings, zones and capacity types are unknown.
    offerings: (offerings ?? [{ available: true }]).map(offering),
    // If only the capacity is given, what a node reserves for itself is unknown.
    allocatable: resources(allocatable ?? capacity ?? {}),
  };
}

function requirementsOfOpen(entries: OpenInstanceType["requirements"]): Requirements {
  return requirementsOf((entries ?? []).map(({ values, ...entry }) => ({ ...entry, values: values ?? [] })));
}

function offering({ requirements, available = true, price }: OpenOffering): Offering {
  return { requirements: requirementsOfOpen(requirements), available, ...(price === undefined ? {} : { price }) };
}

function resources(amounts: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));
}

/**
 * The labels that a node may lack: Karpenter takes a contradiction about them for agreement
 * (docs/upstream/karpenter.md#absent-labels). If a provider names its well-known labels, only its instance types
 * count. For the labels of the AWS provider, the built-in list counts if no instance type mentions them.
 */
function optionalOf(types: readonly InstanceType[], wellKnown: ReadonlySet<string>): ReadonlySet<string> {
  const lacks = (requirement: Requirement | undefined): boolean =>
    requirement === undefined || admitsAbsence(requirement);
  const mayLack =
    (key: string) =>
    ({ labels, offerings }: InstanceType): boolean =>
      labels.has(key)
        ? lacks(labels.get(key))
        : offerings.length === 0 || offerings.some(({ requirements }) => lacks(requirements.get(key)));
  const mentions =
    (key: string) =>
    ({ labels, offerings }: InstanceType): boolean =>
      labels.has(key) || offerings.some(({ requirements }) => requirements.has(key));
  const isOptional = (key: string): boolean =>
    wellKnown === WELL_KNOWN_LABELS && !types.some(mentions(key)) ? OPTIONAL_LABELS.has(key) : types.some(mayLack(key));
  // Karpenter sets this label on every node to the name of its pool; no provider lists it.
  return new Set([...wellKnown].filter((key) => key !== "karpenter.sh/nodepool" && isOptional(key)));
}
