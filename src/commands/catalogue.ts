/** `anp catalogue`: the instance types that anp knows, all or those that meet conditions. */
import { type Command, Option } from "commander";
import { listInstanceTypes } from "../analyze/list/list-instance-types.ts";
import { catalogueJson } from "../karpenter/catalogue/catalogue-json.ts";
import type { Catalogue, CataloguePrices } from "../karpenter/catalogue/catalogue.ts";
import { typesOfProfile } from "../karpenter/node-class/node-resources.ts";
import { parseWhere } from "../karpenter/catalogue/parse-where.ts";
import { typeFilter } from "../karpenter/catalogue/type-filter.ts";
import { both, countTypes, indexesOf, maskOf, type TypeMask } from "../karpenter/catalogue/type-mask.ts";
import { type TypePrices, typePrices } from "../karpenter/catalogue/type-prices.ts";
import { requirementsOf } from "../karpenter/requirements/requirements.ts";
import { counted } from "../krm/values/counted.ts";
import { type Profile, PROFILES } from "../model/crds/profile.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { placeOfPrices } from "../model/values/money.ts";
import { catalogueTable } from "../report/list/catalogue-table.ts";
import { addCatalogueBuild } from "./catalogue/build.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { choice, collect } from "./cli/options.ts";
import { addRegionOption, loadCatalogue, pricesFor, type RegionOption } from "./input/load-catalogue.ts";

type Format = "table" | "wide" | "json" | "name";

interface CatalogueOptions extends RegionOption {
  readonly where: readonly string[];
  readonly output: Format;
  readonly catalogue?: string;
  readonly profile?: Profile;
}

export function addCatalogue(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  // `build` parses its own options, even if `catalogue` has options of the same names.
  const command = addRegionOption(
    program
      .enablePositionalOptions()
      .command("catalogue")
      .description("list the instance types that anp knows, or build a catalogue of a region")
      .addOption(
        new Option("--where <condition>", "only types that meet it, repeatable: 'KEY>=N', KEY=VALUE, '!KEY', …")
          .argParser(collect)
          .default([], "all"),
      )
      .addOption(choice("-o, --output <format>", "form of the output", ["table", "wide", "json", "name"], "table"))
      .option("--catalogue <file>", "the catalogue to list (default: the built-in one)")
      .addOption(choice("--profile <name>", "the resources for pods as this Karpenter plans them", PROFILES)),
  )
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
  anp catalogue --where 'price<=0.5' --region us-gov-west-1
  anp catalogue build --instance-types types.json --offerings offerings.json -o region.json`;

function runCatalogue(options: CatalogueOptions, context: Context): ExitCode {
  const { where, output, catalogue: file, profile } = options;
  const listed = loadCatalogue(file, context);
  const catalogue = profile === undefined ? listed : typesOfProfile(listed, profile);
  const priced = withPrices(catalogue, pricesFor(() => catalogue, options, context)());
  const conditions = where.map((text) => condition(text, catalogue));
  const labels = conditions.flatMap((one) => ("requirement" in one ? [one.requirement] : []));
  const prices = conditions.flatMap((one) => ("price" in one ? [one.price] : []));
  const types = both(
    typeFilter(catalogue).compatible(requirementsOf(labels)),
    maskOf(catalogue.names.length, (type) => prices.every((meets) => meets(catalogue.names[type]!, priced))),
  );
  // Written first, so that it is above the table when a terminal shows both streams.
  context.writeError(summary(catalogue, labels, types));
  if (prices.length > 0 || output === "table" || output === "wide")
    context.writeError(priceNote(priced, types, prices.length > 0));
  context.writeOut(format(priced, types, output, context.outWidth));
  return EXIT.done;
}

interface PricedCatalogue extends TypePrices {
  readonly catalogue: Catalogue;
}

function withPrices(catalogue: Catalogue, prices: CataloguePrices | undefined): PricedCatalogue {
  return {
    catalogue: prices === undefined ? catalogue : { ...catalogue, prices },
    ...typePrices(catalogue, prices),
  };
}

function condition(text: string, catalogue: Catalogue) {
  const where = parseWhere(text, [...catalogue.wellKnown.union(keysOf(catalogue))]);
  if ("problem" in where) throw new UsageError(`--where: ${where.problem}`);
  return where;
}

/** What the column of prices shows; empty if the table has no prices and no option asked for them. */
function priceNote({ catalogue, onDemand, spot }: PricedCatalogue, types: TypeMask, isAsked: boolean): string {
  const { prices, names } = catalogue;
  if (prices === undefined || onDemand.size + spot.size === 0)
    return isAsked ? "no price of these types is known\n" : "";
  const unpriced = indexesOf(types).filter((type) => !onDemand.has(names[type]!)).length;
  const missing = unpriced === 0 ? "" : `; ${counted(unpriced, "type")} without a price`;
  return `prices: on demand, per hour, ${placeOfPrices(prices)} (${prices.source})${missing}\n`;
}

function format({ catalogue, ...prices }: PricedCatalogue, types: TypeMask, output: Format, width: number): string {
  if (output === "json") return catalogueJson(withOwnPrices(catalogue), types);
  const rows = listInstanceTypes(catalogue, types, { ...prices, unit: catalogue.prices ?? { currency: "USD" } });
  if (output === "name") return rows.map(({ name }) => `${name}\n`).join("");
  return catalogueTable(rows, { wide: output === "wide", width });
}

/** A catalogue states no price of another region. */
function withOwnPrices({ prices, ...catalogue }: Catalogue): Catalogue {
  return prices === undefined || prices.insteadOf !== undefined ? catalogue : { ...catalogue, prices };
}

function summary(catalogue: Catalogue, conditions: readonly NodeSelectorRequirement[], types: TypeMask): string {
  const count = countTypes(types);
  const { source, date, names } = catalogue;
  const known = keysOf(catalogue);
  const without = new Set(conditions.map(({ key }) => key)).difference(known);
  const notes = [...without].map(
    (key) => `the catalogue has no values of ${key}, so the condition excludes no instance type\n`,
  );
  const total = counted(names.length, "instance type");
  const listed = count === names.length ? total : count === 0 ? `none of ${total}` : `${count} of ${total}`;
  return `${notes.join("")}${listed} (${source}, ${date})\n`;
}

function keysOf({ labels, offerings }: Catalogue): Set<string> {
  const offered = offerings.sets.flat().flatMap(({ requirements }) => [...requirements.keys()]);
  return new Set([...labels.keys(), ...offered]);
}
