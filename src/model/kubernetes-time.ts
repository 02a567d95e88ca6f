/** A time as the API server takes it: RFC 3339 in any case, with seconds and a zone. */
import * as z from "zod/mini";
import { withKeywords } from "./keywords.ts";

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** Knows the days of the months. */
const REAL = z.iso.datetime({ offset: true });

/** To the API server the format says it all; the pattern of ours would only make its messages long. */
export const kubernetesTime = () =>
  withKeywords(
    z.string().check(
      z.refine((text) => FORM.test(text) && REAL.safeParse(text.toUpperCase()).success, {
        error: "is no time, such as 2026-01-05T09:00:00Z",
      }),
    ),
    { format: "date-time" },
  );
