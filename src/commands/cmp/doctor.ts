/** `anp cmp doctor`: what the plugin sees at run time, and common mistakes, in plain lines. */
import { pluginAdvice, type PluginFacts } from "../../analyze/check/plugin-advice.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { readSources } from "../../krm/read/read.ts";
import { type Bundle, isUsersNodePool } from "../../model/inputs/bundle.ts";
import { DEFAULT_PATHS, PARAMETER_NAMES, repositoryDepth } from "../../model/settings/plugin-parameter.ts";
import { type PluginParameters, shownValue } from "../../model/settings/plugin-parameters.ts";
import { roleOf } from "../../model/objects/role.ts";
import type { Facts } from "../../report/blocks/blocks.ts";
import { terminalText } from "../../report/blocks/terminal.ts";
import { summary } from "../../report/findings/common.ts";
import { PLAIN } from "../../report/terminal/style.ts";
import { version } from "../../version.ts";
import { type CmpOptions, parametersOf, renderApplication } from "./application.ts";
import { discovered } from "./discover.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../cli/exit-codes.ts";
import { reportFindings } from "../cli/report.ts";

/** Exits as `anp cmp generate` would. */
export function runDoctor(options: CmpOptions, context: Context): ExitCode {
  const { env, machine } = context;
  const parameters = parametersOf(options, context);
  const { gathered, objects, findings, refusal, exit } = renderApplication(parameters, options, context);
  const { bundles, named } = gathered;
  const discovery = discovered(options);
  const { policyDir } = parameters.settings;
  const hasPolicy = bundles.some(({ policy }) => policy !== undefined);
  const seen: PluginFacts = {
    userId: machine.userId(),
    home: env["HOME"] === undefined ? undefined : folderFact(env["HOME"], context),
    temporary: folderFact(machine.temporaryFolder(), context),
    policyDir,
    hasPolicy,
    requirePolicy: parameters.settings.requirePolicy === true,
    wrappers: bundles.reduce((sum, { nodePools, nodeClasses }) => sum + nodePools.length + nodeClasses.length, 0),
    policiesElsewhere: hasPolicy || policyDir !== undefined ? [] : policiesAround(context),
    otherTool: discovery.otherTool,
  };
  const took = Math.round(machine.milliseconds());
  const failed = refusal === undefined ? [] : refusal.split("\n");
  // Written first, so that it is above the answer when a terminal shows both streams.
  const reported = reportFindings(findings, options, context);
  const facts: Facts["facts"] = [
    ["anp", version],
    ["folder", machine.folder()],
    ["in the repository", env["ARGOCD_APP_SOURCE_PATH"] ?? "not known: ARGOCD_APP_SOURCE_PATH is not set"],
    ...parameterFacts(parameters),
    ["discovery", discoveryFact(discovery)],
    ["hosted clusters", named.length === 0 ? "none is named" : named],
    ["policy", bundles.map(policyFact)],
    ["wrappers", bundles.map(wrappersFact)],
    ["rendered", `${objects.length} objects${findings.length === 0 ? "" : `; ${summary(findings)}`}`],
    ["user", String(seen.userId ?? "not known")],
    ["HOME", seen.home === undefined ? "not set" : writableFact(seen.home)],
    ["temporary files", writableFact(seen.temporary)],
    ["time", `${took} ms since the start of the process`],
    ["generate ends with", [`exit code ${exit}`, ...failed]],
    ["note", parameters.notes],
    ["look at", pluginAdvice(seen)],
  ];
  context.writeOut(terminalText([{ kind: "facts", facts }], { style: PLAIN, width: Infinity }));
  return exit === EXIT.done ? exitCodeOf(reported, options.failOn) : exit;
}

function parameterFacts({ given }: PluginParameters): Facts["facts"] {
  return PARAMETER_NAMES.map((name): Facts["facts"][number] => {
    const one = given.get(name);
    if (one !== undefined) return [name, `${shownValue(one.value)} (${one.from})`];
    return [name, name === "paths" ? `${shownValue(DEFAULT_PATHS)} (default)` : "not given"];
  });
}

function discoveryFact({ files, otherTool }: ReturnType<typeof discovered>): string {
  if (otherTool !== undefined) return `no: ${otherTool} marks the folder as another tool's`;
  const [first, ...others] = files;
  if (first === undefined) return "no: no file below the folder holds a wrapper";
  return `yes: ${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
}

function policyFact({ policy, hostedCluster }: Bundle): string {
  const of = hostedCluster === undefined ? "" : ` for ${hostedCluster}`;
  return policy === undefined ? `none${of}` : `${policy.document.source.file}${of}`;
}

function wrappersFact({ nodePools, nodeClasses, hostedCluster }: Bundle): string {
  const of = hostedCluster === undefined ? "" : ` for ${hostedCluster}`;
  const raw = nodePools.filter(isUsersNodePool).length;
  const counts = [
    `${nodePools.length - raw} OpenshiftNodePool`,
    `${nodeClasses.length} OpenshiftEC2NodeClass`,
    ...(raw === 0 ? [] : [`${raw} NodePool of users`]),
  ];
  return `${counts.join(", ")}${of}`;
}

function folderFact(path: string, { machine }: Context): { path: string; writable: boolean } {
  return { path, writable: machine.isWritable(path) };
}

function writableFact({ path, writable }: { path: string; writable: boolean }): string {
  return `${path}, ${writable ? "writable" : "not writable"}`;
}

/** The policies outside the application's folder, in the part of the repository that Argo CD sent. */
function policiesAround({ env, machine }: Context): string[] {
  const depth = repositoryDepth(machine.folder(), env["ARGOCD_APP_SOURCE_PATH"]);
  if (depth === 0) return [];
  const root = Array.from({ length: depth }, () => "..").join("/");
  const { value: sources } = readSources({ paths: [root], readStdin: () => Buffer.alloc(0) });
  const mention = sources.filter(({ text }) => text.includes("AutoNodePolicy"));
  const policies = parseSources(mention).value.filter((resource) => roleOf(resource) === "policy");
  return policies.map(({ document }) => document.source.file);
}
