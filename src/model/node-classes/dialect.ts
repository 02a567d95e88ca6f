/** The result of a conversion between two dialects of one kind. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import type { Words } from "../../krm/findings/finding.ts";

export interface Conversion<T> {
  readonly spec: T;
  /** Fields with another path in the output than in the input. */
  readonly moves: readonly { readonly from: FieldPath; readonly to: FieldPath }[];
  readonly problems: readonly Problem[];
}

/** Words that follow the name of the field at `path`. */
export interface Problem extends Words {
  readonly path: FieldPath;
}

export function givenTwice(parent: FieldPath, old: string, now: string): Problem {
  return { path: [...parent, old], message: `is the old name of ${now}, which is given too`, hint: `keep ${now} only` };
}
