/** Reads the files with pods that an option names. */
import { readPods } from "../../analyze/pods/read-pods.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { storageOf } from "../../karpenter/scheduling/pod-volumes.ts";
import type { Outcome } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { readSources } from "../../krm/read/read.ts";
import type { Context } from "../cli/context.ts";

/** @param storage volumes and their kinds of the other inputs; those of the files come first */
export function readPodFiles(
  files: readonly string[],
  storage: readonly Resource[],
  readStdin: Context["readStdin"],
): Outcome<PodDemand[]> & { readonly resources: readonly Resource[] } {
  const sources = readSources({ paths: files, readStdin });
  const parsed = parseSources(sources.value);
  const pods = readPods(parsed.value, storageOf([...storage, ...parsed.value]));
  return {
    resources: parsed.value,
    value: pods.value,
    findings: [...sources.findings, ...parsed.findings, ...pods.findings],
  };
}
