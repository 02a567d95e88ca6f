/** Objects that were loaded to bundles: what is sure only when everything could be read, is said only then. */
import { type Finding, hasErrors, type Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { type Gathered, gatherBundles } from "../model/gather.ts";

export interface Loaded {
  readonly resources: readonly Resource[];
  /** The RenderConfig of `--config`. */
  readonly config: Resource | undefined;
}

/** @param findings of loading them */
export function gatherLoaded(
  { resources, config }: Loaded,
  findings: readonly Finding[],
  hostedCluster: string | undefined,
): Outcome<Gathered> {
  const gathered = gatherBundles(resources, { hostedCluster, config });
  const all = [...findings, ...gathered.findings];
  // Where something could not be read, nobody can tell that the input names no hosted cluster.
  const sure = (finding: Finding): boolean => finding.code !== "hosted-cluster-absent" || !hasErrors(all);
  return { value: gathered.value, findings: all.filter(sure) };
}
