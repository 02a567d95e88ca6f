/** `anp watch` on a terminal: shows state and log on the dashboard, and passes its keys on. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Fleet } from "../../cluster/fleet/fleet.ts";
import type { RunOptions, RunOutcome } from "../../cluster/run/run.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { Context } from "../cli/context.ts";
import { pricesFor } from "../input/load-catalogue.ts";
import { fleetSource, recentLog } from "./fleet-source.ts";

type Run = (options: Required<Pick<RunOptions, "log" | "onFleet">>) => Promise<RunOutcome>;

/** Runs until the watch ends. If the dashboard closes or fails, log lines go to the standard error again. */
export async function runOnDashboard(run: Run, catalogue: CatalogueFor, context: Context): Promise<RunOutcome> {
  const prices = memoize(() => pricesFor(catalogue, {}, context));
  const [{ sortBySeverity, showDashboard }, { formatLogEntry }] = await Promise.all([
    import("../../report/dashboard/show-dashboard.ts"),
    import("../../cluster/objects/log-entry.ts"),
  ]);
  const log = recentLog();
  const write: Required<RunOptions>["log"] = (entry, time) =>
    context.writeError(formatLogEntry(entry, time.toISOString(), "logfmt"));
  let isShown = true;
  let isOver = false;
  let close = (): void => undefined;
  const show = async (fleet: Fleet): Promise<void> => {
    const source = fleetSource(
      fleet,
      log,
      { catalogue, pricesFor: (settings) => prices()(settings), inOrder: sortBySeverity },
      context.machine,
    );
    try {
      const dashboard = await showDashboard({ source, style: context.outStyle("auto"), act: source.act });
      close = dashboard.close;
      if (isOver) close();
      await dashboard.closed;
    } catch (error) {
      // A failed dashboard must not stop the watch.
      for (const { entry, time } of log.entries()) write(entry, time);
      const [reason] = (error as Error).message.split("\n");
      context.writeError(`anp: the dashboard failed, please report it; watch goes on: ${reason ?? ""}\n`);
    } finally {
      isShown = false;
      source.stop();
    }
  };
  let shown: Promise<void> | undefined;
  try {
    return await run({
      onFleet: (fleet) => {
        shown = show(fleet);
      },
      log: (entry, time) => (isShown ? log.add(entry, time) : write(entry, time)),
    });
  } finally {
    isOver = true;
    close();
    await shown;
  }
}
