/** The answers of `anp simulate -o json` as JSON Schemas. */
import * as z from "zod";
import * as words from "./words.ts";
import { count, listOf, orNull, said, text, texts } from "./words.ts";

const moment = (description: string) => orNull(z.iso.datetime({ offset: true }), description);
const amount = (description: string) => orNull(z.union([z.int(), z.string()]), description);

const disruption = listOf(
  z.strictObject({
    reason: text("Why Karpenter would take nodes."),
    budget: orNull(z.int(), "What the budgets let go, before those that are going already; null: no bound."),
    allowed: orNull(z.int(), "How many more may go now; null: no bound."),
    blockedBy: orNull(
      z.enum(["budget", "nodeLimit", "schedule-error"]),
      "What holds all back; null where nothing does.",
    ),
  }),
  "By reason.",
);

const settles = z.strictObject({
  until: said(z.enum(["at-once", "by", "open", "never"]), "When a change now holds for the nodes that run."),
  earliest: moment("Not before; null where nobody can tell."),
  latest: moment("By then; null where nothing bounds it."),
  why: text("What decides."),
  steps: listOf(
    z.strictObject({ at: said(z.iso.datetime({ offset: true }), "From when on."), gone: count("How many are gone.") }),
    "At the earliest; empty where nobody can tell.",
  ),
});

const pool = z.strictObject({
  name: text("Of the pool."),
  hostedCluster: orNull(z.string(), "Where the pools are of several.").optional(),
  nodes: count("How many it has."),
  limit: orNull(
    z.strictObject({
      nodes: said(z.union([z.int(), z.string()]), "A text where it is too large for a number."),
      mode: said(z.enum(["Hard", "Soft"]), "Whether it holds back disruption as well."),
    }),
    "Of nodes; null where there is none.",
  ),
  headroom: amount("Room under the limit; null where there is none."),
  provisioning: said(z.enum(["allowed", "blocked"]), "Whether nodes may come."),
  messages: texts("What Karpenter would say in events."),
  disruption,
  deprovision: texts("The nodes that have to go, the first one first."),
  worstCase: amount("With --batch: how many nodes there may be at most; null without a limit.").optional(),
  roll: said(
    z.strictObject({
      nodes: count("How many are replaced."),
      begins: moment("When the first one goes; null where none may within a year."),
      ends: moment("When the last one is replaced; null where that takes more than a year."),
      atOnce: count("The most at the same time."),
    }),
    "With --node-time: replacing all nodes.",
  ).optional(),
  settles: said(settles, "Of a change now that replaces all its nodes."),
  timeline: listOf(
    z.strictObject({
      from: said(z.iso.datetime({ offset: true }), "Its beginning."),
      to: said(z.iso.datetime({ offset: true }), "Its end."),
      disruption,
    }),
    "With --from and --to: stretches without a change.",
  ).optional(),
});

export const simulateSchema = words.answer("simulate -o json", "simulate.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  at: said(z.iso.datetime({ offset: true }), "The moment that was asked about."),
  nodePools: listOf(pool, "Each pool."),
});

export const localWindowSchema = words.answer("simulate --local-window -o json", "simulate.md", {
  schemaVersion: words.schemaVersion,
  budgets: listOf(
    z.strictObject({
      nodes: said(z.literal("0"), "None may go."),
      schedule: text("A cron expression in UTC."),
      duration: text("For how long."),
    }),
    "The budgets that keep the window closed.",
  ),
});
