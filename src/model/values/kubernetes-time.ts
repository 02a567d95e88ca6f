/** A time as the API server accepts it: RFC 3339 in any case, with seconds and a zone. */
import * as z from "zod/mini";
import { withKeywords } from "../schema/keywords.ts";

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** Checks the days of each month too. */
const REAL = z.iso.datetime({ offset: true });

/** The CRD states only the format; our own pattern would only make its messages long. */
export const kubernetesTime = () =>
  withKeywords(
    z.string().check(
      z.refine((text) => FORM.test(text) && REAL.safeParse(text.toUpperCase()).success, {
        error: "is not a time, such as 2026-01-05T09:00:00Z",
      }),
    ),
    { format: "date-time" },
  );
