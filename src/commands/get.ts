/** `anp get`: Karpenter's objects of files, a dump or a cluster as `kubectl get` shows them. */
import { type Command, InvalidArgumentError } from "commander";
import { GUARDED_COLUMNS, guardedCells, isGuarded, printerCells } from "../analyze/list/printer-cells.ts";
import { withoutUserData } from "../analyze/list/without-user-data.ts";
import { type Finding, findingOnInput, type Outcome } from "../krm/findings/finding.ts";
import { groupOf, type Resource } from "../krm/places/resource.ts";
import { withoutValues } from "../krm/values/placeholders.ts";
import { formatObjects } from "../krm/yaml/write.ts";
import type { CustomResource } from "../model/crds/crd.ts";
import { byBytes } from "../model/values/by-bytes.ts";
import { parseRfc3339 } from "../model/values/rfc3339.ts";
import { kubectlTable } from "../report/list/kubectl-table.ts";
import type { ColorMode, Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOfAnswer, type FailOn } from "./cli/exit-codes.ts";
import { choice, collect, colorOption, failOnOption, INPUT, inputPaths } from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { kindsMeant } from "./get/kinds.ts";
import { addBuildOptions, type BuildOptions, buildsOf } from "./input/builds.ts";
import { addFillOptions, type FillOptions } from "./input/fill-placeholders.ts";
import {
  addLiveOptions,
  checkLiveOptions,
  type LiveInputOptions,
  readLiveInput,
  refusePaths,
} from "./input/live-input.ts";
import { loadFiles } from "./input/load.ts";
import { namesAmong } from "./input/names-among.ts";

interface GetOptions extends LiveInputOptions, FillOptions, BuildOptions {
  readonly output?: "wide" | "json" | "yaml";
  readonly name: readonly string[];
  readonly now?: number;
  readonly includeUserData?: boolean;
  readonly failOn: FailOn;
  readonly color: ColorMode;
}

export function addGet(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("get")
    .description("show NodePools, NodeClaims and EC2NodeClasses of files, a dump or a cluster as kubectl get does")
    .argument("<types>", "nodepools, nodeclaims, ec2nodeclasses, or several: nodepools,nodeclaims")
    .argument("[path...]", INPUT)
    .addOption(choice("-o, --output <format>", "more columns, or the objects", ["wide", "json", "yaml"]))
    .option("--name <name>", "only the object of this name; repeatable", collect, [])
    .option("--now <time>", "the time that ages are computed for, such as 2026-01-05T09:00:00Z", time)
    .option(
      "--include-user-data",
      "write the user data of EC2NodeClasses, which may hold a token, with -o json or yaml",
    )
    .addOption(failOnOption("never"))
    .addOption(colorOption())
    .addHelpText("after", EXAMPLES);
  addLiveOptions(addBuildOptions(addFillOptions(command)), "the objects of a cluster instead of files").action(
    async (types: string, paths: string[], options: GetOptions) => {
      exit(await runGet(types, paths, options, context));
    },
  );
}

const EXAMPLES = `
Examples:
  anp get nodepools manifests
  kubectl get nodepools,nodeclaims -o json | anp get nodeclaims -o wide -
  anp get ec2nc dump.json --name default -o yaml
  anp get karpenter --live --context guest`;

function time(text: string): number {
  const now = parseRfc3339(text);
  if (now === undefined) throw new InvalidArgumentError("Write a time such as 2026-01-05T09:00:00Z.");
  return now;
}

/** Objects of one kind, by name. */
interface Listed {
  readonly kind: CustomResource;
  readonly objects: readonly Resource[];
}

async function runGet(given: string, typed: readonly string[], flags: GetOptions, context: Context): Promise<ExitCode> {
  // kubectl accepts nodepool/web.
  const [types = "", ofType] = given.split("/", 2);
  const kinds = kindsMeant(types);
  const { paths, names } = namesAmong(
    typed,
    { noun: kinds.map(({ kind }) => kind).join(" or "), live: flags.live },
    context,
  );
  const options = { ...flags, name: [...flags.name, ...(ofType === undefined ? [] : [ofType]), ...names] };
  const loaded = await load(kinds, paths, options, context);
  if (typeof loaded === "number") return loaded;
  const { value: resources, findings } = loaded;
  const listed = kinds.map((kind): Listed => ({ kind, objects: objectsOf(kind, resources, options.name) }));
  const { text, findings: onOutput } = print(listed, options, context);
  const all = [...findings, ...onOutput];
  // Skipped files of a directory are not part of the answer.
  const reported = options.failOn === "info" ? all : all.filter(({ code }) => code !== "file-skipped");
  reportFindings(reported, { ...options, report: [] }, context);
  const code = exitCodeOfAnswer(all, options.failOn);
  if (code === EXIT.unreadable) return code;
  const absent = absentNames(listed, options.name);
  for (const line of absent) context.writeError(`${line}\n`);
  // An empty List needs no note.
  if (absent.length === 0 && text === "") context.writeError("No resources found\n");
  context.writeOut(text);
  return absent.length > 0 ? EXIT.no : code;
}

async function load(
  kinds: readonly CustomResource[],
  paths: readonly string[],
  options: GetOptions,
  context: Context,
): Promise<Outcome<readonly Resource[]> | ExitCode> {
  checkLiveOptions(options);
  if (options.live !== true) {
    const asked = inputPaths(paths, paths.length === 0 && context.stdinIsTerminal);
    const { set, envFile } = options;
    const given = { set, envFile, lenient: true, builds: buildsOf(options, false, context) };
    const { value, findings } = loadFiles(asked, given, context);
    return { value: value.resources.map(asWritten), findings };
  }
  refusePaths(paths);
  // A cluster with an old Karpenter may serve only v1beta1.
  const versions = ["v1", "v1beta1"];
  const live = await readLiveInput(
    kinds.map(({ group, kind, plural }) => ({ group, kind, plural, versions })),
    options,
    context,
  );
  return typeof live === "number" ? live : { value: live, findings: [] };
}

/** With what a placeholder decides, and with placeholders in place of the values of options. */
function asWritten(resource: Resource): Resource {
  const { written = resource.value, value, filled } = resource;
  if (written === value && filled === undefined) return resource;
  return { ...resource, value: withoutValues(written, filled, isName) };
}

/** Names are what users ask for. */
function isName(key: string): boolean {
  return ["name", "namespace", "nodeClassRef"].includes(key);
}

/** Includes v1beta1, which has the same columns at the same paths. */
function objectsOf({ group, kind }: CustomResource, resources: readonly Resource[], names: readonly string[]) {
  const asked = (name: string): boolean => names.length === 0 || names.includes(name);
  return resources
    .filter((resource) => resource.kind === kind && groupOf(resource.apiVersion) === group && asked(resource.name))
    .toSorted((a, b) => byBytes(a.name, b.name));
}

/** Uses kubectl's message for an absent name. */
function absentNames(listed: readonly Listed[], names: readonly string[]): string[] {
  return listed.flatMap(({ kind, objects }) =>
    names
      .filter((name) => !objects.some((object) => object.name === name))
      .map((name) => `anp: ${kind.plural}.${kind.group} ${JSON.stringify(name)} not found`),
  );
}

function print(
  listed: readonly Listed[],
  { output, now, includeUserData = false }: GetOptions,
  context: Context,
): { readonly text: string; readonly findings: readonly Finding[] } {
  if (output === "json" || output === "yaml") {
    const objects = listed.flatMap(({ objects }) => objects.map(({ value }) => value));
    const written = includeUserData ? { objects, leftOut: [] } : withoutUserData(objects);
    return { text: formatObjects(written.objects, output), findings: userDataFindings(written.leftOut) };
  }
  const shown = listed.filter(({ objects }) => objects.length > 0);
  const tables = shown.map(({ kind, objects }) => {
    const columns = kind.columns.filter(({ priority = 0 }) => output === "wide" || priority === 0);
    // With several kinds in one answer, the kind is part of the name.
    const prefix = shown.length > 1 ? `${kind.singular}.${kind.group}/` : "";
    // kubectl has no such columns, so they come last, and only if a guard has changed a pool.
    const isGuardedList =
      output === "wide" && kind.kind === "NodePool" && objects.some(({ value }) => isGuarded(value));
    const rows = objects.map(({ name, value }) => [
      `${prefix}${name}`,
      ...printerCells(value, columns, now ?? context.machine.now()),
      ...(isGuardedList ? guardedCells(value) : []),
    ]);
    return kubectlTable(["Name", ...columns.map(({ name }) => name), ...(isGuardedList ? GUARDED_COLUMNS : [])], rows);
  });
  return { text: tables.join("\n"), findings: [] };
}

function userDataFindings(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const message = `the user data is left out of ${names.length === 1 ? "the EC2NodeClass" : "the EC2NodeClasses"} ${names.join(", ")}, because it may hold a token`;
  return [findingOnInput("user-data-left-out", { message, hint: "--include-user-data writes it" })];
}
