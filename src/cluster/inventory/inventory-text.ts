/** Reads and writes one part of an inventory as the data of a ConfigMap. */
import * as z from "zod/mini";
import type { Entry } from "./inventory.ts";

/** `before` is the list before the last change, from which a damaged part is repaired. Null removes it. */
export type PartData = Readonly<Record<"set" | "parts" | "objects", string>> & {
  readonly before?: string | null;
};

/** For `objects` and `before` together: a ConfigMap holds a megabyte (docs/upstream/hosts.md#sizes). */
const MOST_BYTES = 1_000_000;

/** Each part is read in every pass, so a forged number of parts must not cost more. */
export const MOST_PARTS = 64;

/** @param before the entries of this part as it was read; undefined leaves the copy unchanged */
export function partData(entries: readonly Entry[], set: string, parts: number, before?: readonly Entry[]): PartData {
  const objects = listText(entries);
  const data = { set, parts: String(parts), objects };
  if (before === undefined) return data;
  const earlier = listText(before);
  const fits = Buffer.byteLength(objects) + Buffer.byteLength(earlier) <= MOST_BYTES;
  return { ...data, before: fits ? earlier : null };
}

/** One object a line, so that users can read it. */
function listText(entries: readonly Entry[]): string {
  const lines = entries.map(({ kind, name, uid, left, goes, repaired, released }) =>
    JSON.stringify({ kind, name, uid, left, goes, repaired, released }),
  );
  return `[${lines.map((line) => `\n${line}`).join(",")}\n]\n`;
}

export interface ReadPart {
  /** The valid entries. */
  readonly entries: readonly Entry[];
  /** How many parts there are, by this part; undefined if it does not say so. */
  readonly parts: number | undefined;
  /** Why it is damaged, in a few words; undefined if it is not. */
  readonly wrong: string | undefined;
  /** It has fields of a later version of anp: this version must not overwrite it. */
  readonly isNewer: boolean;
}

export function readPart(data: Readonly<Record<string, unknown>>, set: string): ReadPart {
  const nothing = { entries: [], parts: undefined, isNewer: false };
  if (data["set"] !== set) return { ...nothing, wrong: "it belongs to another watch or hosted cluster" };
  const number = Number(data["parts"]);
  const parts = Number.isInteger(number) && number >= 1 && number <= MOST_PARTS ? number : undefined;
  const read = readList(data["objects"]);
  const wrong = parts === undefined ? "it does not say how many parts it has" : read.wrong;
  return { ...read, parts, wrong };
}

/** The valid entries of the earlier copy. */
export function earlierEntries(data: Readonly<Record<string, unknown>>, set: string): readonly Entry[] {
  return data["set"] === set && data["before"] !== undefined ? readList(data["before"]).entries : [];
}

const word = () => z.string().check(z.minLength(1));
const entrySchema = z.looseObject({
  kind: word(),
  name: word(),
  uid: z.optional(word()),
  left: z.optional(word()),
  goes: z.optional(z.literal(true)),
  repaired: z.optional(z.literal(true)),
  released: z.optional(z.literal(true)),
});
const FIELDS = Object.keys(entrySchema.shape);

function readList(text: unknown): Omit<ReadPart, "parts"> {
  const nothing = { entries: [], isNewer: false };
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return { ...nothing, wrong: "its objects are not JSON" };
  }
  if (!Array.isArray(value)) return { ...nothing, wrong: "its objects are not a list" };
  const read = value.map((one) => entrySchema.safeParse(one).success);
  const entries = value.filter((_, index) => read[index]) as Entry[];
  const isNewer = entries.some((entry) => Object.keys(entry).some((field) => !FIELDS.includes(field)));
  const wrong = isNewer ? "a later version wrote it" : undefined;
  return { entries, isNewer, wrong: read.includes(false) ? `its object ${read.indexOf(false) + 1} is invalid` : wrong };
}
