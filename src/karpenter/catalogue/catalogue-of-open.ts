/** A catalogue read from its open form, as other providers of Karpenter have it. */
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/labels.ts";
import type { OpenCatalogue } from "../../model/open-catalogue.ts";
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
    // Without a word about offerings nothing is known of zones and capacity types.
    offerings: (offerings ?? [{ available: true }]).map(offering),
    // Where only the capacity is given, nothing is known of what a node keeps for itself.
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
 * (docs/upstream/karpenter.md#absent-labels). A provider that names its well-known labels has said all there is; of the
 * AWS provider's labels the habits are known.
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
  // Every pool gives its nodes its own name, which no provider says.
  return new Set([...wellKnown].filter((key) => key !== "karpenter.sh/nodepool" && isOptional(key)));
}
