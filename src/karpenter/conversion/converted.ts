/** What a conversion gives: the converted object, or why Karpenter's conversion fails at it. */
import type { Misshapen } from "./misshapen.ts";
import type { Fields } from "./plain-fields.ts";

/** The one thing in the object at which Karpenter's conversion fails. */
export type Refusal = { readonly annotation: string } | { readonly alias: string } | Misshapen;

export type Converted = { readonly value: Fields } | { readonly refusal: Refusal };
