/** What a candidate does with the Lease that it sees, and that never two lead, however slow, lost or jumping everything is. */
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type Answer, apiErrorOf, failed, succeeded, unreachable } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { electLeader, LEASE_TIMING, type Leadership } from "../../../src/cluster/lease/elect-leader.ts";
import type { LeaseRecord } from "../../../src/cluster/lease/lease-record.ts";
import { leaseTurn, observe } from "../../../src/cluster/lease/lease-record.ts";

const RECORD: LeaseRecord = {
  holder: "other",
  durationSeconds: 15,
  acquireTime: "2026-01-01T00:00:00.000000Z",
  renewTime: "2026-01-01T00:00:00.000000Z",
  transitions: 3,
};

test.each<[Partial<LeaseRecord>, number, string]>([
  [{}, 0, "wait"],
  [{}, 14_999, "wait"],
  [{}, 15_000, "take"],
  [{ durationSeconds: 60 }, 30_000, "wait"],
  [{ durationSeconds: 0 }, 0, "take"],
  [{ holder: "" }, 0, "take"],
  [{ holder: "me" }, 0, "renew"],
  [{ holder: "me" }, 60_000, "renew"],
  [{ renewTime: "1999-01-01T00:00:00.000000Z" }, 0, "wait"],
  [{ renewTime: "2999-01-01T00:00:00.000000Z" }, 15_000, "take"],
])("%j, unchanged for %i ms: %s", (over, ms, turn) => {
  expect(leaseTurn({ record: { ...RECORD, ...over }, at: 1000 }, "me", 1000 + ms)).toBe(turn);
});

test("reading the same record again makes it no younger", () => {
  const first = observe(undefined, RECORD, "7", 5);
  expect(observe(first, { ...RECORD }, "7", 900)).toBe(first);
  expect(observe(first, { ...RECORD }, "8", 900).at).toBe(900);
});

function candidateFor(api: ClusterApi, identity: string, time: () => Date): Leadership {
  const begun = Date.now();
  const now = () => Date.now() - begun;
  const onNews = () => undefined;
  return electLeader(api, {
    namespace: "ns",
    name: "lease",
    identity,
    timing: LEASE_TIMING,
    now,
    time,
    random: () => 0.5,
    onNews,
  });
}

/** One Lease in an API server that answers late, or does, and says that it did not. */
function leaseServer(trouble: () => { readonly before: number; readonly after: number; readonly lost: boolean }) {
  let stored: LiveObject | undefined;
  let version = 0;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const answering = async <T>(act: () => Answer<T>): Promise<Answer<T>> => {
    const { before, after, lost } = trouble();
    await wait(before);
    const answer = act();
    await wait(after);
    return lost ? failed(unreachable("no answer")) : answer;
  };
  const store = (object: object): Answer<LiveObject> => {
    version++;
    const { metadata, ...rest } = object as LiveObject;
    stored = { ...rest, metadata: { ...metadata, uid: "1", resourceVersion: String(version) } };
    return succeeded(stored);
  };
  const api = {
    get: () => answering(() => succeeded(stored)),
    create: (_: unknown, object: object) =>
      answering(() => (stored === undefined ? store(object) : failed(apiErrorOf(409, {})))),
    replace: (_: unknown, object: LiveObject) =>
      answering(() =>
        stored?.metadata.resourceVersion === object.metadata.resourceVersion
          ? store(object)
          : failed(apiErrorOf(409, {})),
      ),
  } as unknown as ClusterApi;
  return { api, delete: () => (stored = undefined) };
}

const PROMPT = { before: 1, after: 1, lost: false };

test("a Lease that is deleted makes no second leader", async () => {
  vi.useFakeTimers();
  const server = leaseServer(() => PROMPT);
  const candidates = ["a", "b"].map((identity) => candidateFor(server.api, identity, () => new Date()));
  try {
    await vi.advanceTimersByTimeAsync(3000);
    expect(candidates.map((one) => one.isLeader())).toEqual([true, false]);
    for (let second = 0; second < 60; second++) {
      if (second % 7 === 0) server.delete();
      await vi.advanceTimersByTimeAsync(1000);
      expect(candidates.map((one) => one.isLeader())).toEqual([true, false]);
    }
  } finally {
    for (const one of candidates) one.abandon();
    vi.useRealTimers();
  }
});

test("never two lead, and one leads again when the trouble is over", async () => {
  const delay = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 0, max: 6000 }));
  const troubles = fc.array(fc.record({ before: delay, after: delay, lost: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(
      troubles,
      fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 10 }),
      async (plan, jumps) => {
        vi.useFakeTimers();
        try {
          let turn = 0;
          let begun = 0;
          const { api } = leaseServer(() => plan[turn++] ?? PROMPT);
          // Whatever the machine believes the time to be.
          const time = () => new Date(1e12 + (jumps[turn % (jumps.length || 1)] ?? 0));
          const start = () => candidateFor(api, `candidate-${begun++}`, time);
          const candidates = [start(), start(), start()];
          for (let second = 0; second < 400; second++) {
            await vi.advanceTimersByTimeAsync(500);
            expect(candidates.filter((one) => one.isLeader()).length).toBeLessThanOrEqual(1);
            // A leader that has lost starts anew, as its pod does.
            for (const [index, one] of candidates.entries()) if (one.lost.aborted) candidates[index] = start();
          }
          for (let second = 0; second < 100 && !candidates.some((one) => one.isLeader()); second++)
            await vi.advanceTimersByTimeAsync(500);
          expect(candidates.filter((one) => one.isLeader()).length).toBe(turn >= plan.length ? 1 : expect.any(Number));
          for (const one of candidates) one.abandon();
        } finally {
          vi.useRealTimers();
        }
      },
    ),
    { numRuns: 60 },
  );
});
