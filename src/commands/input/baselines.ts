/** Removes the findings that baselines accept, and writes a new baseline. */
import {
  acceptFindings,
  type BaselineEntry,
  formatBaseline,
  isAcceptable,
  parseBaseline,
} from "../../analyze/check/baseline.ts";
import { type Finding, findingInFile, ofCluster } from "../../krm/findings/finding.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { configOf } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError } from "../cli/exit-codes.ts";
import { configPath, readText } from "../cli/read-text.ts";
import { writeToFile } from "../cli/report.ts";

interface Left {
  readonly findings: readonly Finding[];
  readonly accepted: number;
}

/**
 * A baseline that a hosted cluster's RenderConfig names accepts findings of that cluster only, because its author must not
 * decide about other clusters.
 *
 * @param named the file of `--baseline`, which applies besides those of RenderConfigs
 */
export function withoutAccepted(
  findings: readonly Finding[],
  bundles: readonly Bundle[],
  named: string | undefined,
  context: Context,
): Left {
  const clustersOf = new Map<string, Set<string | undefined>>();
  for (const bundle of bundles)
    for (const file of configuredBaseline(bundle))
      clustersOf.set(file, (clustersOf.get(file) ?? new Set()).add(bundle.hostedCluster));
  const files = new Set([...(named === undefined ? [] : [named]), ...clustersOf.keys()]);
  let left: Left = { findings, accepted: 0 };
  for (const file of files) {
    const clusters = clustersOf.get(file);
    const isOfAll = file === named || bundles.every(({ hostedCluster }) => clusters?.has(hostedCluster));
    const isOwn = ({ hostedCluster }: Finding): boolean => isOfAll || clusters?.has(hostedCluster) === true;
    const entries = entriesFor(readBaseline(file, context), bundles);
    const result = acceptFindings(left.findings.filter(isOwn), entries);
    const others = left.findings.filter((finding) => !isOwn(finding));
    const [only] = isOfAll ? [] : (clusters ?? []);
    const stale = ofCluster(
      only,
      result.stale.map((entry) => staleEntry(file, entry)),
    );
    left = { findings: [...others, ...result.left, ...stale], accepted: left.accepted + result.accepted };
  }
  return left;
}

/** With one hosted cluster, findings do not name it; entries of other clusters do not apply. */
function entriesFor(entries: readonly BaselineEntry[], [bundle, ...others]: readonly Bundle[]): BaselineEntry[] {
  if (others.length > 0) return [...entries];
  return entries.flatMap(({ hostedCluster, ...entry }) =>
    hostedCluster === undefined || hostedCluster === bundle?.hostedCluster ? [entry] : [],
  );
}

/** @returns the findings that no baseline can accept; all findings if the file cannot be written */
export function writeBaseline(file: string, findings: readonly Finding[], context: Context): Left {
  const failed = writeToFile(file, formatBaseline(findings), context);
  if (failed.length > 0) return { findings: [...findings, ...failed], accepted: 0 };
  const left = findings.filter((finding) => !isAcceptable(finding));
  return { findings: left, accepted: findings.length - left.length };
}

function configuredBaseline(bundle: Bundle): string[] {
  const baseline = configOf(bundle).value?.baseline;
  if (baseline === undefined || bundle.renderConfig === undefined) return [];
  return [configPath(bundle.renderConfig, baseline)];
}

function readBaseline(file: string, context: Context): BaselineEntry[] {
  const entries = parseBaseline(readText(file, context));
  if (entries === undefined)
    throw new UnreadableError(file, "is not a baseline", "anp check --write-baseline FILE writes one");
  return entries;
}

function staleEntry(file: string, entry: BaselineEntry): Finding {
  const { code, resource, field } = entry;
  const where = [resource, field].filter((part) => part !== undefined).join(" ");
  const subject = `the baseline accepts ${code}${where === "" ? "" : ` of ${where}`}`;
  return isAcceptable(entry)
    ? findingInFile("baseline-stale", file, {
        message: `${subject}, which is no longer found`,
        hint: "write the baseline again, so that the finding cannot come back unnoticed",
      })
    : findingInFile("baseline-stale", file, {
        message: `${subject}, which no baseline can accept`,
        hint: "fix the finding, and remove the entry",
      });
}
