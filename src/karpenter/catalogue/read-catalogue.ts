/** Reads a catalogue in either form and reports what is wrong with it. */
import { formatFieldPath } from "../../krm/places/field-path.ts";
import type { Words } from "../../krm/findings/finding.ts";
import { compactCatalogue, SCHEMA_VERSION } from "../../model/catalogue/compact-catalogue.ts";
import { openCatalogue } from "../../model/catalogue/open-catalogue.ts";
import { check } from "../../model/schema/validate.ts";
import { type Catalogue, UNKNOWN } from "./catalogue.ts";
import { catalogueOfCompact, misplaced } from "./catalogue-of-compact.ts";
import { catalogueOfOpen } from "./catalogue-of-open.ts";

export type ReadCatalogue = { readonly catalogue: Catalogue } | { readonly problem: Words };

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
