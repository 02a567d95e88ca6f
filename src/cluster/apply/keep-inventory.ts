/** A pass's bookkeeping: one write before anything is made, one after, none if nothing changes. */
import type { ApiError } from "../api/api-answer.ts";
import type { StepResult } from "./execute.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import type { Step } from "../plan/step.ts";
import { changeAfter, changeBefore } from "./book.ts";
import { type Change, isEmpty, type Known } from "../inventory/inventory.ts";
import type { Place } from "../inventory/place.ts";
import type { InventoryReading } from "../inventory/read-inventory.ts";
import { writeInventory } from "../inventory/write-inventory.ts";

export interface Bookkeeping {
  /** Out comes why nothing may be made. */
  readonly before: (steps: readonly Step[]) => Promise<ApiError | undefined>;
  readonly after: (results: readonly StepResult[]) => Promise<ApiError | undefined>;
}

interface Options {
  readonly dryRun: boolean;
  /** Whether one that is missing is begun. */
  readonly mayBegin: boolean;
}

export function keepInventory(
  place: Place,
  { inventory, guest }: Pick<Inputs, "inventory" | "guest">,
  { dryRun, mayBegin }: Options,
): Bookkeeping {
  let now: InventoryReading = inventory;
  const write = async (change: Change): Promise<ApiError | undefined> => {
    const isBegun = now.state === "known";
    const mayWrite = !dryRun && (isBegun || (now.state === "missing" && mayBegin));
    if (!mayWrite || (isBegun && isEmpty(change))) return undefined;
    const written = await writeInventory(place, now, change);
    if (!written.ok) return written.error;
    now = written.value;
    return undefined;
  };
  const known = (): Known => (now.state === "known" ? now.known : new Map());
  return {
    before: (steps) => write(changeBefore(steps, known(), guest)),
    // One that could not be begun is begun by the next pass, which looks at everything anew.
    after: async (results) => (now.state === "known" ? write(changeAfter(results, known())) : undefined),
  };
}
