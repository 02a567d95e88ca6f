/** Selects the findings on some pools, for `anp explain --nodepool web`. */
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry } from "../../krm/findings/finding-codes.ts";

const POOL_KINDS: readonly string[] = ["NodePool", "OpenshiftNodePool"];
const CLASS_KINDS: readonly string[] = ["EC2NodeClass", "OpenshiftEC2NodeClass"];

interface Pools {
  readonly names: readonly string[];
  /** The node classes that the pools refer to. */
  readonly nodeClasses: readonly string[];
}

/** Leaves out findings on other pools and their node classes. Findings on the whole input or unreadable files stay. */
export function findingsOnPools(findings: readonly Finding[], { names, nodeClasses }: Pools): Finding[] {
  return findings.filter(({ code, resource }) => {
    if (resource === undefined || codeEntry(code).unreadable === true) return true;
    if (POOL_KINDS.includes(resource.kind)) return names.includes(resource.name);
    return !CLASS_KINDS.includes(resource.kind) || nodeClasses.includes(resource.name);
  });
}
