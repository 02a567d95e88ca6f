/** The result of a conversion: the object, or the reason why Karpenter's conversion fails. */
import type { MalformedField } from "./malformed-field.ts";
import type { Fields } from "../../krm/values/fields.ts";

/** The part of the object that makes Karpenter's conversion fail. */
export type Refusal = { readonly annotation: string } | { readonly alias: string } | MalformedField;

export type Converted = { readonly value: Fields } | { readonly refusal: Refusal };
