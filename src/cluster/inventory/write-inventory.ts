/** Writes a change to an inventory; where somebody was faster, it is read again first. */
import { type Answer, failed, succeeded } from "../api/api-answer.ts";
import type { LiveObject } from "../api/live-object.ts";
import { canonical } from "../../krm/canonical.ts";
import { type Change, changed } from "./inventory.ts";
import { partData } from "./inventory-text.ts";
import { describePlace, type Place } from "./place.ts";
import { dataOf, type InventoryReading, readInventory } from "./read-inventory.ts";

/** Two replicas meet once, at most; several times is somebody who writes without end. */
const TRIES = 5;

/** @param reading known or missing; one that is missing is begun, even with nothing in it */
export async function writeInventory(
  place: Place,
  reading: InventoryReading,
  change: Change,
): Promise<Answer<InventoryReading>> {
  let now = reading;
  for (let attempt = 1; ; attempt++) {
    if (now.state === "unreadable") return failed(now.error);
    const answer = await attemptToWrite(place, now, change);
    if (!answer.ok && !(answer.error.kind === "conflict" && attempt < TRIES))
      return failed({ ...answer.error, message: `${describePlace(place)} cannot be written: ${answer.error.message}` });
    // Also what was written is read: only what is there may be relied on.
    now = await readInventory(place);
    if (answer.ok) return now.state === "unreadable" ? failed(now.error) : succeeded(now);
  }
}

async function attemptToWrite(place: Place, reading: InventoryReading, change: Change): Promise<Answer<true>> {
  const stored = reading.state === "known" ? reading.parts : [];
  const before = stored.map(({ entries }) => entries);
  const after = changed(before.length === 0 ? [[]] : before, change);
  const isNew = (part: number) => stored[part] === undefined;
  const numbers = [...after.keys()].filter(
    (part) =>
      isNew(part) ||
      canonical(after[part]) !== canonical(before[part]) ||
      // The first one says how many there are.
      (part === 0 && after.length !== before.length),
  );
  // So it comes last: until then nobody knows of the new ones.
  for (const part of numbers.toReversed()) {
    const resourceVersion = isNew(part) ? await begin(place, part) : succeeded(stored[part]!.resourceVersion);
    if (!resourceVersion.ok) return resourceVersion;
    const data = partData(after[part]!, place.set, after.length);
    const patch = { metadata: { resourceVersion: resourceVersion.value }, data };
    const written = await place.api.patch(place.collection, place.nameOf(part), patch);
    if (!written.ok) return written;
  }
  return succeeded(true);
}

/** Server-side apply names what it creates, so that RBAC can name it too. It says nothing of the data: whoever was faster keeps them. */
async function begin(place: Place, part: number): Promise<Answer<string>> {
  const { collection, set, nameOf } = place;
  const labels = { "app.kubernetes.io/managed-by": "anp", "anp.hypershift.openshift.io/set": set };
  const object = { apiVersion: collection.apiVersion, kind: collection.kind, metadata: { name: nameOf(part), labels } };
  const made = await place.api.apply(collection, object, { dryRun: false, force: true });
  if (!made.ok) return made;
  return part === 0 && hasData(made.value) ? failed(overtaken) : succeeded(made.value.metadata.resourceVersion);
}

function hasData(live: LiveObject): boolean {
  return dataOf(live) !== undefined;
}

const overtaken = {
  kind: "conflict",
  status: undefined,
  reason: "Conflict",
  message: "somebody else has begun it in the meantime",
} as const;
