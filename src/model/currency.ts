/** The format of a currency code, separate from the modules about prices. */
import * as z from "zod/mini";
import { memoize } from "./memoize.ts";

/** As in ISO 4217. */
export const currencyCode = memoize(() =>
  z.string().check(z.regex(/^[A-Z]{3}$/, { error: "is not a currency: write three letters, such as USD" })),
);
