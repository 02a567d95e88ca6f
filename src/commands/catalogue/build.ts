/** `anp catalogue build`: the catalogue of a region from saved answers of `aws ec2 describe-…`. */
import { type Command, InvalidArgumentError } from "commander";
import { firstOf, parseJson } from "../../karpenter/catalogue/read-catalogue.ts";
import { regionalCatalogue } from "../../karpenter/catalogue/regional-catalogue.ts";
import { writeCatalogue } from "../../karpenter/catalogue/write-catalogue.ts";
import { instanceTypesAnswer, offeringsAnswer, zonesAnswer } from "../../model/ec2/answers.ts";
import { check } from "../../model/validate.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";
import { loadCatalogue } from "../input/load-catalogue.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";

interface BuildOptions {
  readonly instanceTypes: readonly string[];
  readonly offerings: readonly string[];
  readonly zones: readonly string[];
  readonly date?: string;
  readonly output?: string;
  readonly catalogue?: string;
}

export function addCatalogueBuild(parent: Command, context: Context, exit: (code: ExitCode) => void): void {
  parent
    .command("build")
    .description("build the catalogue of a region from saved answers of aws ec2")
    .requiredOption("--instance-types <file...>", "answers of aws ec2 describe-instance-types")
    .requiredOption(
      "--offerings <file...>",
      "answers of aws ec2 describe-instance-type-offerings --location-type availability-zone",
    )
    .option("--zones <file...>", "answers of aws ec2 describe-availability-zones: adds the ids of zones", [])
    .option("--date <date>", "when the answers were saved (default: when their files were written)", parseDate)
    .option("-o, --output <file>", "write the catalogue there (default: standard output)")
    .option("--catalogue <file>", "what EC2 does not say is taken from it (default: the one that anp brings along)")
    .addHelpText("after", EXAMPLE)
    .action((options: BuildOptions) => {
      exit(runBuild(options, context));
    });
}

const EXAMPLE = `
Save the answers first:
  aws ec2 describe-instance-types > types.json
  aws ec2 describe-instance-type-offerings --location-type availability-zone > offerings.json
  aws ec2 describe-availability-zones --all-availability-zones > zones.json`;

function parseDate(text: string): string {
  if (/^\d{4}-\d{2}(-\d{2})?$/.test(text)) return text;
  throw new InvalidArgumentError("Write it as 2026-11-20.");
}

function runBuild(options: BuildOptions, context: Context): ExitCode {
  const { instanceTypes, offerings, zones, output } = options;
  const types = instanceTypes.map((file) => read(file, instanceTypesAnswer(), context));
  const offers = offerings.map((file) => read(file, offeringsAnswer(), context));
  checkPages(types, instanceTypes);
  checkPages(offers, offerings);
  const described = types.flatMap(({ InstanceTypes }) => InstanceTypes);
  checkTwice(described.map(({ InstanceType }) => InstanceType));
  const answers = {
    instanceTypes: described,
    offerings: offers.flatMap(({ InstanceTypeOfferings }) => InstanceTypeOfferings),
    zones: zones.flatMap((file) => read(file, zonesAnswer(), context).AvailabilityZones),
    date: options.date ?? instanceTypes.map(context.files.written).toSorted().at(-1)!,
  };
  const built = regionalCatalogue(answers, loadCatalogue(options.catalogue, context));
  if ("problem" in built) throw new UnreadableError(offerings.join(", "), built.problem.message, built.problem.hint);
  const { catalogue, region, zones: found, notes } = built;
  const text = writeCatalogue(catalogue);
  if (output !== undefined) write(output, text, context);
  const count = `${catalogue.names.length} instance types in ${found.length} zones (${found.join(", ")})`;
  context.writeError([...notes, `${region}: ${count}, ${catalogue.date}`, ""].join("\n"));
  if (output === undefined) context.writeOut(text);
  return EXIT.done;
}

function read<S extends Parameters<typeof check>[0]>(file: string, schema: S, context: Context) {
  const json = parseJson(readText(file, context));
  if ("problem" in json) throw new UnreadableError(file, json.problem.message);
  const { value, violations } = check(schema, json.value);
  if (value !== undefined) return value;
  const { message, hint } = firstOf(violations);
  throw new UnreadableError(file, `is not the answer it should be: ${message}`, hint);
}

/** The last page names no other; without it part of the region would quietly be missing. */
function checkPages(
  pages: readonly { readonly NextToken?: string | null | undefined }[],
  files: readonly string[],
): void {
  if (pages.some(({ NextToken }) => !NextToken)) return;
  const message = "is one of several pages, and the last one is missing";
  throw new UnreadableError(files.join(", "), message, "leave out --max-items and --no-paginate, or give all pages");
}

function checkTwice(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new UsageError(`${name} is described twice: give each answer once, and of one region`);
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
