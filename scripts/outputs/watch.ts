/** The answers of `anp watch --observe -o json` and `anp watch shards -o json` as JSON Schemas. */
import * as z from "zod";
import { findingShape } from "./check.ts";
import * as words from "./words.ts";
import { count, flag, listOf, said, text, texts } from "./words.ts";

const event = z.strictObject({
  at: said(z.iso.datetime(), "When it was told last."),
  type: text("Normal or Warning."),
  reason: text("In one word."),
  about: text("The object that it is about."),
  note: text("In words."),
  count: count("How often it was told."),
});

const why = text("Why.");

const guest = z.union([
  z.strictObject({ read: said(z.literal(false), "The guest cluster was not read."), why: why.optional() }),
  z.strictObject({
    read: said(z.literal(true), "The guest cluster was read."),
    objects: listOf(
      z.strictObject({
        kind: text("Of the object."),
        name: text("Of the object."),
        state: text("How what is live compares with what this anp would render."),
        reason: why.optional(),
      }),
      "What the watch makes there.",
    ),
    verdicts: listOf(
      z.strictObject({ pool: text("Its name."), verdict: text("Of anp explain."), why: why.optional() }),
      "Of each pool.",
    ),
    findings: listOf(
      z.strictObject({ ...findingShape, excerpt: text("The line at the place.").optional() }),
      "Of rendering.",
    ),
  }),
]);

const cluster = z.strictObject({
  name: text("Of the watch."),
  namespace: text("The hosted control plane's."),
  result: said(z.enum(["ok", "held", "failed", "untried", "unknown"]), "What came of the last pass."),
  since: text("Since when it says so.").optional(),
  policy: said(z.enum(["Apply", "Hold", "Permissive"]), "What becomes of the policy.").optional(),
  ready: said(
    z.strictObject({
      type: text("Ready.").optional(),
      status: text("Whether it holds."),
      reason: text("In one word."),
      message: text("In words."),
      observedGeneration: count("Of the policy.").optional(),
      lastTransitionTime: text("When it changed last.").optional(),
    }),
    "The policy's condition.",
  ).optional(),
  notes: texts("What else there is to know."),
  keeper: said(
    z.union([
      z.strictObject({ state: said(z.literal("works"), "Somebody does."), replica: text("Who.") }),
      z.strictObject({ state: said(z.enum(["nobody", "unknown"]), "Nobody does, or nobody can tell."), why }),
    ]),
    "Who works on it.",
  ),
  dryRun: flag("Whether the watch changes nothing."),
  made: listOf(
    z.strictObject({ kind: text("Of the object."), name: text("Of the object.") }),
    "By the inventory; not there where it cannot be read.",
  ).optional(),
  guest: said(guest, "The last look at the guest cluster."),
  events: listOf(event, "Newest last on each side."),
});

export const observeSchema = words.answer("watch --observe -o json", "watch-observe.md", {
  clusters: listOf(cluster, "Each hosted cluster."),
  replicas: listOf(
    z.strictObject({
      replica: text("Its name."),
      lives: flag("Whether it renews its Lease."),
      shards: count("How many it holds.").optional(),
    }),
    "Those of the watch.",
  ),
  problems: texts("What cannot be read, so that something is not known."),
});

export const shardsSchema = words.answer("watch shards -o json", "watch-fleet.md", {
  shards: listOf(
    z.strictObject({
      shard: count("From 0."),
      replica: text("Not there where nobody holds it.").optional(),
      clusters: texts("Namespaces of hosted control planes."),
    }),
    "Each shard.",
  ),
  replicas: listOf(
    z.strictObject({
      replica: text("Its name."),
      lives: flag("Whether it renews its Lease."),
      ending: flag("Whether it takes nothing more."),
      range: text("The shards that it shares with others."),
      of: count("How many shards there are."),
      shards: count("How many it holds."),
      clusters: count("How many hosted clusters it keeps."),
      renewTime: text("By the clock of its machine.").optional(),
    }),
    "Each replica.",
  ),
});
