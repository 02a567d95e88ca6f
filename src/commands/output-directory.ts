/** Rendered clusters to `--output-dir`: one file an object, one folder a cluster where there are several (DESIGN.md 3.5). */
import { type Finding, findingInFile } from "../krm/finding.ts";
import { toYaml } from "../krm/write.ts";
import { type DirectoryPlan, foldersIn, planDirectory, writeDirectory } from "../krm/write-directory.ts";
import { isOurFile } from "../model/our-file.ts";
import type { RenderedCluster } from "../render/render-all.ts";
import type { Context } from "./context.ts";

interface Options {
  readonly allowEmpty?: boolean;
  readonly force?: boolean;
}

/** Either every folder can be written, or none is touched. */
export function writeOutput(
  directory: string,
  clusters: readonly RenderedCluster[],
  options: Options,
  context: Context,
): Finding[] {
  const allowEmpty = options.allowEmpty === true;
  const withoutWrappers = clusters.filter((cluster) => !cluster.mayPrune && !allowEmpty);
  if (withoutWrappers.length > 0) return withoutWrappers.map((cluster) => nothingToWrite(directory, cluster));
  const several = clusters.length > 1;
  const force = options.force === true;
  const plan = (folder: string, files: ReadonlyMap<string, string>, may: { force: boolean; prune: boolean }) =>
    planDirectory({ directory: folder, files, isOurs: isOurFile, ...may });
  const planned = clusters.map((cluster) =>
    plan(several ? `${directory}/${cluster.hostedCluster}` : directory, filesOf(cluster), { force, prune: true }),
  );
  if (several) {
    // What stood here for a single cluster, and the folders of clusters that are gone, have lost their source.
    planned.push(plan(directory, new Map(), { force, prune: true }));
    const known = new Set(clusters.map((cluster) => cluster.hostedCluster));
    for (const folder of foldersIn(directory).filter((name) => !known.has(name))) {
      planned.push(plan(`${directory}/${folder}`, new Map(), { force: true, prune: allowEmpty }));
    }
  }
  const findings = planned.flatMap((outcome) => outcome.findings);
  return findings.length > 0 ? findings : planned.flatMap((outcome) => carryOut(outcome.plan, context));
}

function filesOf(cluster: RenderedCluster): Map<string, string> {
  return new Map(
    cluster.objects.map(({ object }) => [`${object.kind.toLowerCase()}-${object.metadata.name}.yaml`, toYaml(object)]),
  );
}

function carryOut(plan: DirectoryPlan, context: Context): readonly Finding[] {
  const findings = writeDirectory(plan);
  const { directory, write, unchanged, remove } = plan;
  if (findings.length === 0 && write.size + unchanged.length + remove.length > 0) {
    context.writeError(
      `${directory}: ${write.size} written, ${unchanged.length} unchanged, ${remove.length} removed\n`,
    );
  }
  return findings;
}

function nothingToWrite(directory: string, cluster: RenderedCluster): Finding {
  const of = cluster.hostedCluster === undefined ? "" : ` for ${cluster.hostedCluster}`;
  const message = `nothing was written or removed: no wrapper was read${of}, or the feature gate AutoNode is off`;
  const hint = "check the paths; --allow-empty writes what there is and removes earlier output";
  return findingInFile("output-kept", directory, { message, hint });
}
