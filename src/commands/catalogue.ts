/** `anp catalogue`: the instance types that anp knows, all or those that meet conditions. */
import { counted } from "../krm/counted.ts";
import { type Command, Option } from "commander";
import { listInstanceTypes } from "../analyze/list/list-instance-types.ts";
import type { Catalogue } from "../karpenter/catalogue/catalogue.ts";
import { catalogueJson } from "../karpenter/catalogue/catalogue-json.ts";
import { parseWhere } from "../karpenter/catalogue/parse-where.ts";
import { requirementsOf } from "../karpenter/requirements/requirements.ts";
import { typeFilter } from "../karpenter/catalogue/type-filter.ts";
import { countTypes, type TypeMask } from "../karpenter/catalogue/type-mask.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { catalogueTable } from "../report/list/catalogue-table.ts";
import { addCatalogueBuild } from "./catalogue/build.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { choice, collect } from "./cli/option-forms.ts";
import { loadCatalogue } from "./input/load-catalogue.ts";

type Format = "table" | "wide" | "json" | "name";

interface CatalogueOptions {
  readonly where: readonly string[];
  readonly output: Format;
  readonly catalogue?: string;
}

export function addCatalogue(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  // The options of `build` are its own, also where they have the names of those of `catalogue`.
  const command = program
    .enablePositionalOptions()
    .command("catalogue")
    .description("list the instance types that anp knows, or build a catalogue of a region")
    .addOption(
      new Option("--where <condition>", "only types that meet it, repeatable: 'KEY>=N', KEY=VALUE, '!KEY', …")
        .argParser(collect)
        .default([], "all"),
    )
    .addOption(choice("-o, --output <format>", "form of the output", ["table", "wide", "json", "name"], "table"))
    .option("--catalogue <file>", "the catalogue to list (default: the one that anp brings along)")
    .addHelpText("after", EXAMPLES)
    .action((options: CatalogueOptions) => {
      exit(runCatalogue(options, context));
    });
  addCatalogueBuild(command, context, exit);
}

const EXAMPLES = `
Examples:
  anp catalogue --where 'karpenter.k8s.aws/instance-cpu>=4' --where kubernetes.io/arch=arm64
  anp catalogue --where karpenter.k8s.aws/instance-gpu-count -o wide
  anp catalogue build --instance-types types.json --offerings offerings.json -o region.json`;

function runCatalogue({ where, output, catalogue: file }: CatalogueOptions, context: Context): ExitCode {
  const catalogue = loadCatalogue(file, context);
  const conditions = where.map((text) => condition(text, catalogue));
  const types = typeFilter(catalogue).compatible(requirementsOf(conditions));
  // First, so that it stands above the table where both streams meet.
  context.writeError(summary(catalogue, conditions, countTypes(types)));
  context.writeOut(format(catalogue, types, output, context.outWidth));
  return EXIT.done;
}

function condition(text: string, catalogue: Catalogue): NodeSelectorRequirement {
  const where = parseWhere(text, [...catalogue.wellKnown.union(keysOf(catalogue))]);
  if ("problem" in where) throw new UsageError(`--where: ${where.problem}`);
  return where.requirement;
}

function format(catalogue: Catalogue, types: TypeMask, output: Format, width: number): string {
  if (output === "json") return catalogueJson(catalogue, types);
  const rows = listInstanceTypes(catalogue, types);
  if (output === "name") return rows.map(({ name }) => `${name}\n`).join("");
  return catalogueTable(rows, { wide: output === "wide", width });
}

function summary(catalogue: Catalogue, conditions: readonly NodeSelectorRequirement[], count: number): string {
  const { source, date, names } = catalogue;
  const known = keysOf(catalogue);
  const without = new Set(conditions.map(({ key }) => key)).difference(known);
  const notes = [...without].map((key) => `the catalogue knows nothing of ${key}, so it excludes no instance type\n`);
  const total = counted(names.length, "instance type");
  const listed = count === names.length ? total : count === 0 ? `none of ${total}` : `${count} of ${total}`;
  return `${notes.join("")}${listed} (${source}, ${date})\n`;
}

function keysOf({ labels, offerings }: Catalogue): Set<string> {
  const offered = offerings.sets.flat().flatMap(({ requirements }) => [...requirements.keys()]);
  return new Set([...labels.keys(), ...offered]);
}
