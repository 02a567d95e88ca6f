/** The objects of a plan as `terraform show -json` prints it, before and after it is applied. */
import { type Finding, findingInDocument, hasErrors, type Outcome } from "../findings/finding.ts";
import { parseSources } from "../parse/parse.ts";
import type { Resource } from "../places/resource.ts";
import type { Source } from "../places/source.ts";
import { JsonText } from "./json-value.ts";
import { manifestAttribute, manifestPieces } from "./manifest-value.ts";
import { placedSource } from "./placed-source.ts";
import { Budget, LimitReached, placeholderName, type Value } from "./values.ts";

export interface PlannedObjects {
  readonly before: Outcome<readonly Resource[]>;
  readonly after: Outcome<readonly Resource[]>;
  /** Values of variables that answers must not show, with what they show instead. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** Whether a text may be a plan as JSON. */
export function mayBePlan({ text }: Source): boolean {
  return /^\s*\{/.test(text) && text.includes('"format_version"') && text.includes('"resource_changes"');
}

/** The values of a large plan: some seconds of work. */
const MOST_WORK = 5_000_000;

/**
 * Undefined if it is no plan, or takes too long.
 * @param isOurs whether a text may hold what is of interest
 */
export function plannedObjects(source: Source, isOurs: (text: string) => boolean): PlannedObjects | undefined {
  try {
    JSON.parse(source.text);
    return new Plan({ ...source, withoutExcerpts: true }, isOurs).objects();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof LimitReached) return undefined;
    throw error;
  }
}

class Plan {
  readonly #source: Source;
  readonly #json: JsonText;
  readonly #isOurs: (text: string) => boolean;
  readonly #budget = new Budget(MOST_WORK);
  readonly #scalars = new Set<string>();

  constructor(source: Source, isOurs: (text: string) => boolean) {
    this.#source = source;
    this.#json = new JsonText(source);
    this.#isOurs = isOurs;
  }

  objects(): PlannedObjects {
    const before: Side = { value: [], findings: [] };
    const after: Side = { value: [], findings: [] };
    const top = new Map(this.#json.members(this.#json.start()));
    for (const at of this.#json.items(top.get("resource_changes") ?? -1)) this.#change(at, before, after);
    return { before, after, hidden: this.#variables(top.get("variables") ?? -1) };
  }

  #change(at: number, before: Side, after: Side): void {
    const members = new Map(this.#json.members(at));
    const text = (name: string): string => {
      const value = members.get(name);
      return value === undefined ? "" : String(JSON.parse(this.#source.text.slice(value, this.#json.end(value))));
    };
    const attribute = manifestAttribute(text("mode") === "data" ? "data" : "resource", text("type"));
    const change = members.get("change");
    if (attribute === undefined || change === undefined) return;
    const of = (name: string): Value | undefined => {
      const side = this.#json.member(change, name);
      const value = side === undefined ? undefined : this.#json.member(side, attribute);
      return value === undefined ? undefined : this.#json.value(value, this.#budget);
    };
    const isThere = (name: string): boolean => {
      const side = this.#json.member(change, name);
      return side !== undefined && this.#source.text[side] === "{";
    };
    const address = text("address");
    if (isThere("before")) this.#add(before, of("before"), address, at);
    if (isThere("after")) this.#add(after, withUnknown(of("after"), of("after_unknown"), address), address, at);
  }

  #add(side: Side, value: Value | undefined, address: string, at: number): void {
    const pieces = value === undefined ? undefined : manifestPieces(value, this.#budget);
    const document = { source: this.#source, start: 0, end: this.#source.text.length, secret: true };
    const unread = (): void => {
      const message = `the manifest of ${address} is only known after apply, and is not in the answer`;
      side.findings.push(findingInDocument("terraform-unread", document, at, { message }));
    };
    if (pieces === undefined) {
      if (this.#isOurs(address)) unread();
      return;
    }
    const { source } = placedSource(pieces, this.#source, this.#source.folder);
    if (!this.#isOurs(source.text)) return;
    const parsed = parseSources([{ ...source, address }]);
    if (hasErrors(parsed.findings) && pieces.some(({ isUnknown }) => isUnknown)) return unread();
    for (const resource of parsed.value) {
      side.value.push(resource);
      collectTexts(resource.value, this.#scalars, this.#budget);
    }
    for (const finding of parsed.findings) if (finding.code !== "file-skipped") side.findings.push(finding);
  }

  /** Those that objects hold, as a whole or as a part of a text. */
  #variables(at: number): ReadonlyMap<string, string> {
    const hidden = new Map<string, string>();
    for (const [name, variable] of this.#json.members(at)) {
      const value = this.#json.member(variable, "value");
      const texts = new Set<string>();
      if (value !== undefined) {
        const read: unknown = JSON.parse(this.#source.text.slice(value, this.#json.end(value)));
        collectTexts(read, texts, this.#budget);
      }
      for (const text of texts) {
        if (text.length < 2) continue;
        for (const scalar of this.#scalars) {
          this.#budget.spend(1 + scalar.length / 100);
          if (!scalar.includes(text)) continue;
          hidden.set(text, `\${var.${name}}`);
          hidden.set(
            scalar,
            scalar.replaceAll(text, () => `\${var.${name}}`),
          );
        }
      }
    }
    return hidden;
  }
}

interface Side {
  readonly value: Resource[];
  readonly findings: Finding[];
}

function collectTexts(value: unknown, texts: Set<string>, budget: Budget): void {
  budget.nested(1, () => {
    if (typeof value === "string") texts.add(value);
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) collectTexts(one, texts, budget);
  });
}

/** What is known after apply is missing in a plan, and marked as true in a tree of its own. */
function withUnknown(value: Value | undefined, marks: Value | undefined, name: string): Value | undefined {
  if (marks === undefined) return value;
  const place = value?.place ?? marks.place;
  if (marks.is === "plain") return marks.value === true ? { is: "unknown", name: placeholderName(name), place } : value;
  if (marks.is === "list" && (value === undefined || value.is === "list")) {
    const items = value?.is === "list" ? value.items : [];
    const made = marks.items.map((mark, index) => withUnknown(items[index], mark, `${name}.${index}`));
    return {
      is: "list",
      items: [...made, ...items.slice(marks.items.length)].filter((one) => one !== undefined),
      place,
    };
  }
  if (marks.is !== "object" || (value !== undefined && value.is !== "object")) return value;
  const entries = new Map(value?.entries);
  for (const [key, { place: at, value: mark }] of marks.entries) {
    const made = withUnknown(entries.get(key)?.value, mark, `${name}.${key}`);
    if (made !== undefined) entries.set(key, { place: entries.get(key)?.place ?? at, value: made });
  }
  return { is: "object", entries, place };
}
