/** `anp diff`: what changes between two sides, and what each change does to nodes. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { type IgnoreRule, parseIgnoreRule } from "../analyze/diff/compare-fields.ts";
import { isDifference, isLooser, type PolicyChange } from "../analyze/diff/policies/policy-changes.ts";
import type { SideCluster } from "../analyze/diff/sides.ts";
import { placeText } from "../krm/places/location.ts";
import type { InputMode } from "../model/objects/input-mode.ts";
import { memoize } from "../model/schema/memoize.ts";
import type { Settings } from "../resolve/settings.ts";
import { DIFF_FORMATS, type DiffFormat, formatDiff } from "../report/diff/formats.ts";
import { looserWords } from "../report/diff/policy-words.ts";
import { printable, shortened } from "../report/terminal/printable.ts";
import { pageTitle } from "./cli/page-title.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UnreadableError, UsageError } from "./cli/exit-codes.ts";
import {
  addKarpenterOption,
  addSharedOptions,
  choice,
  collect,
  INPUT,
  inputNames,
  type KarpenterOption,
  momentOf,
  parseNodeTime,
  type SharedOptions,
} from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { readAgainst } from "./diff/against.ts";
import { answerDiff, type DiffQuestion } from "./diff/answer.ts";
import { clusterNames, comparedAsOne, EMPTY, findingsOfSides, oldSideOf, sideOf } from "./diff/side.ts";
import { diffMode, fillSides, holdsNothing, mendedSide, type OldSide, passOverSides } from "./diff/sides.ts";
import { plansOfSides } from "./diff/plans.ts";
import { answerPlan, findingsOfPods } from "./plan/answer.ts";
import { addBuildOptions, type BuildOptions, buildsOf } from "./input/builds.ts";
import { addFillOptions, type FillOptions, valuesOf } from "./input/fill-placeholders.ts";
import { addLiveOptions, checkLiveOptions, type LiveInputOptions } from "./input/live-input.ts";
import { addRegionOption, catalogues, pricesFor, type RegionOption } from "./input/load-catalogue.ts";
import { loadResources } from "./input/load.ts";
import { readNodesByCluster } from "./input/node-data.ts";

interface DiffOptions
  extends SharedOptions, LiveInputOptions, RegionOption, KarpenterOption, FillOptions, BuildOptions {
  readonly output: DiffFormat | "html";
  readonly against?: string;
  readonly ignore: readonly IgnoreRule[];
  readonly nodeData?: string;
  readonly nodeTime: bigint;
  readonly at?: string;
  readonly catalogue?: string;
  readonly caBundleChanged?: boolean;
  readonly failOnLooser?: boolean;
  readonly pods: readonly string[];
}

export function addDiff(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("diff")
    .description("show what changes between two sides, and what each change does to nodes")
    .argument("[path...]", `the new side: ${INPUT}`)
    .option(
      "--against <side>",
      "the old side: a directory or file, - for the standard input, or a git ref of the same paths (ref:NAME where both exist)",
    );
  addLiveOptions(addBuildOptions(command), "the old side is the cluster: what a server-side apply would change there")
    .addOption(
      new Option("--ignore <field>", "leave a field out, such as spec.weight or NodePool/web:spec.limits; repeatable")
        .argParser(parseIgnore)
        .default([], "none"),
    )
    .option(
      "--node-data <file>",
      "a dump of the nodes, from kubectl get nodeclaims,nodes,pods,pdb -A -o json, or the folder of anp collect",
    )
    .addOption(
      new Option("--node-time <duration>", "the assumed time to replace one node")
        .argParser(parseNodeTime)
        .default(300_000_000_000n, "5m"),
    )
    .option("--at <time>", "when the change is made: 2026-11-23T09:00:00Z, +8h (default: now)")
    .option("--catalogue <file>", "instance types that policies are compared over (see anp catalogue)")
    .option("--pods <file>", "pods or workloads to plan on both sides (see anp plan); repeatable", collect, [])
    .option("--ca-bundle-changed", "the API server's CA bundle changes too, which drifts all nodes of EC2NodeClasses")
    .option("--fail-on-looser", "exit 1 only if a policy allows more than before, or is removed")
    .addOption(choice("-o, --output <format>", "form of the answer", [...DIFF_FORMATS, "html"], "text"));
  addSharedOptions(addFillOptions(addKarpenterOption(addRegionOption(command))), "error").action(
    async (paths: string[], options: DiffOptions) => {
      exit(await runDiff(paths, options, context));
    },
  );
}

async function runDiff(paths: readonly string[], options: DiffOptions, context: Context): Promise<ExitCode> {
  checkOptions(options, paths);
  const at = momentOf("--at", options.at ?? "now", context.machine.now());
  const { set: _set, envFile: _envFile, ...unfilled } = options;
  const asked = { ...unfilled, builds: buildsOf(options, false, context) };
  const { value, findings: onReading, ...unread } = loadResources(paths, asked, context);
  const before = options.live === true ? undefined : unread.terraform?.before;
  if (options.against === undefined && options.live !== true && before === undefined) throw new UsageError(NO_OLD_SIDE);
  const oldOfPlan = { resources: [], config: undefined, findings: [], terraform: before };
  const asWritten = [
    { ...value, findings: onReading, ...unread },
    ...(options.against !== undefined
      ? [readAgainst(options.against, paths, asked, context)]
      : before === undefined
        ? []
        : [oldOfPlan]),
  ] as const;
  const written = fillSides(asWritten, valuesOf(options, context), options);
  const { mode, isMixed } = diffMode(written, options);
  const { sides, incomplete } = passOverSides(written, mode, options.live === true);
  const [read, readOld] = sides;
  const isEmpty = holdsNothing(read, mode);
  const asSides = { ...options, oneCluster: readOld !== undefined && comparedAsOne(read, readOld) };
  const given = isEmpty ? EMPTY : sideOf(read, mode, { ...asSides, beside: readOld?.resources ?? [] });
  if (isEmpty && options.live === true) throw nothingToCompare(paths, mode);
  const found =
    options.live === true && given.readable
      ? await (await import("./diff/live.ts")).readLive(given.clusters, mode, options, context)
      : { old: oldSideOf(readOld, mode, { ...asSides, beside: read.resources }) };
  if (typeof found === "number") return found;
  // Raw objects cannot be applied to a hosted cluster at all.
  const [now, outcome] =
    found === "hosted" ? [sideOf(read, found, options), { old: EMPTY } satisfies OldSide as OldSide] : [given, found];
  const { nodes: live } = outcome;
  const mayMend = mode === "raw" && !isEmpty && options.live !== true;
  const { old, refused } = mayMend ? mendedSide(now, outcome.old) : { old: outcome.old, refused: [] };
  if (isEmpty && old.clusters.some(({ objects }) => objects.length > 0)) throw nothingToCompare(paths, mode);
  const catalogueFor = catalogues(options.catalogue, context);
  const prices = memoize(() => pricesFor(catalogueFor, options, context));
  const pricesOf = (settings?: Settings) => prices()(settings);
  const planned = { pods: options.pods, nodeData: options.nodeData, at, catalogueFor, pricesFor: pricesOf };
  const plans =
    options.pods.length === 0 || readOld === undefined
      ? undefined
      : plansOfSides(read, readOld, planned, options, context);
  const compared = outcome.now ?? now.clusters;
  const nodeData =
    options.nodeData === undefined || !now.readable || !old.readable
      ? undefined
      : readNodesByCluster(options.nodeData, clusterNames([...old.clusters, ...compared]), options, context);
  const findings = [
    ...findingsOfSides(now, old, mode, options.failOn === "info"),
    ...(nodeData?.findings ?? []),
    ...(plans === undefined ? [] : findingsOfPods(plans)),
  ];
  const reported = reportFindings(findings, options, context);
  if (isMixed || found === "hosted") context.writeError(ONE_IS_HOSTED);
  if (!now.readable || !old.readable) return EXIT.unreadable;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (options.failOnLooser === true && errors === 0) refuseWithoutPolicies([...old.clusters, ...compared]);
  const question: DiffQuestion = {
    mode,
    from: old.clusters,
    to: compared,
    ignore: options.ignore,
    profile: options.profile,
    nodes: nodeData?.nodes ?? live,
    at,
    nodeTime: options.nodeTime,
    caBundleChanged: options.caBundleChanged,
    catalogueFor,
    pricesFor: pricesOf,
  };
  const answer = { ...answerDiff(question), plan: plans && answerPlan(plans) };
  const { changes, policies, fleet, clusters, plan } = answer;
  const unseen = incomplete.length + refused.length;
  const neither = isEmpty ? ["neither side holds an AutoNodePolicy, a wrapper or a NodePool"] : [];
  // Programs find this in the answer itself.
  const asTheyStand = mode === "raw" && options.output !== "json" ? [AS_THEY_STAND] : [];
  const { notes: onLive = [], notAsked = [] } = outcome;
  const notes = [...neither, ...asTheyStand, ...notAsked, ...onLive, ...answer.notes];
  context.writeError(notes.map((note) => `note: ${note}\n`).join(""));
  if (changes.length === 0 && options.output === "text" && errors === 0 && unseen === 0)
    context.writeError(policies.length === 0 ? "no changes\n" : "the rendered objects are the same\n");
  if (options.failOnLooser === true) reportLooser(policies, context);
  if (options.output === "html") {
    const { drawDiff } = await import("./diff/draw.ts");
    context.writeOut(
      await drawDiff(
        { ...answer, title: pageTitle("anp diff", paths, options), incomplete, refused, notAsked },
        question,
        reported,
      ),
    );
  } else {
    const look = { style: context.outStyle(options.color), width: context.outWidth };
    context.writeOut(
      formatDiff(options.output, changes, {
        mode,
        ...look,
        errors,
        policies,
        fleet,
        clusters,
        incomplete,
        refused,
        notAsked,
        plan,
        all: options.all,
      }),
    );
  }
  if (errors > 0) return EXIT.unreadable;
  const differs =
    options.failOnLooser === true ? policies.some(isLooser) : changes.length > 0 || policies.some(isDifference);
  return differs || unseen > 0 ? EXIT.no : exitCodeOf(reported, options.failOn);
}

const NO_OLD_SIDE = "say what to compare with: --against DIR, --against GIT-REF or --live";

const ONE_IS_HOSTED =
  "note: the other side is a hosted cluster, where no policy applies to raw objects: they are not compared\n";

const AS_THEY_STAND = "NodePools are compared as they are: neither side has a policy or a wrapper";

/** A wrong path must not look as if every object were removed. */
function nothingToCompare(paths: readonly string[], mode: InputMode): UnreadableError {
  const names = inputNames(paths);
  const [what, hint] =
    mode === "raw"
      ? ["no NodePool and no node class", "give the paths of the manifests that the other side has"]
      : ["no AutoNodePolicy and no wrapper", "give the paths of the manifests that anp render takes"];
  const message = `${names.length === 1 ? "holds" : "hold"} ${what}, so there is nothing to compare`;
  return new UnreadableError(names.join(", "), message, hint);
}

function checkOptions(options: DiffOptions, paths: readonly string[]): void {
  const { against, live } = options;
  // The plan of Terraform has both sides.
  const mayBePlans = paths.length > 0 && paths.every((path) => path === "-" || path.endsWith(".json"));
  if (against === undefined && live !== true && !mayBePlans) throw new UsageError(NO_OLD_SIDE);
  if (against !== undefined && live === true)
    throw new UsageError("--against and --live are two old sides: give one of them");
  if (live === true && options.failOnLooser === true)
    throw new UsageError("--fail-on-looser compares policies, and a hosted cluster holds none: give --against");
  if (live === true && options.pods.length > 0)
    throw new UsageError("--pods plans the pools of two sides of files: give --against instead of --live");
  checkLiveOptions(options);
}

function parseIgnore(text: string, previous: readonly IgnoreRule[]): IgnoreRule[] {
  const rule = parseIgnoreRule(text);
  if (rule === undefined)
    throw new InvalidArgumentError("Write [KIND[/NAME]:]FIELD, such as spec.weight or NodePool/web:spec.limits.");
  return [...previous, rule];
}

/** Reports a sentence for each policy that needs an approval. */
function reportLooser(policies: readonly PolicyChange[], context: Context): void {
  context.writeError(policies.filter(isLooser).map(sentenceOf).join(""));
}

/** A longer sentence is cut. */
const LONGEST = 2000;

function sentenceOf(change: PolicyChange): string {
  const place = change.place === undefined ? "" : `${printable(placeText(change.place))}: `;
  return `${place}error: ${printable(shortened(looserWords(change), LONGEST))} [--fail-on-looser]\n`;
}

/**
 * Output of anp contains no policy.
 *
 * @throws UsageError if there is no policy to compare
 */
function refuseWithoutPolicies(clusters: readonly SideCluster[]): void {
  if (clusters.every(({ policySide }) => policySide !== undefined)) return;
  throw new UsageError("--fail-on-looser compares policies, and one side holds none: give the manifests themselves");
}
