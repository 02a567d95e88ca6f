/** `anp version`: the versions of anp and Node, and the dates of its instance types and prices. */
import type { Command } from "commander";
import { parseShippedCatalogue } from "../karpenter/catalogue/catalogue-of-compact.ts";
import { version } from "../version.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode } from "./cli/exit-codes.ts";
import { choice } from "./cli/options.ts";
import { priceTable } from "./input/load-catalogue.ts";

export function addVersion(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  program
    .command("version")
    .description("show the versions of anp and node, and the dates of its instance types and prices")
    .addOption(choice("-o, --output <format>", "form of the output", ["text", "json"], "text"))
    .addHelpText("after", EXAMPLES)
    .action(({ output }: { output: "text" | "json" }) => {
      context.writeOut(output === "json" ? `${JSON.stringify(versions(context), undefined, 2)}\n` : text(context));
      exit(EXIT.done);
    });
}

const EXAMPLES = `
Examples:
  anp version
  anp version -o json | jq -r .catalogue.date`;

/** The facts that a bug report needs. */
function versions(context: Context) {
  const { names, source, date } = parseShippedCatalogue(context.files.readShipped("catalogue.json"));
  const prices = priceTable(context)();
  return {
    anp: version,
    node: context.machine.nodeVersion(),
    platform: context.machine.platform(),
    catalogue: { instanceTypes: names.length, date, source },
    prices: { regions: Object.keys(prices.regions).length, date: prices.date, source: prices.source },
  };
}

function text(context: Context): string {
  const { anp, node, platform, catalogue, prices } = versions(context);
  return [
    `anp        ${anp}`,
    `node       ${node} (${platform})`,
    `catalogue  ${catalogue.date}, ${catalogue.instanceTypes} instance types: ${catalogue.source}`,
    `prices     ${prices.date}, ${prices.regions} regions: ${prices.source}`,
    "",
  ].join("\n");
}
