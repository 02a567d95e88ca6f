/** `anp watch --observe`: a watch that runs elsewhere, on the dashboard or once as a table. */
import type { Observation } from "../../cluster/run/observe.ts";
import type { ObservedCluster, ObservedFleet } from "../../cluster/observe/observed.ts";
import { once } from "../../model/once.ts";
import type { WatchedSource } from "./fleet-source.ts";
import { looking } from "./looking.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";
import type { Context } from "../cli/context.ts";
import { catalogues } from "../input/load-catalogue.ts";
import { pricesFor } from "../input/load-prices.ts";
import type { WatchOptions } from "./config.ts";
import { type OpenedSights, observedView, type ViewOptions } from "./observed-views.ts";
import { observeSpecOf } from "./observe-spec.ts";

/** @param given names of the options that the user has written */
export async function runObserve(
  paths: readonly string[],
  options: WatchOptions,
  given: readonly string[],
  context: Context,
): Promise<ExitCode> {
  const spec = observeSpecOf(paths, options, given, context);
  const isShown = options.once !== true && options.output === undefined && context.machine.isInteractive();
  // All the network, and the packages it takes, are loaded here only.
  const [{ observe }, { byTrouble, observedTable, showDashboard }] = await Promise.all([
    import("../../cluster/run/run-watch.ts"),
    import("../../report/dashboard/show-dashboard.ts"),
  ]);
  const catalogue = catalogues(undefined, context);
  const perhaps: Parameters<typeof observe>[0]["catalogue"] = (settings) => {
    try {
      return catalogue(settings);
    } catch {
      // Then every verdict is unknown.
      return undefined;
    }
  };
  let isNews = true;
  const observation = observe({ ...spec, catalogue: perhaps }, !isShown, () => {
    isNews = true;
  });
  const prices = once(() => pricesFor(catalogue, {}, context));
  const asked = {
    catalogue,
    pricesFor: ((settings) => prices()(settings)) satisfies ViewOptions["pricesFor"],
    inOrder: byTrouble,
  };
  try {
    if (isShown) {
      const source = observedSource(observation, asked, context, () => {
        const was = isNews;
        isNews = false;
        return was;
      });
      const dashboard = await showDashboard({ source, style: context.outStyle("auto"), act: () => dashboard.close() });
      await dashboard.closed;
      source.stop();
      return EXIT.done;
    }
    await observation.asked;
    const fleet = observation.fleet();
    for (const problem of fleet.problems) context.writeError(`anp: ${problem}\n`);
    const now = context.machine.now();
    if (options.output === "json") context.writeOut(`${JSON.stringify(plainFleet(fleet), undefined, 2)}\n`);
    else if (fleet.clusters.length > 0 || fleet.problems.length === 0)
      context.writeOut(observedTable(observedView(fleet, { ...asked, now }, new WeakMap())));
    return exitCodeOf(fleet);
  } finally {
    observation.stop();
  }
}

function observedSource(
  observation: Observation,
  asked: Omit<ViewOptions, "now">,
  { machine }: Context,
  hasNews: () => boolean,
): Omit<WatchedSource, "act"> {
  const sights: OpenedSights = new WeakMap();
  const look = () => observedView(observation.fleet(), { ...asked, now: machine.now() }, sights);
  return looking(look, hasNews, machine);
}

/** As `--once` ends: what failed, or nobody tries, weighs more than what is held; what nobody can tell is no trouble. */
function exitCodeOf({ clusters, problems }: ObservedFleet): ExitCode {
  const results = new Set(clusters.map(({ told }) => told.result));
  if (problems.length > 0 || results.has("failed") || results.has("untried")) return EXIT.cluster;
  return results.has("held") ? EXIT.no : EXIT.done;
}

function plainFleet({ clusters, replicas, problems }: ObservedFleet): object {
  return { clusters: clusters.map(plainCluster), replicas, problems };
}

function plainCluster({ name, hostedCluster, told, keeper, made, guest, events, dryRun }: ObservedCluster): object {
  const { result, mode, ready, since, notes } = told;
  const sight = guest.state === "read" ? guest.sight : undefined;
  return {
    name,
    namespace: hostedCluster,
    result: result ?? "unknown",
    since,
    policy: mode,
    ready,
    notes,
    keeper,
    dryRun,
    made: made?.map(({ kind, name: object }) => ({ kind, name: object })),
    guest:
      sight === undefined
        ? { read: false, why: guest.state === "read" ? undefined : guest.why }
        : {
            read: true,
            objects: [
              ...sight.results.map(({ step: { kind, name: object, action, reason } }) => ({
                kind,
                name: object,
                state: action,
                reason: reason === "" ? undefined : reason,
              })),
              ...[...sight.unknown].map(([id, reason]) => {
                const [kind, object] = id.split("/");
                return { kind, name: object, state: "unknown", reason };
              }),
            ],
            verdicts: sight.verdicts.map(({ pool, verdict, why }) => ({
              pool,
              verdict,
              why: why === "" ? undefined : why,
            })),
            findings: sight.findings,
          },
    events: [...events, ...(sight?.events ?? [])],
  };
}
