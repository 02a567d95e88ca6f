/** What a pass writes, holds and reports while another anp writes the same objects. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../api/live-object.ts";
import { compareLive } from "../plan/compare-live.ts";
import { asMember, setIdOf } from "../objects/membership.ts";
import { nothing, type Step } from "../plan/step.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { marks } from "../../model/objects/marks.ts";
import { conflictingWriters } from "./conflicting-writers.ts";

const OURS = setIdOf("clusters-c1", "watch");
const OTHER = setIdOf("clusters-c1", "other");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function wanted(weight: number, set = OURS): KubeObject {
  const metadata = { name: "web", ...marks("OpenshiftNodePool", "web") };
  return asMember({ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata, spec: { weight } }, set);
}

/** A live object after an anp applied it. */
function applied({ apiVersion, kind, metadata, spec }: KubeObject, uid = "1"): LiveObject {
  const fields = (map: object = {}) => Object.fromEntries(Object.keys(map).map((key) => [`f:${key}`, {}]));
  const ofMetadata = { "f:labels": fields(metadata.labels), "f:annotations": fields(metadata.annotations) };
  const fieldsV1 = { "f:metadata": ofMetadata, "f:spec": fields(spec) };
  const managedFields = [{ manager: "anp", operation: "Apply" as const, fieldsV1 }];
  return { apiVersion, kind, metadata: { ...metadata, uid, resourceVersion: "1", managedFields }, spec };
}

/** One object and its watch; other writers change the object between passes. */
function watch() {
  let now = 0;
  let live: LiveObject | undefined;
  let writerConflict = "";
  const memory = conflictingWriters(OURS, () => now);
  return {
    wait: (milliseconds: number) => void (now += milliseconds),
    becomes: (object: LiveObject | undefined) => void (live = object),
    dueMs: memory.dueMs,
    /** The reported conflict of the last pass. */
    writerConflict: () => writerConflict,
    /** What it did, and whether it reports another writer. */
    pass: (desired = wanted(1)): string => {
      const differences = live === undefined ? [] : compareLive(desired, live);
      const action = live === undefined ? "create" : differences.length === 0 ? "in-sync" : "update";
      const planned: Step = { ...nothing("NodePool", "web"), action, desired, live, differences };
      const [step] = memory.before([planned]);
      writerConflict = step!.writerConflict;
      const isWritten = step!.action === "create" || step!.action === "update";
      if (isWritten) live = applied(desired, live?.metadata.uid);
      memory.after([{ step: step!, outcome: isWritten ? "done" : "none", ...(isWritten ? { live: live! } : {}) }]);
      return `${step!.action}${step!.writerConflict === "" ? "" : ", reported"}`;
    },
    spec: () => live?.spec,
  };
}

type Watch = ReturnType<typeof watch>;

/** The same spec, and another set. */
const relabelled = applied(wanted(1, OTHER));
const respecified = applied(wanted(9, OTHER));
/** Another anp of the same name, with another policy. */
const twin = applied(wanted(9));
const drifted: LiveObject = { ...applied(wanted(1)), spec: { weight: 9 } };

/** @returns the action of each pass */
function undone(one: Watch, by: LiveObject, times: number): string[] {
  return Array.from({ length: times }, () => {
    one.becomes(by);
    return one.pass();
  });
}

describe("an object that", () => {
  test.each([
    ["another set's anp writes with the same spec", relabelled],
    ["another set's anp writes with another spec", respecified],
    ["another anp of the same set writes", twin],
  ])("%s is corrected three times, and then held and reported", (_what, by) => {
    const one = watch();
    one.pass();
    expect(undone(one, by, 5)).toEqual(["update", "update", "update", "hold, reported", "hold, reported"]);
    expect(one.dueMs()).toBe(MINUTE);
    one.wait(MINUTE - 1);
    expect(one.pass()).toBe("hold, reported");
    one.wait(1);
    expect(one.pass()).toBe("update, reported");
    expect(one.pass()).toBe("in-sync, reported");
  });

  test("another writer changes without marks of an anp is corrected at once, any number of times", () => {
    const one = watch();
    one.pass();
    expect(new Set(undone(one, drifted, 50))).toEqual(new Set(["update"]));
  });

  test("has no mark of another anp is corrected at once, also after it was held", () => {
    const one = watch();
    one.pass();
    undone(one, respecified, 4);
    expect(undone(one, drifted, 3)).toEqual(["update, reported", "update, reported", "update, reported"]);
  });

  test("has another spec is held for a minute and no longer, any number of times", () => {
    const one = watch();
    one.pass();
    undone(one, respecified, 4);
    for (let time = 0; time < 20; time++) {
      expect(undone(one, respecified, 1)).toEqual(["hold, reported"]);
      one.wait(MINUTE);
      expect(one.pass()).toBe("update, reported");
    }
  });

  test("has the desired spec is written less and less often, down to once in half an hour", () => {
    const one = watch();
    one.pass();
    undone(one, relabelled, 3);
    const minutes = Array.from({ length: 8 }, () => {
      undone(one, relabelled, 1);
      const due = one.dueMs()!;
      one.wait(due);
      expect(one.pass()).toBe("update, reported");
      return due / MINUTE;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test("has the desired spec, and then another one, is held for a minute at most", () => {
    const one = watch();
    one.pass();
    undone(one, relabelled, 3);
    for (let time = 0; time < 6; time++) {
      undone(one, relabelled, 1);
      one.wait(one.dueMs()!);
      one.pass();
    }
    undone(one, relabelled, 1);
    expect(one.dueMs()).toBe(30 * MINUTE);
    one.wait(MINUTE);
    expect(undone(one, respecified, 1)).toEqual(["update, reported"]);
  });

  test("has a new desired spec is written at once, and held again", () => {
    const one = watch();
    one.pass();
    undone(one, respecified, 4);
    expect(one.pass(wanted(2))).toBe("update, reported");
    one.becomes(respecified);
    expect(one.pass(wanted(2))).toBe("hold, reported");
  });

  test("did not change for an hour is no longer reported", () => {
    const one = watch();
    one.pass();
    undone(one, respecified, 4);
    one.wait(MINUTE);
    one.pass();
    expect([one.pass(), one.dueMs()]).toEqual(["in-sync, reported", HOUR]);
    one.wait(HOUR - 1);
    expect(one.pass()).toBe("in-sync, reported");
    one.wait(1);
    expect([one.pass(), one.dueMs()]).toEqual(["in-sync", undefined]);
    expect(undone(one, respecified, 4)).toEqual(["update", "update", "update", "hold, reported"]);
  });

  test("was deleted and created again is another object", () => {
    const one = watch();
    one.pass();
    undone(one, respecified, 4);
    one.becomes(applied(wanted(9, OTHER), "2"));
    expect(one.pass()).toBe("update");
    one.becomes(undefined);
    expect(one.pass()).toBe("create");
  });

  test("another anp of the same name writes is reported with that", () => {
    const one = watch();
    one.pass();
    undone(one, twin, 4);
    expect(one.writerConflict()).toMatch(
      /^another anp of this watch's own name also writes the NodePool web, and each /,
    );
  });

  test("is reported with the other set, and with what to do", () => {
    const one = watch();
    one.pass();
    undone(one, respecified, 4);
    expect(one.writerConflict()).toBe(
      `another anp, with the set ${OTHER}, also writes the NodePool web, and each undoes the other's changes: let only one of them watch this cluster; until then it is corrected once a minute at most`,
    );
  });
});

const anyFinding = fc.record({
  by: fc.constantFrom(applied(wanted(1)), relabelled, respecified, twin, drifted, undefined),
  policy: fc.constantFrom(1, 1, 1, 2),
  wait: fc.constantFrom(0, 1000, 30_000, MINUTE, 10 * MINUTE, HOUR),
});

test("for any writes of others, a foreign spec stays for less than a minute after anp's last write, and changes of anp do not wait", () => {
  fc.assert(
    fc.property(fc.array(anyFinding, { maxLength: 60 }), (findings) => {
      const one = watch();
      let sinceWrite = 0;
      let wrote = 1;
      one.pass();
      for (const { by, policy, wait } of findings) {
        one.wait(wait);
        sinceWrite += wait;
        if (by !== undefined) one.becomes(by);
        const did = one.pass(wanted(policy)).split(",")[0];
        const isOurs = one.spec()?.["weight"] === policy;
        if (did === "hold") expect([isOurs || sinceWrite < MINUTE, policy]).toEqual([true, wrote]);
        if (did === "update") [sinceWrite, wrote] = [0, policy];
      }
    }),
  );
});
