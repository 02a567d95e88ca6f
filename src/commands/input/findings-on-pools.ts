/** Of all findings those that are about some pools: `anp explain --nodepool web`. */
import type { Finding } from "../../krm/finding.ts";
import { codeEntry } from "../../krm/finding-codes.ts";

const POOL_KINDS: readonly string[] = ["NodePool", "OpenshiftNodePool"];
const CLASS_KINDS: readonly string[] = ["EC2NodeClass", "OpenshiftEC2NodeClass"];

interface Pools {
  readonly names: readonly string[];
  /** Those that the pools refer to. */
  readonly nodeClasses: readonly string[];
}

/** What is about other pools and their node classes is left out; what is about all, or could not be read, is not. */
export function findingsOnPools(findings: readonly Finding[], { names, nodeClasses }: Pools): Finding[] {
  return findings.filter(({ code, resource }) => {
    if (resource === undefined || codeEntry(code).unreadable === true) return true;
    if (POOL_KINDS.includes(resource.kind)) return names.includes(resource.name);
    return !CLASS_KINDS.includes(resource.kind) || nodeClasses.includes(resource.name);
  });
}
