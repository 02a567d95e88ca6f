/** `spec.disruption` of a pool: the same for wrapper and NodePool. */
import type { Profile } from "../../../../src/model/crds/profile.ts";
import { many, no, ok, type Row } from "./table.ts";

const FROM_1_14: readonly Profile[] = ["karpenter-1.14", "karpenter-1.15"];
const FROM_1_15: readonly Profile[] = ["karpenter-1.15"];

export const after = { consolidateAfter: "0s" };
const budgets = (...list: unknown[]) => ({ ...after, budgets: list });
const nodes = (value: unknown) => budgets({ nodes: value });
const reasons = (...list: unknown[]) => budgets({ nodes: "1", reasons: list });
const window = (schedule: unknown, duration: unknown) => budgets({ nodes: "1", schedule, duration });
const DAILY = "0 9 * * mon-fri";

export const BUDGETS: readonly Row[] = [
  ["no budget", ok, budgets()],
  ["50 budgets", ok, budgets(...many(50, () => ({ nodes: "1" })))],
  ["51 budgets", no, budgets(...many(51, () => ({ nodes: "1" })))],
  ["nodes left out", ok, budgets({ reasons: ["Empty"] })],
  ["no node", ok, nodes("0")],
  ["many nodes", ok, nodes("4294967296")],
  ["leading zeros", ok, nodes("007")],
  ["100%", ok, nodes("100%")],
  ["101%", no, nodes("101%")],
  ["0%", ok, nodes("0%")],
  ["half a percent", no, nodes("0.5%")],
  ["a blank before the percent sign", no, nodes("10 %")],
  ["a percent sign alone", no, nodes("%")],
  ["a minus sign", no, nodes("-1")],
  ["a number without quotes", no, nodes(5)],
  ["no reason", ok, reasons()],
  ["three reasons", ok, reasons("Underutilized", "Empty", "Drifted")],
  ["the reason Unhealthy", FROM_1_15, reasons("Unhealthy")],
  ["an unknown reason", no, reasons("Expired")],
  ["a reason in small letters", no, reasons("empty")],
  ["a reason twice", no, reasons("Empty", "Empty")],
  ["schedule and duration", ok, window(DAILY, "8h")],
  ["a schedule alone", no, budgets({ nodes: "1", schedule: DAILY })],
  ["a duration alone", no, budgets({ nodes: "1", duration: "8h" })],
  ["@daily", ok, window("@daily", "8h")],
  ["@dailyfoo, which fails at run time only", ok, window("@dailyfoo", "8h")],
  ["@never", no, window("@never", "8h")],
  ["four fields", no, window("0 9 * *", "8h")],
  ["six fields, which fail at run time only", ok, window("0 0 9 * * *", "8h")],
  ["tabs between the fields", ok, window("0\t9\t*\t*\tmon", "8h")],
  ["hard blanks between the fields", no, window("0\u00a09\u00a0*\u00a0*\u00a0mon", "8h")],
  ["an empty schedule", no, window("", "8h")],
  ["hours and minutes", ok, window(DAILY, "1h30m")],
  ["minutes", ok, window(DAILY, "30m")],
  ["no time at all", ok, window(DAILY, "0m")],
  ["seconds that are none", ok, window(DAILY, "8h0s")],
  ["seconds", no, window(DAILY, "30s")],
  ["days", no, window(DAILY, "1d")],
  ["minutes before hours", no, window(DAILY, "30m1h")],
  ["a field that is none", no, budgets({ nodes: "1", timeZone: "Europe/Berlin" })],
];

export const DISRUPTION: readonly Row[] = [
  ["consolidateAfter alone", ok, after],
  ["consolidateAfter left out", FROM_1_15, { consolidationPolicy: "WhenEmpty" }],
  ["empty", FROM_1_15, {}],
  ["consolidateAfter Never", ok, { consolidateAfter: "Never" }],
  ["consolidateAfter in days", no, { consolidateAfter: "1d" }],
  ["WhenEmpty", ok, { ...after, consolidationPolicy: "WhenEmpty" }],
  ["WhenEmptyOrUnderutilized", ok, { ...after, consolidationPolicy: "WhenEmptyOrUnderutilized" }],
  ["Balanced", FROM_1_14, { ...after, consolidationPolicy: "Balanced" }],
  ["the WhenUnderutilized of v1beta1", no, { ...after, consolidationPolicy: "WhenUnderutilized" }],
  ["a mapping as policy", no, { ...after, consolidationPolicy: { toString: "WhenEmpty" } }],
  ["the expireAfter of v1beta1", no, { ...after, expireAfter: "720h" }],
  ["budgets that are no list", no, { ...after, budgets: { nodes: "1" } }],
];
