/** Whether a label is on every instance type, on some, or on none. */
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/labels.ts";

/** `always`: every instance type or offering has it. `optional`: some lack it. `custom`: no instance type has it. */
export type LabelPresence = "always" | "optional" | "custom";

/** What a provider of Karpenter knows of labels; each has its own. */
export interface KnownLabels {
  readonly wellKnown: ReadonlySet<string>;
  /** Those of `wellKnown` that an instance type may lack. */
  readonly optional: ReadonlySet<string>;
}

export const AWS_LABELS: KnownLabels = { wellKnown: WELL_KNOWN_LABELS, optional: OPTIONAL_LABELS };

/**
 * Who has the label (docs/upstream/karpenter.md#absent-labels); it decides whether an empty merge blocks or is passed
 * by.
 *
 * @param key normalised
 */
export function labelPresence(key: string, { wellKnown, optional }: KnownLabels = AWS_LABELS): LabelPresence {
  if (!wellKnown.has(key)) return "custom";
  return optional.has(key) ? "optional" : "always";
}
