/** `anp migrate`: manifests from v1beta1 to v1 and back, printed, in place or as a diff. */
import type { Command } from "commander";
import { karpenterType, type KarpenterVersion } from "../karpenter/conversion/karpenter-type.ts";
import { rewriteSources } from "../krm/edit/rewrite-sources.ts";
import { type Finding, findingAt, findingInFile, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { withoutUserDataText } from "../krm/parse/secret-text.ts";
import { describeResource, groupOf, type Resource } from "../krm/places/resource.ts";
import type { Source } from "../krm/places/source.ts";
import { linkTo } from "../krm/read/link-boundary.ts";
import { counted } from "../krm/values/counted.ts";
import { migrate } from "../migrate/migrate.ts";
import { editOf, type Migration } from "../migrate/migration.ts";
import type { Profile } from "../model/crds/profile.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { gatherBundles } from "../model/inputs/gather.ts";
import { roleOf } from "../model/objects/role.ts";
import { applyRulesOf } from "../render/render-all.ts";
import { textDiff } from "../report/diff/text-diff.ts";
import { printableLines } from "../report/terminal/printable.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { addInputOptions, choice, INPUT, type InputOptions } from "./cli/options.ts";
import { writeAndReport } from "./cli/report.ts";
import { loadResources } from "./input/load.ts";

interface MigrateCommandOptions extends InputOptions {
  readonly to: KarpenterVersion;
  readonly compat?: boolean;
  readonly write?: boolean;
  readonly dryRun?: boolean;
}

/**
 * The strictest of Karpenter's versions: the cluster that converts objects runs 1.0, and 1.15 only loosens its CRDs
 * (docs/upstream/karpenter.md#versions).
 */
const MIGRATION_PROFILE: Profile = "karpenter-1.14";

export function addMigrate(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("migrate")
    .description("turn NodePools, NodeClaims and EC2NodeClasses of Karpenter v1beta1 into v1, or back")
    .argument("[path...]", INPUT)
    .addOption(choice("--to <version>", "the version to migrate to", ["v1", "v1beta1"], "v1"))
    .option("--compat", "write what Karpenter's conversion webhook would write, annotations for the way back included")
    .option("--write", "change the files in place; comments, order and style stay")
    .option("--dry-run", "show what would change as a diff, and write nothing");
  addInputOptions(command, "error").action((paths: string[], options: MigrateCommandOptions) => {
    exit(runMigrate(paths, options, context));
  });
}

function runMigrate(paths: readonly string[], options: MigrateCommandOptions, context: Context): ExitCode {
  const { to, compat = false, write, dryRun, profile = MIGRATION_PROFILE } = options;
  if (write && (paths.length === 0 || paths.includes("-")))
    throw new UsageError("--write changes files; what comes from the standard input goes to the standard output");
  const { value: loaded, findings: onLoading } = loadResources(paths, options, context);
  const migrated = hasErrors(onLoading)
    ? { value: [], findings: [] }
    : migrate(loaded.resources, { to, compat, profile });
  const { texts, anew } = rewriteSources(migrated.value.map(editOf), { apiVersion: "group", group: "apiVersion" });
  const rules = renderConfigs(loaded, options);
  const own = applyRulesOf(rules.value, [...migrated.findings, ...anew.map(rewritten)]);
  const doubles = write || dryRun || hasErrors(migrated.findings) ? [] : givenTwice(loaded.resources);
  const findings: Finding[] = [...onLoading, ...doubles, ...rules.findings, ...own];
  const given = [...paths, ...(options.policyDir === undefined ? [] : [options.policyDir])];
  const change = () => ({ findings: writeTexts(texts, given, context), summary: "" });
  const code = writeAndReport(findings, write && !dryRun ? change : undefined, options, context);
  if (code !== EXIT.done) return code;
  context.writeError(printableLines(summary(migrated.value, options) + forecast(migrated.value, findings, options)));
  if (dryRun) {
    const style = context.outStyle(options.color);
    const shown = withoutUserDataText;
    const diffs = [...texts].map(([{ file, text }, after]) => textDiff(file, shown(text), shown(after), style));
    context.writeOut(diffs.join(""));
  } else if (!write) context.writeOut(stream(loaded.resources, texts));
  return code;
}

/** On one stream the second object would silently replace the first; files of their own may repeat an object. */
function givenTwice(resources: readonly Resource[]): Finding[] {
  const first = new Map<string, Resource>();
  return resources.flatMap((resource) => {
    if (karpenterType(resource) === undefined) return [];
    const id = `${groupOf(resource.apiVersion)}/${resource.kind}/${resource.name}`;
    const other = first.get(id);
    if (other === undefined) first.set(id, resource);
    if (other === undefined || resource.name === "") return [];
    const message = `${describeResource(resource)} is given twice (first in ${other.document.source.file}), and one stream would hold both`;
    const hint = "keep one of the two, or migrate the files in place with --write";
    return [findingAt("duplicate-resource", resource, ["metadata", "name"], { message, hint })];
  });
}

type Given = ReturnType<typeof loadResources>["value"];

/** RenderConfigs may change severities, as for every other command. */
function renderConfigs({ resources, config }: Given, { hostedCluster }: InputOptions): Outcome<readonly Bundle[]> {
  const given = resources.filter((resource) => roleOf(resource) === "render-config");
  if (given.length === 0 && config === undefined) return { value: [], findings: [] };
  const { value, findings } = gatherBundles(given, { hostedCluster, config });
  return { value: value.bundles, findings: findings.filter(({ severity }) => severity === "error") };
}

/** The whole text of every source that has one of Karpenter's objects, so that a piped stream loses nothing. */
function stream(resources: readonly Resource[], texts: ReadonlyMap<Source, string>): string {
  const sources = new Set(
    resources.filter((one) => karpenterType(one) !== undefined).map((one) => one.document.source),
  );
  const parts = [...sources].map((source) => texts.get(source) ?? source.text);
  return parts.reduce((before, after) => {
    const ended = before === "" || before.endsWith("\n") ? before : `${before}\n`;
    return before === "" || /^---\s/.test(after) ? ended + after : `${ended}---\n${after}`;
  }, "");
}

/** @param given the paths on the command line, by which the files were found */
function writeTexts(texts: ReadonlyMap<Source, string>, given: readonly string[], context: Context): Finding[] {
  const behindLinks = [...texts.keys()].flatMap(({ file }) => {
    const link = linkTo(file, given);
    if (link === undefined) return [];
    const message = `is not written, and no other file either: ${link} is a link`;
    return [findingInFile("output-unwritable", file, { message, hint: "migrate the file itself that it leads to" })];
  });
  if (behindLinks.length > 0) return behindLinks;
  return [...texts].flatMap(([{ file }, text]) => {
    try {
      context.writeFile(file, text);
      return [];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return [findingInFile("output-unwritable", file, { message: `cannot be written: ${code ?? String(error)}` })];
    }
  });
}

function rewritten(resource: Resource): Finding {
  const message = `${describeResource(resource)}: its document is rewritten without comments, because the changed fields have no lines of their own`;
  const hint = "aliases, merge keys and unusual layouts prevent an edit in place";
  return findingAt("migrate-rewritten", resource, [], { message, hint });
}

function summary(migrations: readonly Migration[], { to, write, dryRun }: MigrateCommandOptions): string {
  if (migrations.length === 0) return "";
  const split = migrations.reduce((sum, one) => sum + one.split.length, 0);
  const files = new Set(migrations.map(({ resource }) => resource.document.source)).size;
  const where = dryRun ? "; nothing is written" : write ? ` in ${counted(files, "file")}` : "";
  return `${counted(migrations.length, "object")} migrated to ${to}${split > 0 ? `, ${counted(split, "node class", "node classes")} split off` : ""}${where}\n`;
}

/** Which nodes are replaced when the result is applied; only a full migration to v1 changes what pools refer to. */
function forecast(
  migrations: readonly Migration[],
  findings: readonly Finding[],
  { to, compat }: MigrateCommandOptions,
): string {
  const pools = migrations.filter(({ resource }) => resource.kind === "NodePool").map(({ resource }) => resource.name);
  if (to !== "v1" || compat || pools.length === 0) return "";
  const replaced = findings
    .filter(({ code }) => code === "migrate-nodes-replaced")
    .map(({ resource }) => resource?.name);
  const going = new Set(replaced);
  const staying = pools.filter((name) => !going.has(name));
  const parts = [
    ...(replaced.length > 0 ? [`nodes of ${replaced.join(", ")} are replaced`] : []),
    ...(staying.length > 0 ? [`nodes of ${staying.join(", ")} stay`] : []),
  ];
  return `forecast: ${parts.join("; ")}\n`;
}
