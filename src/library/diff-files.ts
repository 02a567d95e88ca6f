/** Compares two lists of files, as `anp diff` compares two directories. */
import type { DescribedDiff } from "../analyze/diff/diff-answer.ts";
import { clusterRollouts } from "../analyze/diff/cluster-rollouts.ts";
import { parseIgnoreRule } from "../analyze/diff/compare-fields.ts";
import { describeDiff } from "../analyze/diff/describe-diff.ts";
import { readNodeData } from "../analyze/nodes/node-data.ts";
import { isNodeData } from "../analyze/nodes/node-pairs.ts";
import { answerDiff } from "../commands/diff/answer.ts";
import { comparedAsOne, EMPTY, findingsOfSides, oldSideOf, sideOf } from "../commands/diff/side.ts";
import { diffMode, holdsNothing, mendedSide, type Read } from "../commands/diff/sides.ts";
import { withPlaceholdersOf } from "../commands/input/load.ts";
import type { Finding } from "../krm/findings/finding.ts";
import { given as givenIn } from "../model/settings/settings.ts";
import { parseGoDuration } from "../model/values/go-duration.ts";
import { parseRfc3339 } from "../model/values/rfc3339.ts";
import { loadFiles } from "./bundles-of-files.ts";
import { checkOptions } from "./check-arguments.ts";
import { objectsOf, withOptionNames } from "./option-texts.ts";
import type { DiffOptions, InputFile } from "./types.ts";
import { shippedCatalogue, shippedPrices } from "./shipped-catalogue.ts";

const NODE_TIME = "5m";

/** @throws TypeError */
export function checkDiffOptions({ ignore, ...options }: DiffOptions): void {
  checkOptions(options, { at: "string", nodeData: "string", nodeTime: "string" });
  // A caller in JavaScript may omit it.
  const { at, nodeTime = NODE_TIME } = options as Partial<DiffOptions>;
  if (at === undefined || parseRfc3339(at) === undefined)
    throw new TypeError("the option at must be a moment, such as 2026-11-23T09:00:00Z");
  if ((parseGoDuration(nodeTime) ?? 0n) <= 0n)
    throw new TypeError("the option nodeTime must be a duration, such as 5m");
  if (ignore !== undefined && !(Array.isArray(ignore) && ignore.every((rule) => typeof rule === "string")))
    throw new TypeError("the option ignore must be a list of strings");
  const wrong = ignore?.find((rule) => parseIgnoreRule(rule) === undefined);
  if (wrong !== undefined)
    throw new TypeError(`the option ignore: ${wrong} is not a field: write [KIND[/NAME]:]FIELD, such as spec.weight`);
}

/** @throws Error if only the new side is empty, or if clusters of the sides cannot be matched */
export function diffFiles(
  before: readonly InputFile[],
  after: readonly InputFile[],
  options: DiffOptions,
): { readonly answer: DescribedDiff; readonly findings: readonly Finding[] } {
  const { at, nodeData, nodeTime = NODE_TIME, ignore = [], profile } = options;
  const shared = {
    featureGates: {},
    failOn: "error",
    report: [],
    color: "never",
    ...givenIn("option", options),
  } as const;
  const asWritten = [readFiles(after, options), readFiles(before, options)] as const;
  const whole = [withPlaceholdersOf(asWritten[0]), withPlaceholdersOf(asWritten[1])] as const;
  const { mode } = diffMode(whole, shared);
  // Where there is something to defend, files are read as they are.
  const [read, readOld] = mode === "raw" ? whole : asWritten;
  const isEmpty = holdsNothing(read, mode);
  const asSides = { ...shared, oneCluster: comparedAsOne(read, readOld) };
  const now = isEmpty ? EMPTY : sideOf(read, mode, { ...asSides, beside: readOld.resources });
  const given = oldSideOf(readOld, mode, { ...asSides, beside: read.resources });
  const { old, refused } = mode === "raw" && !isEmpty ? mendedSide(now, given) : { old: given, refused: [] };
  if (isEmpty && old.clusters.some(({ objects }) => objects.length > 0))
    throw new Error("the new side is empty, so there is nothing to compare with the old side");
  const findings = findingsOfSides(now, old, mode, true);
  if (!now.readable || !old.readable)
    return { answer: describeDiff({ mode, changes: [], policies: [], fleet: undefined }), findings };
  const answer = withOptionNames(() =>
    answerDiff({
      mode,
      from: old.clusters,
      to: now.clusters,
      ignore: ignore.flatMap((rule) => parseIgnoreRule(rule) ?? []),
      profile,
      nodes: nodeData === undefined ? undefined : nodesOf(nodeData),
      at: parseRfc3339(at)!,
      nodeTime: parseGoDuration(nodeTime)!,
      catalogueFor: shippedCatalogue,
      pricesFor: shippedPrices,
    }),
  );
  const rollout = clusterRollouts(answer.clusters);
  return { answer: describeDiff({ mode, ...answer, rollout, refused }), findings };
}

/** A side without files is empty, without an error. */
function readFiles(files: readonly InputFile[], options: DiffOptions): Read {
  const { value, findings, templates } = loadFiles(files, options);
  return { ...value, templates, findings: findings.filter(({ code }) => code !== "input-empty") };
}

function nodesOf(text: string) {
  return readNodeData(objectsOf("nodeData", text, isNodeData, "neither NodeClaims nor Nodes"));
}
