/** Reads a catalogue in either form and reports what is wrong with it. */
import type { Words } from "../../krm/findings/finding.ts";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { compactCatalogue, SCHEMA_VERSION } from "../../model/catalogue/compact-catalogue.ts";
import { openCatalogue, type OpenCatalogue } from "../../model/catalogue/open-catalogue.ts";
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import { check } from "../../model/schema/validate.ts";
import { admitsAbsence, type Requirement, requirementOf } from "../requirements/requirement.ts";
import { type Requirements, requirementsOf } from "../requirements/requirements.ts";
import { catalogueOfCompact, misplaced } from "./catalogue-of-compact.ts";
import { catalogueOf, type InstanceType } from "./catalogue-of.ts";
import { type Catalogue, INSTANCE_TYPE, type Offering, pricesOfCatalogue, UNKNOWN } from "./catalogue.ts";
import { regionOf } from "./price-table.ts";

type ReadCatalogue = { readonly catalogue: Catalogue } | { readonly problem: Words };

/** @param name of the file, used as source if the catalogue has none */
export function readCatalogue(text: string, name: string): ReadCatalogue {
  const given = parseJson(text);
  if ("problem" in given) return given;
  const { value } = given;
  if (typeof value !== "object" || value === null) return { problem: NO_CATALOGUE };
  if ("InstanceTypes" in value || "InstanceTypeOfferings" in value) return { problem: AWS_ANSWER };
  if ("schemaVersion" in value && value.schemaVersion !== SCHEMA_VERSION)
    return { problem: otherVersion(value.schemaVersion) };
  if ("names" in value) return readCompact(value);
  return "instanceTypes" in value ? readOpen(value, name) : { problem: NO_CATALOGUE };
}

export function parseJson(text: string): { readonly value: unknown } | { readonly problem: Words } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (text.trim() === "") return { problem: { message: "is empty" } };
    // V8 quotes the invalid text, line breaks included.
    return { problem: { message: `is not JSON: ${(error as Error).message.replaceAll(/\s+/g, " ")}` } };
  }
}

function readCompact(value: object): ReadCatalogue {
  const { value: compact, violations } = check(compactCatalogue(), value);
  if (compact === undefined) return { problem: firstOf(violations) };
  const message = badCount(compact.names.length) ?? misplaced(compact);
  return message === undefined ? { catalogue: catalogueOfCompact(compact) } : { problem: { message } };
}

function readOpen(value: object, name: string): ReadCatalogue {
  const { value: open, violations } = check(openCatalogue(), value);
  if (open === undefined) return { problem: firstOf(violations) };
  const names = open.instanceTypes.map((type) => type.name);
  const message = badCount(names.length);
  if (message !== undefined) return { problem: { message } };
  const seen = new Set<string>();
  const twice = names.find((type) => seen.size === seen.add(type).size);
  if (twice !== undefined) return { problem: { message: `gives the instance type ${twice} twice` } };
  return { catalogue: catalogueOfOpen(open, name) };
}

/** Type indexes have 16 bits. */
function badCount(count: number): string | undefined {
  if (count === 0) return "has no instance types";
  return count < UNKNOWN ? undefined : `has ${count} instance types; the maximum is ${UNKNOWN - 1}`;
}

/** The first problem, with its field. */
export function firstOf([violation]: ReturnType<typeof check>["violations"]): Words {
  if (violation === undefined) return NO_CATALOGUE;
  const { path, message, hint } = violation;
  return { message: `${path.length === 0 ? "the file" : formatFieldPath(path)} ${message}`, hint };
}

const NO_CATALOGUE: Words = {
  message: "is not a catalogue of instance types",
  hint: "see anp catalogue build, and docs/catalogue.md for the forms",
};

const AWS_ANSWER: Words = {
  message: "is a response of `aws ec2`, not a catalogue",
  hint: "convert it with anp catalogue build",
};

function otherVersion(given: unknown): Words {
  const message = `has schemaVersion ${JSON.stringify(given)}, but this anp reads ${SCHEMA_VERSION}`;
  return { message, hint: "build it again with this anp" };
}

type OpenInstanceType = OpenCatalogue["instanceTypes"][number];
type OpenOffering = Partial<NonNullable<OpenInstanceType["offerings"]>[number]>;

function catalogueOfOpen(open: OpenCatalogue, name: string): Catalogue {
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

function offering({ requirements, available = true, price, reservationCapacity }: OpenOffering): Offering {
  return {
    requirements: requirementsOfOpen(requirements),
    available,
    ...(price === undefined ? {} : { price }),
    ...(reservationCapacity === undefined ? {} : { reservationCapacity }),
  };
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
