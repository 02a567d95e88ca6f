/** Writes rendered clusters to `--output-dir`. */
import { type Finding, findingInFile, ofCluster } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { fileNameOf } from "../../krm/write/file-name.ts";
import { type DirectoryPlan, foldersIn, planDirectory, writeDirectories } from "../../krm/write/write-directory.ts";
import { toYaml } from "../../krm/yaml/write.ts";
import { nothingRead } from "../../model/inputs/bundle.ts";
import { HOSTED_CLUSTER_NAME } from "../../model/inputs/hosted-clusters.ts";
import { carriesMarks, recordIn } from "../../model/objects/marks.ts";
import { isRawNodePool } from "../../model/objects/role.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import type { Written } from "../cli/report.ts";

interface Options {
  readonly allowEmpty?: boolean;
  readonly force?: boolean;
  /** Whether the input has many hosted clusters: then each has its own folder, even if only one is selected. */
  readonly several: boolean;
  /** The selected cluster, if only its folder is written. */
  readonly selected: boolean;
}

/**
 * Writes every folder, or none if one of them cannot be written. One file per object, and one folder per cluster if there
 * are several (docs/design.md#output). The summary has a line for each folder that changes.
 */
export function writeOutput(directory: string, clusters: readonly RenderedCluster[], options: Options): Written {
  const allowEmpty = options.allowEmpty === true;
  const ofOne = ({ hostedCluster }: RenderedCluster, findings: readonly Finding[]) =>
    ofCluster(options.several ? hostedCluster : undefined, findings);
  const withoutWrappers = new Set(clusters.filter((cluster) => !cluster.mayPrune && !allowEmpty));
  // A cluster without pools does not prevent writing the others.
  const others = withoutWrappers.size < clusters.length;
  if (withoutWrappers.size > 0 && !others) {
    const findings = [...withoutWrappers].flatMap((cluster) => ofOne(cluster, [nothingToWrite(directory, cluster)]));
    return { findings, summary: "" };
  }
  const force = options.force === true;
  const plan = (folder: string, files: ReadonlyMap<string, string>, may: { force: boolean; prune: boolean }) =>
    planDirectory({ directory: folder, root: directory, files, isOurs: isEarlierOutputFile, ...may });
  const folderOf = ({ hostedCluster }: RenderedCluster) =>
    options.several ? `${directory}/${hostedCluster}` : directory;
  const left: Finding[] = [];
  const planned = clusters.map((cluster) => {
    const folder = folderOf(cluster);
    const hasWrappers = !withoutWrappers.has(cluster);
    const outcome = plan(folder, filesOf(cluster), { force, prune: hasWrappers });
    if (hasWrappers || outcome.findings.every(({ code }) => code !== "output-kept"))
      return { ...outcome, findings: ofOne(cluster, outcome.findings) };
    left.push(...ofOne(cluster, [leftAsItIs(folder, cluster)]));
    return { ...outcome, findings: [] };
  });
  if (!options.selected) {
    // Files of a former single cluster are orphaned, and so are the folders of clusters that are gone.
    if (options.several) planned.push(plan(directory, new Map(), { force, prune: true }));
    const known = new Set(options.several ? clusters.map((cluster) => cluster.hostedCluster) : []);
    for (const folder of foldersIn(directory).filter((name) => !known.has(name))) {
      const { findings, ...gone } = plan(`${directory}/${folder}`, new Map(), { force: true, prune: allowEmpty });
      planned.push({ ...gone, findings: HOSTED_CLUSTER_NAME.test(folder) ? ofCluster(folder, findings) : findings });
    }
  }
  const findings = planned.flatMap((outcome) => outcome.findings);
  if (findings.length > 0) return { findings, summary: "" };
  const plans = planned.map((outcome) => outcome.plan);
  const onWriting = writeDirectories(plans);
  return { findings: [...onWriting, ...left], summary: onWriting.length > 0 ? "" : plans.map(describe).join("") };
}

function filesOf(cluster: RenderedCluster): Map<string, string> {
  return new Map(cluster.objects.map(({ object }) => [fileNameOf(object), toYaml(object)]));
}

function describe({ directory, write, unchanged, remove }: DirectoryPlan): string {
  if (write.size + unchanged.length + remove.length === 0) return "";
  return `${directory}: ${write.size} written, ${unchanged.length} unchanged, ${remove.length} removed\n`;
}

/** A warning, because the other folders are written and this one loses nothing. */
function leftAsItIs(folder: string, { resolved }: RenderedCluster): Finding {
  const message = `is left as it is, because ${nothingRead(resolved.settings?.nodePools)} for its hosted cluster`;
  const hint = "check the paths; --allow-empty removes its earlier output";
  return { ...findingInFile("output-kept", folder, { message, hint }), severity: "warning" };
}

function nothingToWrite(directory: string, cluster: RenderedCluster): Finding {
  const of = cluster.hostedCluster === undefined ? "" : ` for ${cluster.hostedCluster}`;
  const why = cluster.gateOff
    ? "the feature gate AutoNode is off"
    : `${nothingRead(cluster.resolved.settings?.nodePools)}${of}`;
  const message = `nothing was written or removed, because ${why}`;
  const hint = "--allow-empty writes what there is and removes earlier output";
  return findingInFile("output-kept", directory, {
    message,
    hint: cluster.gateOff ? hint : `check the paths; ${hint}`,
  });
}

/** A NodePool of users carries no mark, but the record of what rendering put into it. */
export function isEarlierOutputFile(text: string): boolean {
  const { value, findings } = parseSources([
    { file: "", folder: "", text, explicit: true, trusted: false, config: false },
  ]);
  const [object, ...others] = value;
  if (findings.length > 0 || object === undefined || others.length > 0) return false;
  return carriesMarks(object.value) || (isRawNodePool(object) && recordIn(object.value) !== undefined);
}
