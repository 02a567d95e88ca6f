/** The providers of Karpenter, and the labels that belong to another provider than a pool's. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { AWS } from "./aws.ts";
import { EKS_AUTO } from "./eks-auto.ts";
import { OTHER_GROUPS, otherProvider } from "./other.ts";
import type { Provider } from "./provider.ts";
import type { Words } from "../../krm/findings/finding.ts";

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
function ownerOfLabel(key: string): Provider | undefined {
  return KNOWN.find(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)));
}

/**
 * Undefined for a label that is not of another provider.
 *
 * @param provider of the pool
 */
export function foreignLabel(key: string, provider: Provider): Words | undefined {
  const owner = ownerOfLabel(key);
  if (owner === undefined || owner === provider) return undefined;
  const message = `${key} is a label of ${owner.title}, which selects no instance type of ${provider.title}`;
  return { message, hint: hintFor(key, provider) };
}

/** Suggests the provider's own label of the same name. */
function hintFor(key: string, { prefixes, labels, title }: Provider): string {
  const own = [...labels.wellKnown].filter((label) => prefixes.some((prefix) => label.startsWith(prefix)));
  const meant = nearestWord(nameOf(key), own.map(nameOf), 2);
  const label = own.find((one) => nameOf(one) === meant);
  return label === undefined ? `remove it, or use a label of ${title}` : `did you mean ${label}?`;
}

function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}
