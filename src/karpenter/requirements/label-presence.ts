/** Determines what sets a label on nodes, and whether every instance type has it. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import {
  OPTIONAL_LABELS,
  PLACEMENT_GROUP_ID,
  PLACEMENT_GROUP_PARTITION,
  RESERVATION_LABELS,
  WELL_KNOWN_LABELS,
} from "../../model/requirements/labels.ts";
import { normalizeKey } from "./requirement.ts";

/**
 * - `always`: every instance type or offering has it.
 * - `optional`: some instance types lack it, and have DoesNotExist.
 * - `offering`: capacity in a reservation has it. Each instance type is also offered without it, so a pod can
 *   get such a node from a pool that requires the label.
 * - `class`: the node class decides. Instance types of a class without it do not have it, and match any
 *   requirement on it.
 * - `unknown`: a label of a provider whose instance types anp does not know.
 * - `custom`: no instance type has it.
 */
export type LabelPresence = "always" | "optional" | "offering" | "class" | "unknown" | "custom";

/** The labels of a provider of Karpenter. */
export interface KnownLabels {
  readonly wellKnown: ReadonlySet<string>;
  /** The labels of `wellKnown` that a node may lack. */
  readonly optional: ReadonlySet<string>;
  /** The labels of `wellKnown` of which anp does not know whether every node has them. */
  readonly unlisted?: Pick<ReadonlySet<string>, "has"> | undefined;
}

export const AWS_LABELS: KnownLabels = { wellKnown: WELL_KNOWN_LABELS, optional: OPTIONAL_LABELS };

const OF_OFFERINGS: ReadonlySet<string> = new Set(Object.values(RESERVATION_LABELS).flat());
const OF_CLASSES: ReadonlySet<string> = new Set([PLACEMENT_GROUP_ID, PLACEMENT_GROUP_PARTITION]);

/**
 * Determines whether an empty merge blocks or is ignored, and what else can remove the label
 * (docs/upstream/karpenter.md#absent-labels).
 *
 * @param key normalized
 */
export function labelPresence(key: string, known: KnownLabels = AWS_LABELS): LabelPresence {
  const { wellKnown, optional, unlisted } = known;
  if (!wellKnown.has(key)) return "custom";
  if (unlisted?.has(key) === true) return "unknown";
  // The catalogue of one class does not apply to others.
  if (OF_CLASSES.has(key)) return "class";
  if (OF_OFFERINGS.has(key)) return "offering";
  return optional.has(key) ? "optional" : "always";
}

/** The well-known label for a misspelt key: for a typo, or the right name in another domain; undefined for a custom label. */
export function labelSuggestion(key: string, labels: KnownLabels = AWS_LABELS): string | undefined {
  const presence = labelPresence(normalizeKey(key), labels);
  if (presence !== "custom" && presence !== "unknown") return undefined;
  const slash = key.lastIndexOf("/");
  const [domain, name] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
  const known = [...labels.wellKnown];
  const near = nearestWord(key, known, 2);
  if (near !== undefined || !/^$|kubernetes\.io$|k8s\.(io|aws)$/.test(domain)) return near;
  return known.find((label) => label.slice(label.indexOf("/") + 1) === name);
}
