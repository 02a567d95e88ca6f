/** Writes a change to an inventory, and reads it again and retries after a conflict. */
import { type Answer, failed, localError, succeeded } from "../api/api-answer.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { type Change, changed } from "./inventory.ts";
import { partData, readPart } from "./inventory-text.ts";
import { describeLocation, type InventoryLocation } from "./location.ts";
import { dataOf, type InventoryReading, readInventory } from "./read-inventory.ts";

/** Two replicas conflict once at most. More conflicts mean a writer that does not stop. */
const TRIES = 5;

/** @param reading not an unreadable one. A missing inventory is created and a damaged one is rewritten, even without a change */
export async function writeInventory(
  location: InventoryLocation,
  reading: InventoryReading,
  change: Change,
): Promise<Answer<InventoryReading>> {
  let now = reading;
  for (let attempt = 1; ; attempt++) {
    if (now.state === "unreadable") return failed(now.error);
    const answer = await attemptToWrite(location, now, change);
    if (!answer.ok && !(answer.error.kind === "conflict" && attempt < TRIES))
      return failed({
        ...answer.error,
        message: `${describeLocation(location)} cannot be written: ${answer.error.message}`,
      });
    // Read it after the write as well: only stored entries can be relied on.
    now = await readInventory(location);
    // The other writer may have repaired it. If not, the next pass reads everything again.
    if (!answer.ok && now.state === "damaged") return failed(answer.error);
    if (answer.ok) return now.state === "unreadable" ? failed(now.error) : succeeded(now);
  }
}

async function attemptToWrite(
  location: InventoryLocation,
  reading: InventoryReading,
  change: Change,
): Promise<Answer<true>> {
  const stored = reading.state === "known" || reading.state === "damaged" ? reading.parts : [];
  const before = stored.map(({ entries }) => entries);
  const after = changed(before.length === 0 ? [[]] : before, change);
  const isNew = (part: number) => stored[part]?.resourceVersion === undefined;
  const numbers = [...after.keys()].filter(
    (part) =>
      isNew(part) ||
      reading.state === "damaged" ||
      canonical(after[part]) !== canonical(before[part]) ||
      // The first part says how many parts there are.
      (part === 0 && after.length !== before.length),
  );
  // Write the first part last: until then readers do not know of the new parts.
  for (const part of numbers.toReversed()) {
    const resourceVersion = isNew(part) ? await begin(location, part) : succeeded(stored[part]!.resourceVersion!);
    if (!resourceVersion.ok) return resourceVersion;
    // A damaged list must not replace the earlier copy.
    const copy = reading.state === "known" ? before[part] : undefined;
    const data = partData(after[part]!, location.set, after.length, copy);
    const { wrong } = readPart({ ...data }, location.set);
    // The next pass could not read such data.
    if (wrong !== undefined) return failed(localError("invalid", `it would be damaged: ${wrong}`));
    const patch = { metadata: { resourceVersion: resourceVersion.value }, data };
    const written = await location.api.patch(location.collection, location.nameOf(part), patch);
    if (!written.ok) return written;
  }
  return succeeded(true);
}

/** Server-side apply has the name in its URL, so that RBAC can restrict it. It omits the data, so that those of a faster writer stay. */
async function begin(location: InventoryLocation, part: number): Promise<Answer<string>> {
  const { collection, set, nameOf } = location;
  const labels = { "app.kubernetes.io/managed-by": "anp", "anp.hypershift.openshift.io/set": set };
  const object = { apiVersion: collection.apiVersion, kind: collection.kind, metadata: { name: nameOf(part), labels } };
  const made = await location.api.apply(collection, object, { dryRun: false, force: true });
  if (!made.ok) return made;
  return part === 0 && dataOf(made.value) !== undefined
    ? failed(localError("conflict", "another writer has created it in the meantime"))
    : succeeded(made.value.metadata.resourceVersion);
}
