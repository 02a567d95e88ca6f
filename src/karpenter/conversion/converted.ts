/** What a conversion gives: an object in the version asked for, or the one thing in it at which Karpenter's conversion fails. */
import type { Misshapen } from "./misshapen.ts";
import type { Fields } from "./plain-fields.ts";

export type Refusal = { readonly annotation: string } | { readonly alias: string } | Misshapen;

export type Converted = { readonly value: Fields } | { readonly refusal: Refusal };
