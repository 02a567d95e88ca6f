/** Finds the provider of Karpenter that serves a node class or owns a label. */
import { nearestWord } from "../../krm/nearest-word.ts";
import { AWS } from "./aws.ts";
import { EKS_AUTO } from "./eks-auto.ts";
import { OTHER_GROUPS, otherProvider } from "./other.ts";
import type { Provider } from "./provider.ts";

/** The providers that anp knows. */
const KNOWN: readonly Provider[] = [AWS, EKS_AUTO, ...OTHER_GROUPS.map(otherProvider)];

/** A group with a typo counts as the nearest known one. */
export function providerOf({ group }: { readonly group: string }): Provider {
  const meant =
    nearestWord(
      group,
      KNOWN.map((provider) => provider.group),
      2,
    ) ?? group;
  return KNOWN.find((provider) => provider.group === meant) ?? otherProvider(group);
}

/** The provider that owns a label; undefined for labels without an owner and those of unknown providers. */
export function ownerOfLabel(key: string): Provider | undefined {
  return KNOWN.find(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)));
}
