/** Plans the pods of files, as `anp plan` does. */
import { isNodeData } from "../analyze/nodes/node-pairs.ts";
import type { PlanAnswer } from "../analyze/plan/plan-answer.ts";
import { planDump } from "../analyze/plan/plan-dump.ts";
import { readPods } from "../analyze/pods/read-pods.ts";
import type { LoadedClusters } from "../commands/input/load-clusters.ts";
import { answerPlan, findingsOfPlan } from "../commands/plan/answer.ts";
import type { Catalogue } from "../karpenter/catalogue/catalogue.ts";
import { readCatalogue } from "../karpenter/catalogue/read-catalogue.ts";
import { storageOf } from "../karpenter/scheduling/pod-volumes.ts";
import type { Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import { parseRfc3339 } from "../model/values/rfc3339.ts";
import { loadFiles } from "./bundles-of-files.ts";
import { checkFiles, checkOptions } from "./check-arguments.ts";
import { objectsOf, withOptionNames } from "./option-texts.ts";
import { pricesOf, shippedCatalogue } from "./shipped-catalogue.ts";
import type { PlanOptions } from "./types.ts";

/** @throws TypeError */
export function checkPlanOptions({ pods, ...options }: PlanOptions): void {
  checkOptions(options, { policy: "string", nodeData: "string", at: "string", catalogue: "string" });
  checkFiles(pods);
  const { nodeData, at } = options;
  if (at !== undefined && parseRfc3339(at) === undefined)
    throw new TypeError("the option at must be a moment, such as 2026-11-23T09:00:00Z");
  if (nodeData !== undefined && at === undefined)
    throw new TypeError("the option nodeData needs at, the moment at which it was written");
}

type Asked = Pick<PlanOptions, "pods" | "nodeData" | "at" | "catalogue">;

/** @throws Error as `plan` does; TypeError for a dump or a catalogue that is none */
export function planFiles(
  { resources, ...loaded }: LoadedClusters & { readonly resources: readonly Resource[] },
  { pods: files, nodeData, at, catalogue: text }: Asked,
): Outcome<PlanAnswer | undefined> {
  const objects = nodeData === undefined ? undefined : objectsOf("nodeData", nodeData, isNodeData, DUMP);
  const { value, findings } = loadFiles(files, {});
  const storage = [...resources, ...(objects ?? []), ...value.resources];
  const pods = readPods(value.resources, storageOf(storage));
  const catalogue = text === undefined ? shippedCatalogue() : catalogueOf(text);
  const question = {
    loaded,
    old: undefined,
    pods: { value: pods.value, findings: [...findings, ...pods.findings] },
    others: [...resources, ...value.resources],
    dump: objects && planDump(objects, storage, { at: parseRfc3339(at!)! }),
    catalogueFor: () => catalogue,
    pricesFor: pricesOf(catalogue),
  };
  return { value: withOptionNames(() => answerPlan(question)), findings: findingsOfPlan(question) };
}

const DUMP = "neither NodeClaims nor Nodes nor Pods";

function catalogueOf(text: string): Catalogue {
  const read = readCatalogue(text, "catalogue");
  if ("problem" in read) throw new TypeError(`the option catalogue: ${read.problem.message}`);
  return read.catalogue;
}
