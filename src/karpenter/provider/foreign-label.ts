/** Finds labels of another provider, which select nothing here. */
import type { Words } from "../../krm/finding.ts";
import { nearestWord } from "../../krm/nearest-word.ts";
import type { Provider } from "./provider.ts";
import { ownerOfLabel } from "./providers.ts";

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
