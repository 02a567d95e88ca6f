/** Reads events and lines of the log: which known messages of Karpenter each has, and on what. */
import { KARPENTER_MESSAGES, type KarpenterMessage } from "../../karpenter/events/messages.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";

interface EventObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | null;
}

/** One event, or one line of a log. */
export interface ReadEvent {
  readonly text: string;
  readonly reason: string | null;
  readonly object: EventObject | null;
  /** The pool that fields beside the message name. */
  readonly pool: string | null;
  readonly nodeClaim: string | null;
  /** How often it occurs in the input. */
  readonly count: number;
}

/** A message of Karpenter within an event. */
export interface EventPart {
  readonly message: KarpenterMessage;
  readonly text: string;
  readonly pool: string | null;
  readonly pod: string | null;
  /** As Karpenter prints it: `dedicated=gpu:NoSchedule`. */
  readonly taint: string | null;
  readonly keys: readonly string[];
  /** The requirement of the pool on the key, such as `In [a b]`. */
  readonly existing: string | null;
  /** Requirements of pool and pod together, by label. */
  readonly requirements: ReadonlyMap<string, string>;
  /** A reason of disruption. */
  readonly disruption: string | null;
  /** PodDisruptionBudgets, as `namespace/name`. */
  readonly podBudgets: readonly string[];
  readonly count: number;
}

/** An event has at most 1 KiB; a line of a log may name a thousand pools. */
const MAX_TEXT = 1024 * 1024;
const MAX_EVENTS = 1000;
const MAX_PARTS = 1000;

/** @param lines whether each line is an event, as in a log */
export function readEvents(
  given: string,
  lines: boolean,
): { readonly events: readonly ReadEvent[]; readonly cut: boolean } {
  const text = given.slice(0, MAX_TEXT);
  const found = ofObjects(text) ?? (lines ? text.split("\n") : [text.replaceAll("\n", " ")]).map(ofLine);
  const counts = new Map<string, ReadEvent>();
  for (const event of found) {
    if (event.text.trim() === "") continue;
    const { reason, object, pool, nodeClaim } = event;
    const id = JSON.stringify([event.text, reason, object, pool, nodeClaim]);
    const { count = 0 } = counts.get(id) ?? {};
    counts.set(id, { ...event, count: count + event.count });
  }
  const events = [...counts.values()].slice(0, MAX_EVENTS);
  return { events, cut: given.length > MAX_TEXT || counts.size > MAX_EVENTS };
}

/** Event objects, or a list of them, in YAML or JSON; undefined for other text. */
function ofObjects(text: string): ReadEvent[] | undefined {
  if (!/^[ {"-]*(?:kind|items)"?:/m.test(text)) return undefined;
  const source = { file: "<event>", folder: "", text, explicit: false, trusted: false, config: false };
  const events = parseSources([source]).value.filter(({ kind }) => kind === "Event");
  return events.length === 0 ? undefined : events.map(({ value }) => ofObject(value));
}

function ofObject(value: unknown): ReadEvent {
  const textAt = (...path: string[]): string | null => textOf(valueAt(value, path));
  const about = isFields(valueAt(value, ["involvedObject"])) ? "involvedObject" : "regarding";
  const object = objectOf(textAt(about, "kind"), textAt(about, "name"), textAt(about, "namespace"));
  const count = valueAt(value, ["count"]);
  return {
    text: textAt("message") ?? textAt("note") ?? "",
    reason: textAt("reason"),
    ...namesOf(object),
    count: typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : 1,
  };
}

function ofLine(line: string): ReadEvent {
  const { start, fields } = fieldsIn(line);
  if (fields === undefined) return { text: line, reason: reasonIn(line), ...namesOf(objectIn(line)), count: 1 };
  const { message, eventMessage, error, reason } = fields;
  const before = line.slice(0, start).trim();
  const text = [before, textOf(message), textOf(eventMessage), textOf(error)]
    .filter((part) => part !== null && part !== "")
    .join(": ");
  const names = namesOf(objectInFields(fields));
  const pool = nameIn(fields, ["NodePool", "nodepool", "provisioner"]) ?? names.pool;
  const nodeClaim = nameIn(fields, ["NodeClaim", "nodeclaim"]) ?? names.nodeClaim;
  return { text, reason: textOf(reason), object: names.object, pool, nodeClaim, count: 1 };
}

/** A line is one object, perhaps behind a prefix; older logs end in one, and errors in them have others. */
function fieldsIn(line: string): { readonly start: number; readonly fields?: Fields } {
  for (const start of [line.indexOf("{"), line.lastIndexOf("\t{") + 1, line.lastIndexOf(' {"') + 1]) {
    const fields = line[start] === "{" ? jsonOf(line.slice(start)) : undefined;
    if (isFields(fields)) return { start, fields };
  }
  return { start: -1 };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LOGGED_KINDS = ["Pod", "NodePool", "NodeClaim", "Node", "EC2NodeClass"];

/** An object as Karpenter logs it: `"Pod": {"name": "web-1", "namespace": "shop"}`. */
function objectInFields(fields: Readonly<Record<string, unknown>>): EventObject | null {
  const { involvedObject, pod } = fields;
  if (isFields(involvedObject)) {
    const { kind, name, namespace } = involvedObject;
    return objectOf(textOf(kind), textOf(name), textOf(namespace));
  }
  for (const kind of LOGGED_KINDS) {
    const value = fields[kind];
    const found = isFields(value) ? objectOf(kind, textOf(value["name"]), textOf(value["namespace"])) : null;
    if (found !== null) return found;
  }
  const [namespace, name] = textOf(pod)?.split("/", 2) ?? [];
  return objectOf("Pod", name ?? null, namespace ?? null);
}

function nameIn(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = fields[key];
    const name = textOf(isFields(value) ? value["name"] : value);
    if (name !== null) return name;
  }
  return null;
}

const OBJECT_KINDS: ReadonlyMap<string, string> = new Map(
  [...LOGGED_KINDS, "OpenshiftNodePool", "OpenshiftEC2NodeClass"].map((kind) => [kind.toLowerCase(), kind]),
);

/** Columns of `kubectl get events` and `kubectl describe` come before the message. */
const COLUMNS = 12;

/** `pod/web-1` in a line of `kubectl get events`. */
function objectIn(line: string): EventObject | null {
  for (const word of line.trim().split(/\s+/, COLUMNS)) {
    const [kind = "", name] = word.split("/", 2);
    const known = OBJECT_KINDS.get(kind.toLowerCase());
    if (known !== undefined && name !== undefined) return objectOf(known, name, null);
  }
  return null;
}

/** The word behind the type: `Warning  FailedScheduling  2m  karpenter  …`. */
function reasonIn(line: string): string | null {
  const words = line.trim().split(/\s+/, COLUMNS);
  const at = words.findIndex((word) => word === "Normal" || word === "Warning");
  const word = at === -1 ? undefined : words[at + 1];
  return word !== undefined && /^[A-Z][A-Za-z]+$/.test(word) ? word : null;
}

function objectOf(kind: string | null, name: string | null, namespace: string | null): EventObject | null {
  return kind === null || name === null ? null : { kind, name, namespace };
}

function namesOf(object: EventObject | null): Pick<ReadEvent, "object" | "pool" | "nodeClaim"> {
  const nameOf = (...kinds: string[]): string | null =>
    object !== null && kinds.includes(object.kind) ? object.name : null;
  return { object, pool: nameOf("NodePool", "OpenshiftNodePool"), nodeClaim: nameOf("NodeClaim") };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The NodeClaim of the event: its object, or that of `NodeClaim web-x4k2p event: …`. */
export function nodeClaimOf({ text, nodeClaim }: ReadEvent): string | null {
  return nodeClaim ?? between(text, "NodeClaim ", [" "]);
}

/** The messages of an event that are known, and the pieces of its text that have none. */
export function partsOf({ text, pool }: ReadEvent): {
  readonly parts: EventPart[];
  readonly unknown: string[];
} {
  const found: EventPart[] = [];
  const unknown: string[] = [];
  let pod: string | null = null;
  for (const piece of piecesOf(text)) {
    if (piece.endsWith(POD)) pod = lastWord(piece.slice(0, -POD.length));
    const { start, messages } = messagesIn(piece);
    if (messages.length === 0 && !piece.endsWith(POD)) unknown.push(piece.trim());
    const named = poolIn(piece) ?? pool;
    // Columns of kubectl and of a log come before the first message.
    const facts = { ...factsOf(piece), text: piece.slice(start).trim() };
    const podNamed = between(piece, "(Pod=", [")", ","]) ?? between(piece, 'od "', ['"']) ?? pod;
    for (const message of messages) found.push({ message, ...facts, pool: named, pod: podNamed, count: 1 });
  }
  const answers = found.filter(({ message }) => message.wraps !== true);
  return {
    parts: merged(answers.length > 0 ? answers : found),
    unknown: unknown.filter((piece) => piece !== ""),
  };
}

/** Karpenter joins the errors of all pools by `; `, and begins those of a pod with `namespace/name => `. */
function piecesOf(text: string): string[] {
  const pieces = text.split("; ").flatMap((piece) => {
    const pods = piece.split(POD);
    return pods.map((one, at) => (at < pods.length - 1 ? one + POD : one));
  });
  return pieces.slice(0, MAX_PARTS);
}

const POD = " => ";

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1);
}

function merged(parts: readonly EventPart[]): EventPart[] {
  const counts = new Map<string, EventPart>();
  for (const part of parts) {
    const { message, pool, pod, taint, keys, existing, requirements, podBudgets } = part;
    const id = JSON.stringify([message.id, pool, pod, taint, keys, existing, [...requirements], podBudgets]);
    const first = counts.get(id);
    counts.set(id, first === undefined ? part : { ...first, count: first.count + 1 });
  }
  return [...counts.values()];
}

interface Found {
  readonly message: KarpenterMessage;
  readonly start: number;
  readonly end: number;
}

/** Each phrase in lower case, with the rest that has to follow it. */
const PHRASES = KARPENTER_MESSAGES.flatMap((message) =>
  message.phrases.map((phrase) => {
    const [first, rest = ""] = typeof phrase === "string" ? [phrase] : phrase;
    return { message, first: lowered(first), rest: lowered(rest) };
  }),
);

/** In their order, and where the first one starts. Of phrases that overlap, the longest counts. */
export function messagesIn(text: string): { readonly start: number; readonly messages: readonly KarpenterMessage[] } {
  const asked = lowered(text);
  const found = PHRASES.flatMap(({ message, first, rest }): Found[] => {
    const start = asked.indexOf(first);
    if (start === -1) return [];
    const end = start + first.length;
    return rest === "" || asked.includes(rest, end) ? [{ message, start, end }] : [];
  });
  const longest = found.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const kept: Found[] = [];
  for (const one of longest) {
    if (kept.every(({ message, start, end }) => message !== one.message && (one.end <= start || one.start >= end)))
      kept.push(one);
  }
  kept.sort((a, b) => a.start - b.start);
  return { start: kept[0]?.start ?? 0, messages: kept.map(({ message }) => message) };
}

/** Of ASCII alone, so that positions stay. */
function lowered(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll("’", "'");
}

function between(text: string, start: string, ends: readonly string[]): string | null {
  const at = text.indexOf(start);
  if (at === -1) return null;
  const from = at + start.length;
  const found = ends.map((end) => text.indexOf(end, from)).filter((index) => index !== -1);
  return text.slice(from, found.length === 0 ? undefined : Math.min(...found)).trim();
}

/** v1.0.8 begins each error with the pool; now only some errors name it (docs/upstream/karpenter.md#messages). */
const POOL_MARKS: readonly (readonly [start: string, ends: readonly string[]])[] = [
  ['nodepool "', ['"']],
  ['NodePool "', ['"']],
  ['provisioner "', ['"']],
  ["NodePool=", [")", ",", " "]],
  ["karpenter.sh/nodepool In [", ["]", " "]],
  ["karpenter.sh/provisioner-name In [", ["]", " "]],
];

function poolIn(piece: string): string | null {
  for (const [start, ends] of POOL_MARKS) {
    const name = between(piece, start, ends);
    if (name !== null && name !== "") return name;
  }
  return null;
}

type Facts = Pick<EventPart, "taint" | "keys" | "existing" | "requirements" | "disruption" | "podBudgets">;

function factsOf(piece: string): Facts {
  const listed = between(piece, "label(s)=[", ["]"]);
  const contradiction = contradictionIn(piece);
  const label = between(piece, 'label "', ['"']);
  const budgets =
    between(piece, "PodDisruptionBudget=[", ["]"]) ??
    between(piece, "PodDisruptionBudget(s)=[", ["]"]) ??
    between(piece, 'db "', ['"']);
  return {
    taint: between(piece, "taint=", [")", " ("]) ?? between(piece, "did not tolerate ", [",", " ", "\t"]),
    keys:
      listed !== null
        ? listed.split(" ")
        : [contradiction?.key ?? label].filter((key) => key !== null && key !== undefined),
    existing: contradiction?.existing ?? null,
    requirements: requirementsIn(piece),
    disruption: between(piece, "for disruption reason ", [" "]),
    podBudgets: budgets?.split(" ") ?? [],
  };
}

/** `key zone, zone In [a] not in zone In [b]`. */
function contradictionIn(piece: string): { readonly key: string; readonly existing: string } | undefined {
  const key = between(piece, "key ", [", "]);
  const after = key === null ? null : between(piece, ` not in ${key} `, ["\t"]);
  const [existing] = after === null ? [] : (REQUIREMENT.exec(after) ?? []);
  return key === null || existing === undefined ? undefined : { key, existing };
}

const REQUIREMENT = /^(?:(?:In|NotIn) \[[^\]]*\]|Exists|DoesNotExist)(?: >=-?\d+)?(?: <=-?\d+)?(?: minValues \d+)?/;

/** `a In [x y], b Exists >2`. Karpenter does not print commas within a requirement. */
function requirementsIn(piece: string): ReadonlyMap<string, string> {
  const text =
    between(piece, "requirements=", [", resources="]) ??
    between(piece, "} and requirements ", [" (no instance type"]) ??
    "";
  return new Map(
    text.split(", ").flatMap((one) => {
      const space = one.indexOf(" ");
      return space === -1 ? [] : [[one.slice(0, space), one.slice(space + 1)] as const];
    }),
  );
}
