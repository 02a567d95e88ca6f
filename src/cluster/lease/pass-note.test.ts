/** A pass begins when its Lease says so, and writes are shared. */
import { expect, test } from "vitest";
import type { LiveObject } from "../api/live-object.ts";
import { crashBook } from "./crashes.ts";
import { CRASHES_ANNOTATION, PASSES_ANNOTATION } from "./crashes.ts";
import { passNote } from "./pass-note.ts";

const NEVER = new AbortController().signal;

const lease = (holder: string, annotations: Readonly<Record<string, string>> = {}): LiveObject =>
  ({ metadata: { name: "l", annotations }, spec: { holderIdentity: holder } }) as unknown as LiveObject;

function note() {
  const unread: string[] = [];
  const book = crashBook(Date.now);
  const made = passNote({ book, unreadable: (annotation) => void unread.push(annotation) });
  const write = (before: LiveObject | undefined = lease("me")): Readonly<Record<string, string | undefined>> => {
    const annotations = made.annotations(before, "me");
    made.written();
    return annotations;
  };
  return { made, write, book, unread };
}

/** Whether it has ended by the next turn of the loop. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await new Promise((resolve) => void setImmediate(resolve));
  return done;
}

test("passes wait for the write that names them, and share it", async () => {
  const { made, write } = note();
  const [a, b] = [made.begin("a", NEVER), made.begin("b", NEVER)];
  expect(await isDone(a)).toBe(false);
  expect(write()[PASSES_ANNOTATION]).toBe('["a","b"]');
  const ends = await Promise.all([a, b]);
  // It is named already.
  ends[0]();
  expect(await isDone(made.begin("a", NEVER))).toBe(true);
  ends[1]();
  expect(write()[PASSES_ANNOTATION]).toBe('["a"]');
});

test("one that begins while a write without it is under way waits for the next one", async () => {
  const { made, write } = note();
  const first = made.begin("a", NEVER);
  write();
  (await first)();
  made.annotations(lease("me"), "me");
  const second = made.begin("a", NEVER);
  made.written();
  expect(await isDone(second)).toBe(false);
  write();
  expect(await isDone(second)).toBe(true);
});

test("a write without an answer says nothing", async () => {
  const { made, write } = note();
  const a = made.begin("a", NEVER);
  made.annotations(lease("me"), "me");
  expect(await isDone(a)).toBe(false);
  write();
  expect(await isDone(a)).toBe(true);
});

test("no pass waits for a note after the signal, or when the watch ends", async () => {
  const { made, write } = note();
  const over = new AbortController();
  const a = made.begin("a", over.signal);
  over.abort();
  expect(await isDone(a)).toBe(true);
  const b = made.begin("b", NEVER);
  made.end();
  expect(await isDone(b)).toBe(true);
  expect(write()[PASSES_ANNOTATION]).toBeUndefined();
});

test("a Lease that is taken from one that crashed counts, and one that was given back does not", () => {
  const passes = { [PASSES_ANNOTATION]: '["a"]' };
  const { write, book } = note();
  const { [CRASHES_ANNOTATION]: counted = "" } = write(lease("other", passes));
  expect(JSON.parse(counted)).toMatchObject([{ cluster: "a", count: 1 }]);
  expect(book.of("a")).toMatchObject({ count: 1 });
  // The next holder knows it by the Lease alone.
  const next = note();
  next.write(lease("", { ...passes, [CRASHES_ANNOTATION]: counted }));
  expect(next.book.of("a")).toMatchObject({ count: 1 });
  const third = note();
  third.write(lease("other", { ...passes, [CRASHES_ANNOTATION]: counted }));
  expect(third.book.of("a")).toMatchObject({ count: 2 });
});

test("a crash is counted once, however often the write is tried", () => {
  const { made, write, book } = note();
  const taken = lease("other", { [PASSES_ANNOTATION]: '["a"]' });
  made.annotations(taken, "me");
  made.annotations(taken, "me");
  write(taken);
  expect(book.of("a")).toMatchObject({ count: 1 });
});

test("an old Lease has no notes, and one that cannot be read counts as that", () => {
  const { write, book, unread } = note();
  expect(write(lease("other"))).toEqual({ [PASSES_ANNOTATION]: undefined, [CRASHES_ANNOTATION]: undefined });
  write(lease("other", { [PASSES_ANNOTATION]: "[", [CRASHES_ANNOTATION]: "{}" }));
  expect(unread).toEqual([CRASHES_ANNOTATION, PASSES_ANNOTATION]);
  expect(book.all()).toEqual([]);
});
