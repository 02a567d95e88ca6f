/** Reads the files that a caller passes as strings into bundles and findings. */
import { posix } from "node:path";
import { gatherLoaded, type Loaded } from "../commands/input/gather-loaded.ts";
import { type Finding, findingInFile, findingOnInput, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { InputBytes, withoutByteOrderMarks } from "../krm/read/input-bytes.ts";
import { parseSources } from "../krm/parse/parse.ts";
import type { Source } from "../krm/places/source.ts";
import type { Gathered } from "../model/inputs/gather.ts";
import { mayBeTemplate } from "../model/objects/cdk-template.ts";
import type { InputFile, Options } from "./types.ts";

/** The same steps as for files from a disk. */
export function bundlesOfFiles(files: readonly InputFile[], options: Options): Outcome<Gathered> {
  const { value, findings } = loadFiles(files, options);
  return gatherLoaded(value, findings, options.hostedCluster, { nodePools: options.nodePools });
}

/** All objects of the files, before they are sorted by role. */
export function loadFiles(
  files: readonly InputFile[],
  { policyDir }: Options,
): Outcome<Loaded> & { readonly templates: readonly Source[] } {
  const rules = policyDir === undefined ? undefined : inside(policyDir);
  const sources: Source[] = [];
  const findings: Finding[] = [];
  const read = new InputBytes(findings);
  for (const { path, text } of files) {
    const whole = inside(path);
    if (read.isFull) break;
    if (!read.fits(path, Buffer.byteLength(text))) continue;
    sources.push({
      file: path,
      folder: posix.dirname(whole),
      text: withoutByteOrderMarks(text),
      explicit: true,
      trusted: rules === undefined || isBelow(whole, rules),
      config: false,
      ...(rules !== undefined && isBelow(whole, rules) ? { ofPolicyDir: true, place: whole } : {}),
    });
  }
  // A folder without a manifest would silently disable all rules.
  if (policyDir !== undefined && findings.length === 0 && !sources.some(({ trusted }) => trusted)) {
    const message = "contains no manifest, but rules are read only here (policyDir)";
    findings.push(findingInFile("input-empty", policyDir, { message, hint: "check the paths of the files" }));
  }
  const parsed = parseSources(sources);
  findings.push(...parsed.findings);
  if (parsed.value.length === 0 && !hasErrors(findings))
    findings.push(findingOnInput("input-empty", { message: "the files contain no Kubernetes object" }));
  return { value: { resources: parsed.value, config: undefined }, findings, templates: sources.filter(mayBeTemplate) };
}

function isBelow(whole: string, folder: string): boolean {
  return whole === folder || whole.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** Absolute below a virtual root; check-arguments.ts refuses paths that leave it. */
function inside(path: string): string {
  return posix.resolve("/", path);
}
