/** One part of an inventory as the data of a ConfigMap, and back. */
import type { Entry } from "./inventory.ts";

export type PartData = Readonly<Record<"set" | "parts" | "objects", string>>;

/** One object a line, for people. */
export function partData(entries: readonly Entry[], set: string, parts: number): PartData {
  const lines = entries.map(({ kind, name, uid, left, goes }) => JSON.stringify({ kind, name, uid, left, goes }));
  return { set, parts: String(parts), objects: `[${lines.map((line) => `\n${line}`).join(",")}\n]\n` };
}

interface ReadPart {
  readonly entries: readonly Entry[];
  /** How many there are, as the first one has it. */
  readonly parts: number;
}

/** Or why it cannot be read, in a few words: it may also be no inventory of this set. */
export function readPart(data: Readonly<Record<string, unknown>>, set: string): ReadPart | string {
  if (data["set"] !== set) return "it is not of this watch and hosted cluster";
  const parts = Number(data["parts"]);
  if (!Number.isSafeInteger(parts) || parts < 1) return "it does not say how many parts it has";
  const entries = parseEntries(data["objects"]);
  return typeof entries === "string" ? entries : { entries, parts };
}

function parseEntries(text: unknown): readonly Entry[] | string {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return "its objects are no JSON";
  }
  if (!Array.isArray(value)) return "its objects are no list";
  const wrong = value.findIndex((one) => !isEntry(one));
  return wrong === -1 ? (value as Entry[]) : `its object ${wrong + 1} is none`;
}

const FIELDS: readonly string[] = ["kind", "name", "uid", "left", "goes"];

/** A field that is not known was written by a version that means something by it. */
function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const { kind, name, uid = "-", left = "-", goes = true } = value as Record<string, unknown>;
  const isText = (text: unknown) => typeof text === "string" && text !== "";
  return (
    [kind, name, uid, left].every(isText) &&
    goes === true &&
    Object.keys(value).every((field) => FIELDS.includes(field))
  );
}
