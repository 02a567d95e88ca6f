/** Reads the files of the directory as resources, again in each pass. */
import { createHash } from "node:crypto";
import { type Finding, findingAt, findingOnInput, hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { readSources } from "../../krm/read/read.ts";
import type { Source } from "../../krm/places/source.ts";
import { roleOf } from "../../model/objects/role.ts";
import { waitUntilStable } from "../waiting/wait-until-stable.ts";
import type { DirectoryInput, DirectorySource, ReadDirectory } from "../objects/watched-cluster.ts";

/** Settling times to wait for a directory that keeps changing. */
const PATIENCE = 30;

/** Remembers the last content, which then need not settle or be parsed again. */
export function directoryReader(source: DirectorySource): ReadDirectory {
  const { paths, policyDir, config } = source;
  if (paths.length === 0 && policyDir === undefined && config === undefined)
    return () => Promise.resolve({ value: { resources: [], config: undefined }, findings: [] });
  const read = () => readSources({ paths, policyDir, config, readStdin: () => Buffer.alloc(0) });
  let settled = "";
  let last: { readonly key: string; readonly outcome: Outcome<DirectoryInput> } | undefined;
  return async ({ allowEmpty, settleMs, signal }) => {
    const rest = { printOf: fingerprint, known: settled, pauseMs: settleMs, patience: PATIENCE, signal };
    const { value: sources, print, isSettled } = await waitUntilStable(read, rest);
    if (isSettled) settled = print;
    else if (!signal.aborted) return { value: { resources: [], config: undefined }, findings: [restless(paths)] };
    const key = `${print} ${allowEmpty}`;
    if (last?.key !== key) last = { key, outcome: understand(sources, source, allowEmpty) };
    return last.outcome;
  };
}

function fingerprint({ value, findings }: Outcome<Source[]>): string {
  const read = value.map(({ file, text }) => [file, text]);
  return createHash("sha256")
    .update(JSON.stringify([read, findings]))
    .digest("hex");
}

function restless(paths: readonly string[]): Finding {
  const message = `${paths.join(", ")} changes all the time, so anp cannot read it as a whole`;
  return findingOnInput("file-unreadable", { message, hint: "stop the program that writes to it" });
}

function understand(
  sources: Outcome<Source[]>,
  { paths, config }: DirectorySource,
  allowEmpty: boolean,
): Outcome<DirectoryInput> {
  const parsed = parseSources(sources.value);
  const findings: Finding[] = [...sources.findings, ...parsed.findings];
  const fromConfig = parsed.value.filter((resource) => resource.document.source.config);
  const resources = parsed.value.filter((resource) => !resource.document.source.config);
  if (paths.length > 0 && resources.length === 0 && !hasErrors(findings) && !allowEmpty) {
    const message = `${paths.join(", ")} holds no Kubernetes object`;
    const hint = "nothing is applied or removed; if this is intended, use --allow-empty";
    findings.push(findingOnInput("input-empty", { message, hint }));
  }
  const [first, ...others] = fromConfig;
  const isConfig = first !== undefined && others.length === 0 && roleOf(first) === "render-config";
  if (config !== undefined && !isConfig && !hasErrors(findings)) {
    const message = `${config} must hold one RenderConfig and nothing else`;
    findings.push(
      first === undefined
        ? findingOnInput("render-config-invalid", { message })
        : findingAt("render-config-invalid", first, ["kind"], { message }),
    );
  }
  return { value: { resources, config: isConfig ? first : undefined }, findings };
}
