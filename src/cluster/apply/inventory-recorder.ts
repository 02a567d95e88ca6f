/** Writes the inventory of a pass: once before objects are created, once after; only changes. */
import type { ApiError } from "../api/api-answer.ts";
import type { StepResult } from "./execute.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import type { Step } from "../plan/step.ts";
import { inventoryAfter, inventoryBefore } from "./inventory-changes.ts";
import { type Change, isEmpty, type Known } from "../inventory/inventory.ts";
import type { InventoryLocation } from "../inventory/location.ts";
import { type InventoryReading, knownIn } from "../inventory/read-inventory.ts";
import { writeInventory } from "../inventory/write-inventory.ts";

export interface InventoryRecorder {
  /** Returns why nothing may be created. */
  readonly before: (steps: readonly Step[]) => Promise<ApiError | undefined>;
  readonly after: (results: readonly StepResult[]) => Promise<ApiError | undefined>;
}

interface Options {
  readonly dryRun: boolean;
  /** Whether a missing inventory is created, and a damaged one repaired. */
  readonly mayBegin: boolean;
}

export function inventoryRecorder(
  location: InventoryLocation,
  { inventory, guest }: Pick<Inputs, "inventory" | "guest">,
  { dryRun, mayBegin }: Options,
): InventoryRecorder {
  let now: InventoryReading = inventory;
  const write = async (change: Change): Promise<ApiError | undefined> => {
    const isWhole = now.state === "known";
    const mayWrite = !dryRun && (isWhole || (now.state !== "unreadable" && mayBegin));
    if (!mayWrite || (isWhole && isEmpty(change))) return undefined;
    const written = await writeInventory(location, now, change);
    if (!written.ok) return written.error;
    now = written.value;
    return undefined;
  };
  const known = (): Known => knownIn(now) ?? new Map();
  return {
    before: (steps) => write(inventoryBefore(steps, known(), guest)),
    // If it could not be created, the next pass reads everything again and creates it.
    after: async (results) => (now.state === "known" ? write(inventoryAfter(results, known())) : undefined),
  };
}
