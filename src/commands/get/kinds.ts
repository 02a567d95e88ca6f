/** Parses the words for Karpenter's kinds and their wrappers as kubectl does, and lists of them. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { CustomResource } from "../../model/crds/crd.ts";
import { ec2NodeClassResource } from "../../model/ec2/node-class-resource.ts";
import { nodeClaimResource } from "../../model/pools/node-claim.ts";
import { openshiftEC2NodeClassResource } from "../../model/node-classes/openshift-ec2-node-class.ts";
import { openshiftNodePoolResource } from "../../model/pools/openshift-node-pool.ts";
import { nodePoolResource } from "../../model/pools/node-pool-resource.ts";
import { DEFAULT_PROFILE } from "../../model/crds/profile.ts";
import { UsageError } from "../cli/exit-codes.ts";

/** Names and columns are the same in every profile. */
const RESOURCES = [
  openshiftEC2NodeClassResource,
  openshiftNodePoolResource(DEFAULT_PROFILE),
  ec2NodeClassResource(DEFAULT_PROFILE),
  nodeClaimResource,
  nodePoolResource(DEFAULT_PROFILE),
];

/** Short names that users type, although Karpenter's CRDs do not define them. */
const HABITS: Readonly<Record<string, string>> = {
  np: "nodepools",
  nps: "nodepools",
  nc: "nodeclaims",
  ncs: "nodeclaims",
};

/** The names that shell completion offers. */
export const KIND_NAMES: readonly string[] = RESOURCES.map(({ plural }) => plural).toReversed();

/**
 * The kinds of a list in the order given, each once, such as `nodepools`, `nodepool`, `ec2nc`,
 * `nodepools.karpenter.sh` and lists of these.
 */
export function kindsMeant(text: string): CustomResource[] {
  return [...new Set(text.split(",").flatMap(meant))];
}

function meant(word: string): CustomResource[] {
  const asked = HABITS[word.toLowerCase()] ?? word.toLowerCase();
  const named = RESOURCES.filter(({ categories }) => categories?.includes(asked) ?? false);
  if (named.length > 0) return named;
  const found = RESOURCES.find((resource) => namesOf(resource).includes(asked));
  if (found === undefined) throw new UsageError(unknown(word));
  return [found];
}

/** Names of node classes of other providers: `nodeclasses`, `aksnodeclass.karpenter.azure.com`. */
const OF_ANOTHER_PROVIDER = /^(?!ec2)[a-z]*nodeclass(?:es)?(?:\.[a-z.]+)?$/i;

/** The name alone and with its group, with and without the version. */
function namesOf({ plural, singular, shortNames = [], group, version }: CustomResource): string[] {
  const names = [plural, singular, ...shortNames];
  return names.flatMap((name) => [name, `${name}.${group}`, `${name}.${version}.${group}`]);
}

function unknown(word: string): string {
  if (OF_ANOTHER_PROVIDER.test(word))
    return `there are no columns for ${JSON.stringify(word)} here, which is another provider's: kubectl get ${word} shows them; NodePools and NodeClaims are the same everywhere`;
  // No suggestion for short names, because every one is close to another.
  const nearest = nearestWord(word.toLowerCase(), RESOURCES.flatMap(namesOf), Math.min(3, Math.floor(word.length / 3)));
  const hint = nearest === undefined ? `write one of ${KIND_NAMES.join(", ")}` : `did you mean ${nearest}?`;
  return `there is no resource type ${JSON.stringify(word)} here: ${hint}`;
}
