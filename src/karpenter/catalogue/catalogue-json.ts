/** Writes a catalogue in its open form, as JSON with one line for each instance type. */
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { SCHEMA_VERSION } from "../../model/catalogue/compact-catalogue.ts";
import { type Catalogue, type LabelColumn, UNKNOWN } from "./catalogue.ts";
import { serialize } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";
import { writtenOrigin } from "./write-catalogue.ts";
import { indexesOf, type TypeMask } from "./type-mask.ts";

/** `--catalogue` reads this form again. */
export function catalogueJson(catalogue: Catalogue, types: TypeMask): string {
  const { source, date, names, wellKnown, optional, prices } = catalogue;
  const head = { schemaVersion: SCHEMA_VERSION, source, date, total: names.length };
  const tail = {
    ...(prices === undefined ? {} : { prices: writtenOrigin(prices) }),
    wellKnownLabels: [...wellKnown].toSorted(),
    optionalLabels: [...optional].toSorted(),
  };
  const lines = indexesOf(types).map((type) => `  ${JSON.stringify(instanceType(catalogue, type))}`);
  const fields = [
    ...Object.entries(head).map(field),
    `"instanceTypes": [${lines.length === 0 ? "" : `\n${lines.join(",\n")}\n`}]`,
    ...Object.entries(tail).map(field),
  ];
  return `{\n${fields.join(",\n")}\n}\n`;
}

function field([key, value]: [string, unknown]): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
}

function instanceType({ names, labels, offerings, allocatable, prices }: Catalogue, type: number): object {
  const price = prices?.onDemand.get(names[type]!);
  const amounts = [...allocatable].map(([name, column]) => [name, column[type]] as const);
  return {
    name: names[type],
    ...(price === undefined ? {} : { price }),
    requirements: [...labels.keys()].toSorted().flatMap((key) => ofLabel(labels.get(key)!, type)),
    offerings: offerings.sets[offerings.of[type]!]!.map(({ requirements, ...rest }) => ({
      requirements: entries(requirements),
      ...rest,
    })),
    allocatable: Object.fromEntries(amounts.filter(([, amount]) => amount !== undefined)),
  };
}

function ofLabel({ sets, of }: LabelColumn, type: number): NodeSelectorRequirement[] {
  return of[type] === UNKNOWN ? [] : serialize(sets[of[type]!]!);
}

function entries(requirements: Requirements): NodeSelectorRequirement[] {
  return [...requirements.values()].flatMap(serialize);
}
