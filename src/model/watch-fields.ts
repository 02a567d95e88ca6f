/** Fields that a WatchConfig and the settings of one of its clusters have in common. */
import * as z from "zod/mini";
import { parseWatchInterval, WATCH_INTERVALS } from "./watch-interval.ts";

/** How far Hard limits on nodes are kept. */
export const NODE_LIMITS = ["Disruption", "Full", "Off"] as const;

export const watchDuration = () =>
  z.string().check(
    z.refine((value) => parseWatchInterval(value) !== undefined, {
      error: `is not an interval: write ${WATCH_INTERVALS}`,
    }),
  );

/** The variable that names the cluster to a process that a watch starts for one pass of it. */
export const ALONE_VARIABLE = "ANP_PASS_ALONE";
