/** Files as texts in, bundles and findings out: what commands do with the files that they read from a disk. */
import { posix } from "node:path";
import { gatherLoaded } from "../commands/gather-loaded.ts";
import { type Finding, findingInFile, findingOnInput, hasErrors, type Outcome } from "../krm/finding.ts";
import { parseSources } from "../krm/parse.ts";
import type { Source } from "../krm/source.ts";
import { MAX_FILE_BYTES } from "../krm/yaml-options.ts";
import type { Gathered } from "../model/gather.ts";
import type { InputFile, Options } from "./library.ts";

const MEBIBYTE = 1024 * 1024;

export function bundlesOfFiles(files: readonly InputFile[], { hostedCluster, policyDir }: Options): Outcome<Gathered> {
  const rules = policyDir === undefined ? undefined : inside(policyDir);
  const sources: Source[] = [];
  const findings: Finding[] = [];
  for (const { path, text } of files) {
    const whole = inside(path);
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_FILE_BYTES) {
      const message = `is ${Math.ceil(bytes / MEBIBYTE)} MiB, more than the ${MAX_FILE_BYTES / MEBIBYTE} MiB that anp reads`;
      findings.push(findingInFile("input-limit", path, { message, hint: "split the file" }));
      continue;
    }
    sources.push({
      file: path,
      folder: posix.dirname(whole),
      // As reading a file does it.
      text: text.replaceAll(/^\ufeff/gm, ""),
      explicit: true,
      trusted: rules === undefined || whole === rules || whole.startsWith(rules.endsWith("/") ? rules : `${rules}/`),
      config: false,
    });
  }
  // A folder without a manifest would turn every rule off in silence.
  if (policyDir !== undefined && findings.length === 0 && !sources.some(({ trusted }) => trusted)) {
    const message = "holds no manifest, and rules are read only here (policyDir)";
    findings.push(findingInFile("input-empty", policyDir, { message, hint: "check the paths of the files" }));
  }
  const parsed = parseSources(sources);
  findings.push(...parsed.findings);
  if (parsed.value.length === 0 && !hasErrors(findings))
    findings.push(findingOnInput("input-empty", { message: "the files hold no Kubernetes object" }));
  return gatherLoaded({ resources: parsed.value, config: undefined }, findings, hostedCluster);
}

/** From one top folder, which no path leads out of: check-arguments.ts looks. */
function inside(path: string): string {
  return posix.resolve("/", path);
}
