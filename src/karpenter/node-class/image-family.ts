/** Reads the image family of an EC2NodeClass from its field and its alias. */
import { valueAt } from "../../krm/field-path.ts";

export interface ImageFamilies {
  /** `amiFamily`, in lower case; undefined if absent. */
  readonly field: string | undefined;
  /** Family of the alias in `amiSelectorTerms`, in lower case; undefined if there is none. */
  readonly alias: string | undefined;
}

export function imageFamiliesOf(nodeClass: unknown): ImageFamilies {
  const field = valueAt(nodeClass, ["spec", "amiFamily"]);
  const terms = valueAt(nodeClass, ["spec", "amiSelectorTerms"]);
  const aliases = Array.isArray(terms) ? terms.map((term: unknown) => valueAt(term, ["alias"])) : [];
  const alias = aliases.find((text): text is string => typeof text === "string" && text !== "");
  return {
    field: typeof field === "string" ? field.toLowerCase() : undefined,
    alias: alias?.replace(/@.*/s, "").toLowerCase(),
  };
}
