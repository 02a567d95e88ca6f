/** `anp catalogue build`: the catalogue of a region from saved output of the AWS CLI. */
import { type Command, InvalidArgumentError } from "commander";
import { firstOf, parseJson } from "../../karpenter/catalogue/read-catalogue.ts";
import { regionalCatalogue } from "../../karpenter/catalogue/regional-catalogue.ts";
import { writeCatalogue } from "../../karpenter/catalogue/write-catalogue.ts";
import { instanceTypesAnswer, offeringsAnswer, zonesAnswer } from "../../model/ec2/answers.ts";
import { type Product, product, productsAnswer, spotPricesAnswer } from "../../model/ec2/price-answers.ts";
import { check } from "../../model/schema/validate.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UnreadableError, UsageError } from "../cli/exit-codes.ts";
import { readText } from "../cli/read-text.ts";
import { loadCatalogue } from "../input/load-catalogue.ts";

interface BuildOptions {
  readonly instanceTypes: readonly string[];
  readonly offerings: readonly string[];
  readonly zones: readonly string[];
  readonly prices: readonly string[];
  readonly spotPrices: readonly string[];
  readonly date?: string;
  readonly output?: string;
  readonly catalogue?: string;
}

export function addCatalogueBuild(parent: Command, context: Context, exit: (code: ExitCode) => void): void {
  parent
    .command("build")
    .description("build the catalogue of a region from saved answers of aws ec2")
    .requiredOption("--instance-types <file...>", "output of aws ec2 describe-instance-types")
    .requiredOption(
      "--offerings <file...>",
      "output of aws ec2 describe-instance-type-offerings --location-type availability-zone",
    )
    .option("--zones <file...>", "output of aws ec2 describe-availability-zones: adds zone IDs", [])
    .option("--prices <file...>", "output of aws pricing get-products: adds on-demand prices", [])
    .option("--spot-prices <file...>", "output of aws ec2 describe-spot-price-history: adds Spot prices", [])
    .option("--date <date>", "when the output was saved (default: when the files were written)", parseDate)
    .option("-o, --output <file>", "the file to write (default: standard output)")
    .option("--catalogue <file>", "the catalogue that supplies what EC2 does not report (default: the built-in one)")
    .addHelpText("after", EXAMPLE)
    .action((options: BuildOptions) => {
      exit(runBuild(options, context));
    });
}

const EXAMPLE = `
Save the answers first:
  aws ec2 describe-instance-types > types.json
  aws ec2 describe-instance-type-offerings --location-type availability-zone > offerings.json
  aws ec2 describe-availability-zones --all-availability-zones > zones.json
and for prices:
  aws pricing get-products --region us-east-1 --service-code AmazonEC2 --filters \\
    Type=TERM_MATCH,Field=regionCode,Value=$AWS_REGION Type=TERM_MATCH,Field=operatingSystem,Value=Linux \\
    Type=TERM_MATCH,Field=preInstalledSw,Value=NA Type=TERM_MATCH,Field=capacitystatus,Value=Used \\
    Type=TERM_MATCH,Field=marketoption,Value=OnDemand > prices.json
  aws ec2 describe-spot-price-history --product-descriptions Linux/UNIX --start-time "$(date -u +%FT%TZ)" > spot.json`;

function parseDate(text: string): string {
  if (/^\d{4}-\d{2}(-\d{2})?$/.test(text)) return text;
  throw new InvalidArgumentError("Write it as 2026-11-20.");
}

function runBuild(options: BuildOptions, context: Context): ExitCode {
  const { instanceTypes, offerings, zones, prices, spotPrices, output } = options;
  const days = (files: readonly string[]): string[] => files.map(context.files.written).toSorted();
  const types = readPages(instanceTypes, instanceTypesAnswer(), context);
  const offers = readPages(offerings, offeringsAnswer(), context);
  const described = types.flatMap(({ InstanceTypes }) => InstanceTypes);
  checkTwice(described.map(({ InstanceType }) => InstanceType));
  const answers = {
    instanceTypes: described,
    offerings: offers.flatMap(({ InstanceTypeOfferings }) => InstanceTypeOfferings),
    zones: zones.flatMap((file) => readAnswer(file, zonesAnswer(), context).AvailabilityZones),
    date: options.date ?? days(instanceTypes).at(-1)!,
    products: readProducts(prices, context),
    spotPrices: readPages(spotPrices, spotPricesAnswer(), context).flatMap((page) => page.SpotPriceHistory),
    // The date of the oldest file, because all prices are at least as new.
    pricesDate: options.date ?? days([...prices, ...spotPrices])[0],
  };
  const built = regionalCatalogue(answers, loadCatalogue(options.catalogue, context));
  if ("problem" in built) {
    const files = built.inPrices === true ? prices : offerings;
    throw new UnreadableError(files.join(", "), built.problem.message, built.problem.hint);
  }
  const { catalogue, region, zones: found, notes } = built;
  const text = writeCatalogue(catalogue);
  if (output !== undefined) write(output, text, context);
  const count = `${catalogue.names.length} instance types in ${found.length} zones (${found.join(", ")})`;
  context.writeError([...notes, `${region}: ${count}, ${catalogue.date}`, ""].join("\n"));
  if (output === undefined) context.writeOut(text);
  return EXIT.done;
}

function checkTwice(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new UsageError(`${name} is described twice: give each file once, and files of one region only`);
    seen.add(name);
  }
}

function write(file: string, text: string, context: Context): void {
  try {
    context.writeFile(file, text);
  } catch (error) {
    throw new UsageError(
      `the catalogue cannot be written to ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    );
  }
}

type Schema = Parameters<typeof check>[0];

/** @throws UnreadableError if the file holds anything else */
function readAnswer<S extends Schema>(file: string, schema: S, context: Context) {
  return parseAnswer(file, readText(file, context), schema);
}

/** All pages. Only the last page has no token; without it, part of the region would silently be missing. */
function readPages<S extends Schema>(files: readonly string[], schema: S, context: Context) {
  const pages = files.map((file) => readAnswer(file, schema, context));
  if (files.length === 0 || pages.some((page) => !(page as { readonly NextToken?: unknown }).NextToken)) return pages;
  const message = "is one of several pages, and the last one is missing";
  throw new UnreadableError(files.join(", "), message, "leave out --max-items and --no-paginate, or give all pages");
}

function readProducts(files: readonly string[], context: Context): Product[] {
  const texts = readPages(files, productsAnswer(), context).flatMap(({ PriceList }) => PriceList);
  return texts.map((text) => parseAnswer(files.join(", "), text, product()));
}

function parseAnswer<S extends Schema>(file: string, text: string, schema: S) {
  const json = parseJson(text);
  if ("problem" in json) throw new UnreadableError(file, json.problem.message);
  const { value, violations } = check(schema, json.value);
  if (value !== undefined) return value;
  const { message, hint } = firstOf(violations);
  throw new UnreadableError(file, `is not the expected output of the AWS CLI: ${message}`, hint);
}
