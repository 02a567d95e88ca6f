/** Which provider of Karpenter serves a node class, and whose a label is. */
import { nearestWord } from "../../krm/nearest-word.ts";
import { AWS } from "./aws.ts";
import { EKS_AUTO } from "./eks-auto.ts";
import { OTHER_GROUPS, otherProvider } from "./other.ts";
import type { Provider } from "./provider.ts";

/** Those that anp knows by name. */
const KNOWN: readonly Provider[] = [AWS, EKS_AUTO, ...OTHER_GROUPS.map(otherProvider)];

/** One whose group is a slip away is meant. */
export function providerOf({ group }: { readonly group: string }): Provider {
  const meant =
    nearestWord(
      group,
      KNOWN.map((provider) => provider.group),
      2,
    ) ?? group;
  return KNOWN.find((provider) => provider.group === meant) ?? otherProvider(group);
}

/** Who alone sets a label on nodes; undefined for a label of everybody, of nobody, and of who is not known by name. */
export function ownerOfLabel(key: string): Provider | undefined {
  return KNOWN.find(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)));
}
