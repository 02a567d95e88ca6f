/** Whether a label is on every instance type, on some, or on none: decides if an empty merge blocks or is passed by. */
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../model/labels.ts";

/** `always`: every instance type or offering has it. `optional`: some lack it. `custom`: no instance type has it. */
export type LabelPresence = "always" | "optional" | "custom";

/** karpenter.md 1.4. @param key normalised */
export function labelPresence(key: string): LabelPresence {
  if (!WELL_KNOWN_LABELS.has(key)) return "custom";
  return OPTIONAL_LABELS.has(key) ? "optional" : "always";
}
