/** JSON Schemas of the answers of `anp simulate -o json`. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { count, listOf, orNull, described, text, texts } from "../../model/schema/answer-schema.ts";

const moment = (description: string) => orNull(z.iso.datetime({ offset: true }), description);
const amount = (description: string) => orNull(z.union([z.int(), z.string()]), description);

const disruption = listOf(
  z.strictObject({
    reason: text("The reason for disruption."),
    budget: orNull(z.int(), "How many nodes the budgets let go, before those that are going already; null: no bound."),
    allowed: orNull(z.int(), "How many more may go now; null: no bound."),
    blockedBy: orNull(
      z.enum(["budget", "nodeLimit", "schedule-error"]),
      "What blocks all disruption; null if nothing does.",
    ),
  }),
  "By reason.",
);

const settles = z.strictObject({
  until: described(
    z.enum(["at-once", "by", "open", "never"]),
    "When a change that is made now applies to running nodes.",
  ),
  earliest: moment("Not before; null if it is unknown."),
  latest: moment("By then; null if it is unbounded."),
  why: text("The reason."),
  steps: listOf(
    z.strictObject({
      at: described(z.iso.datetime({ offset: true }), "The beginning."),
      gone: count("How many nodes are gone."),
    }),
    "At the earliest; empty if it is unknown.",
  ),
});

const pool = z.strictObject({
  name: text("The name of the pool."),
  hostedCluster: orNull(z.string(), "The hosted cluster, if the pools belong to several.").exactOptional(),
  nodes: count("How many nodes it has."),
  limit: orNull(
    z.strictObject({
      nodes: described(z.union([z.int(), z.string()]), "A text if it is too large for a number."),
      mode: described(z.enum(["Hard", "Soft"]), "Whether it blocks disruption as well."),
    }),
    "The limit on nodes; null if there is none.",
  ),
  headroom: amount("Room under the limit; null if there is none."),
  provisioning: described(z.enum(["allowed", "blocked"]), "Whether nodes may be added."),
  messages: texts("The messages of Karpenter's events."),
  disruption,
  gates: listOf(
    z.strictObject({
      reason: text("The reason for disruption."),
      gate: text("The feature gate of Karpenter."),
      on: described(z.boolean(), "Whether it is on."),
      means: text("What follows for the nodes of the pool, beside the numbers of budgets and limits."),
    }),
    "By reason, if a feature gate decides about it.",
  ).exactOptional(),
  deprovision: texts("The nodes that must go, the first one first."),
  worstCase: amount("With --batch: the maximum number of nodes; null without a limit.").exactOptional(),
  roll: described(
    z.strictObject({
      nodes: count("How many are replaced."),
      begins: moment("When the first one goes; null if none may within a year."),
      ends: moment("When the last one is replaced; null if that takes more than a year."),
      atOnce: count("The most at the same time."),
    }),
    "With --node-time: replacing all nodes.",
  ).exactOptional(),
  settles: described(settles, "For a change that is made now and replaces all its nodes."),
  timeline: listOf(
    z.strictObject({
      from: described(z.iso.datetime({ offset: true }), "Its beginning."),
      to: described(z.iso.datetime({ offset: true }), "Its end."),
      disruption,
    }),
    "With --from and --to: stretches without a change.",
  ).exactOptional(),
});

export const simulateSchema = words.answer("simulate -o json", "simulate.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  at: described(z.iso.datetime({ offset: true }), "The time of the answer."),
  nodePools: listOf(pool, "Each pool."),
});

export type SimulateAnswer = z.infer<typeof simulateSchema>;

export const localWindowSchema = words.answer("simulate --local-window -o json", "simulate.md", {
  schemaVersion: words.schemaVersion,
  budgets: listOf(
    z.strictObject({
      nodes: described(z.literal("0"), "No node may go."),
      schedule: text("A cron expression in UTC."),
      duration: text("Its length."),
    }),
    "The budgets that keep the window closed.",
  ),
});
