/** `anp crds`: the CRDs of policy, wrappers and Karpenter's own kinds, or their JSON Schemas. */
import type { Command } from "commander";
import { type DirectoryPlan, planDirectory, writeDirectories } from "../krm/write/write-directory.ts";
import { formatObjects } from "../krm/yaml/write.ts";
import { type CustomResource, customResourceDefinition } from "../model/crds/crd.ts";
import { isWrittenJsonSchema, jsonSchemaFile, jsonSchemaOf, jsonSchemaText } from "../model/crds/json-schema.ts";
import { DEFAULT_PROFILE, type Profile, PROFILES } from "../model/crds/profile.ts";
import { karpenterResources } from "../model/ec2/node-class-resource.ts";
import { policyResources, wrapperResources } from "../model/objects/own-kinds.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { choice } from "./cli/options.ts";
import { writeAndReport, type Written } from "./cli/report.ts";

interface CrdsOptions {
  readonly output: "yaml" | "json";
  readonly profile: Profile;
  readonly karpenter?: boolean;
  readonly jsonSchemas?: string;
  readonly force?: boolean;
}

/** All CRDs and schemas are generated from the models. */
export function addCrds(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  program
    .command("crds")
    .description("print the CRDs of AutoNodePolicy, OpenshiftNodePool and OpenshiftEC2NodeClass")
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json"], "yaml"))
    .addOption(
      choice("--profile <name>", "the Karpenter profile that defines the fields of pools", PROFILES, DEFAULT_PROFILE),
    )
    .option("--karpenter", "add Karpenter's NodePool, NodeClaim and EC2NodeClass v1")
    .option("--json-schemas <dir>", "write JSON Schemas for editors and kubeconform, and print nothing")
    .option("--force", "with --json-schemas: write even if other files are there")
    .action((options: CrdsOptions) => {
      exit(runCrds(options, context));
    });
}

function runCrds(options: CrdsOptions, context: Context): ExitCode {
  const { output, profile, karpenter = false, jsonSchemas, force = false } = options;
  const ours = [...policyResources(), ...wrapperResources(profile)];
  const resources = [...ours, ...(karpenter ? karpenterResources(profile) : [])];
  if (jsonSchemas !== undefined) {
    if (output !== "yaml") throw new UsageError("--json-schemas writes files of its own: leave -o out");
    const folders = [...ours, ...karpenterResources(profile)].map(({ group }) => group);
    const write = () => writeSchemas(jsonSchemas, new Set(folders), resources, force);
    return writeAndReport([], write, { report: [], color: "auto", failOn: "error" }, context);
  }
  if (force) throw new UsageError("--force goes with --json-schemas");
  context.writeOut(formatObjects(resources.map(customResourceDefinition), output));
  return EXIT.done;
}

/** @param folders of all kinds: from the folder of a kind that is not asked for, only files of anp are removed */
function writeSchemas(
  directory: string,
  folders: ReadonlySet<string>,
  resources: readonly CustomResource[],
  force: boolean,
): Written {
  const planned = [...folders].map((folder) => {
    const files = new Map(
      resources
        .filter(({ group }) => group === folder)
        .map((one) => [jsonSchemaFile(one), jsonSchemaText(jsonSchemaOf(one))]),
    );
    return planDirectory({
      directory: `${directory}/${folder}`,
      root: directory,
      files,
      isOurs: isWrittenJsonSchema,
      force: force || files.size === 0,
      prune: true,
      ending: ".json",
    });
  });
  const findings = planned.flatMap((one) => one.findings);
  const plans = planned.map(({ plan }) => plan);
  const all = [...findings, ...(findings.length > 0 ? [] : writeDirectories(plans))];
  const count = (of: (plan: DirectoryPlan) => number): number => plans.reduce((sum, one) => sum + of(one), 0);
  const [written, unchanged] = [count(({ write }) => write.size), count((one) => one.unchanged.length)];
  const removed = count(({ remove }) => remove.length);
  const summary = `${directory}: ${written} written, ${unchanged} unchanged, ${removed} removed\n`;
  return { findings: all, summary: all.length > 0 ? "" : summary };
}
