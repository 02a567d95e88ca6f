/** What the inventory has to say before the steps of a plan are carried out, and afterwards. */
import type { StepResult } from "./execute.ts";
import type { LiveApplied } from "../read/read-guest.ts";
import type { Step } from "../plan/step.ts";
import { printOf } from "../inventory/as-left.ts";
import { type Change, type Entry, entryId, type Known } from "../inventory/inventory.ts";

type Guest = Pick<LiveApplied, "live" | "unread">;

/** What is about to be made is entered first: of what anp makes and cannot say so afterwards, the name at least is known. */
export function changeBefore(steps: readonly Step[], known: Known, guest: Guest): Change {
  const enter: Entry[] = [];
  const set: Entry[] = [];
  for (const step of steps) {
    const { kind, name, action } = step;
    const entry = known.get(entryId(step));
    const uid = step.live?.metadata.uid;
    if (action === "create") enter.push({ kind, name });
    // What was in sync without an inventory is as anp left it, as far as anybody can tell.
    else if (step.takesIn && uid !== undefined)
      set.push({ kind, name, uid, left: action === "in-sync" ? printOf(step.live!) : undefined });
    else if (action === "prune" && entry?.goes === undefined) set.push({ ...entry, kind, name, goes: true });
    if (entry?.goes === true && (action === "create" || isKept(step))) set.push({ ...entry, goes: undefined });
  }
  return { enter: enter.filter((entry) => !known.has(entryId(entry))), set, drop: goneOf(known, steps, guest) };
}

/** Its wrapper is back before it went. */
function isKept({ action, takesIn }: Step): boolean {
  return !takesIn && (action === "update" || action === "in-sync" || action === "hold");
}

/** Only what anp itself has deleted. What vanished in another way may come back with a backup. */
function goneOf(known: Known, steps: readonly Step[], { live, unread }: Guest): Entry[] {
  const going = [...known.values()].filter(({ goes, kind }) => goes === true && !unread.has(kind));
  if (going.length === 0) return [];
  const uids = new Set(live.map(({ metadata }) => metadata.uid));
  const wanted = new Set(steps.filter(({ desired }) => desired !== undefined).map(entryId));
  return going.filter((entry) => !uids.has(entry.uid ?? "") && !wanted.has(entryId(entry)));
}

/** @param known as it was after the change before */
export function changeAfter(results: readonly StepResult[], known: Known): Change {
  const set: Entry[] = [];
  const drop: Entry[] = [];
  for (const { step, outcome, live, error } of results) {
    const { kind, name, action } = step;
    const entry = known.get(entryId(step));
    if (outcome === "done" && live !== undefined && (action === "create" || action === "update")) {
      const now: Entry = { kind, name, uid: live.metadata.uid, left: printOf(live) };
      if (entry?.uid !== now.uid || entry?.left !== now.left) set.push(now);
    }
    // An answer that never came may have made it.
    const isRefused = outcome === "skipped" || (outcome === "failed" && error?.kind !== "unavailable");
    if (action === "create" && isRefused && entry !== undefined && entry.uid === undefined) drop.push(entry);
  }
  return { enter: [], set, drop };
}
