/** Predicts with anp the verdict of each pool and the place of each pod of a scenario. */
import type { DescribedPool } from "../../../src/analyze/explain/pool-answer.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { explainClusters } from "../../../src/analyze/explain/explain.ts";
import { type PlacedPod, placePods } from "../../../src/analyze/plan/place-pods.ts";
import { readPods } from "../../../src/analyze/pods/read-pods.ts";
import { readCatalogue } from "../../../src/karpenter/catalogue/read-catalogue.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { run } from "../golden/case.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { makeBundle } from "../bundle.ts";
import { anpInput, podsOf } from "./scenario-input.ts";
import type { Scenario } from "./scenarios/scenario.ts";

export interface Prediction {
  /** As `anp explain` prints them. */
  readonly pools: readonly DescribedPool[];
  /** By name. */
  readonly pods: ReadonlyMap<string, PlacedPod>;
}

export async function predict(scenario: Scenario, catalogueFile: string): Promise<Prediction> {
  const input = anpInput(scenario, scenario.blocked ? "Block" : "Fail");
  const args = ["explain", "-", "-o", "json", "--catalogue", catalogueFile];
  const { stdout, stderr } = await run(import.meta.dirname, args, input);
  if (stdout === "") throw new Error(`${scenario.name}: ${stderr}`);
  const { nodePools } = JSON.parse(stdout) as { nodePools: DescribedPool[] };
  return { pools: nodePools, pods: await placed(scenario, input, catalogueFile) };
}

/** For raw NodePools of the cluster, without other input. */
export async function predictRaw(
  scenario: Scenario,
  nodePools: readonly KubernetesObject[],
  catalogueFile: string,
  folder: string,
): Promise<Prediction> {
  const text = (objects: readonly object[]): string => objects.map((object) => stringify(object)).join("---\n");
  const pods = join(folder, `${scenario.name}-pods.yaml`);
  await writeFile(pods, text(podsOf(scenario)));
  const args = ["explain", "-", "-o", "json", "--catalogue", catalogueFile, "--pods", pods];
  const { stdout, stderr } = await run(import.meta.dirname, args, text(nodePools));
  if (stdout === "") throw new Error(`${scenario.name}: ${stderr}`);
  const said = JSON.parse(stdout) as { mode: string; nodePools: DescribedPool[]; pods: PlacedPod[] };
  if (said.mode !== "raw") throw new Error(`${scenario.name}: not as they stand`);
  return { pools: said.nodePools, pods: new Map(said.pods.map((pod) => [pod.name, pod])) };
}

async function placed(scenario: Scenario, input: string, catalogueFile: string): Promise<Prediction["pods"]> {
  const read = readCatalogue(await readFile(catalogueFile, "utf8"), "kwok");
  if ("problem" in read) throw new Error(read.problem.message);
  const [cluster] = explainClusters([resolve(makeBundle({ "anp.yaml": input }), {})], read.catalogue);
  if (cluster === undefined) throw new Error(`${scenario.name}: nothing to explain`);
  const text = podsOf(scenario)
    .map((pod) => stringify(pod))
    .join("---\n");
  const source = { file: "pods.yaml", folder: "", text, explicit: true, trusted: true, config: false };
  const pods = placePods(readPods(parseSources([source]).value).value, cluster);
  return new Map(pods.map((pod) => [pod.name, pod]));
}
