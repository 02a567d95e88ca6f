/** The form of a currency's name, apart from what only says prices. */
import * as z from "zod/mini";
import { once } from "./once.ts";

/** As ISO 4217 has it. */
export const currencyCode = once(() =>
  z.string().check(z.regex(/^[A-Z]{3}$/, { error: "is no currency: write three letters, such as USD" })),
);
