/** Suggests the well-known label for a misspelled key. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { AWS_LABELS, type KnownLabels, labelPresence } from "./label-presence.ts";
import { normalizeKey } from "./requirement.ts";

/** For a typo, or the right name in another domain; undefined for a custom label. */
export function labelSuggestion(key: string, { wellKnown, optional }: KnownLabels = AWS_LABELS): string | undefined {
  if (labelPresence(normalizeKey(key), { wellKnown, optional }) !== "custom") return undefined;
  const slash = key.lastIndexOf("/");
  const [domain, name] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
  const known = [...wellKnown];
  const near = nearestWord(key, known, 2);
  if (near !== undefined || !/^$|kubernetes\.io$|k8s\.(io|aws)$/.test(domain)) return near;
  return known.find((label) => label.slice(label.indexOf("/") + 1) === name);
}
