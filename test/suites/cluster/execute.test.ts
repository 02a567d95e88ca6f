/** What executing a plan asks of the API server, in which order, and what it does not ask any more after a failure or at the end. */
import { describe, expect, test } from "vitest";
import { apiErrorOf, failed, succeeded } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { eventRecorder } from "../../../src/cluster/status/event-recorder.ts";
import { execute, type ExecuteOptions } from "../../../src/cluster/apply/execute.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { nothing, type Step, type StepAction } from "../../../src/cluster/plan/step.ts";

function liveOf(kind: string, name: string): LiveObject {
  return {
    apiVersion: "v1",
    kind,
    metadata: { name, uid: `uid-${name}`, resourceVersion: "7" },
    spec: {},
    status: { nodes: 3 },
  };
}

function step(action: StepAction, kind: string, name: string, more: Partial<Step> = {}): Step {
  const desired = { apiVersion: "v1", kind, metadata: { name }, spec: {} };
  const live = action === "create" ? undefined : liveOf(kind, name);
  return { ...nothing(kind, name), action, desired: action === "prune" ? undefined : desired, live, ...more };
}

/** Answers well, but not to those that are to fail. */
function recording(fail: readonly string[] = [], userName = "system:hosted-cluster-config") {
  const asked: string[] = [];
  const answer = (what: string, kind: string, name: string) => {
    asked.push(`${what} ${kind}/${name}`);
    return Promise.resolve(fail.includes(name) ? failed(apiErrorOf(422, {})) : succeeded(liveOf(kind, name)));
  };
  const api: ClusterApi = {
    server: "https://test",
    requests: () => ({}),
    answers: async () => true,
    discover: () => Promise.resolve(failed(apiErrorOf(403, {}))),
    list: () => Promise.resolve(failed(apiErrorOf(403, {}))),
    get: () => Promise.resolve(succeeded(undefined)),
    apply: ({ kind }, object, { force, uid }) =>
      answer(`apply${force ? " force" : ""}${uid === undefined ? "" : ` ${uid}`}`, kind, object.metadata.name),
    replaceSpec: ({ kind }, { name, uid }) => answer(`replace ${uid}`, kind, name),
    replaceManagedFields: ({ kind }, { name, uid }) => answer(`owners ${uid}`, kind, name),
    remove: async ({ kind }, { name, uid, resourceVersion }) => {
      const done = await answer(`delete ${uid} ${resourceVersion}`, kind, name);
      return done.ok ? succeeded(undefined) : done;
    },
    patchStatus: ({ kind }, { name }) => answer("status", kind, name),
    create: ({ kind }) => answer("create", kind, "event"),
    replace: ({ kind }, { metadata }) => answer("update", kind, metadata.name),
    patch: ({ kind }, name) => answer("patch", kind, name),
    whoAmI: () => Promise.resolve(succeeded(userName)),
    isReady: () => Promise.resolve(true),
    watch: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }),
    }),
    close: () => undefined,
  };
  return { api, asked };
}

async function run(
  steps: readonly Step[],
  api: ClusterApi,
  signal = new AbortController().signal,
  register: ExecuteOptions["register"] = () => Promise.resolve(undefined),
) {
  const announced: string[] = [];
  const announcePrune = (one: Step, nodes: number | undefined) => {
    announced.push(`${one.name} with ${nodes}`);
    return Promise.resolve();
  };
  const options = { dryRun: false, allowedWriters: [], signal, register, announcePrune };
  const { results, refused } = await execute(steps, api, options);
  return { outcomes: results.map(({ step: { name }, outcome }) => `${name} ${outcome}`), refused, announced };
}

describe("execute", () => {
  const guard = step("create", "ValidatingAdmissionPolicy", "karpenter.nodepool.hypershift.io");

  test("guards, classes, pools, and what goes after them; with the preconditions of what was read", async () => {
    const { api, asked } = recording();
    const steps = [
      step("create", "NodePool", "new"),
      step("update", "EC2NodeClass", "fast"),
      guard,
      step("prune", "NodePool", "old"),
    ];
    const { outcomes, announced } = await run(steps, api);
    expect(asked).toEqual([
      "apply ValidatingAdmissionPolicy/karpenter.nodepool.hypershift.io",
      "apply force uid-fast EC2NodeClass/fast",
      "apply NodePool/new",
      "delete uid-old 7 NodePool/old",
    ]);
    expect(outcomes).toEqual(["new done", "fast done", "karpenter.nodepool.hypershift.io done", "old done"]);
    expect(announced).toEqual(["old with 3"]);
  });

  test("a failure stops no other object, but all pruning", async () => {
    const { api, asked } = recording(["a"]);
    const { outcomes, announced } = await run(
      [step("update", "NodePool", "a"), step("create", "NodePool", "b"), step("prune", "NodePool", "c")],
      api,
    );
    expect(outcomes).toEqual(["a failed", "b done", "c skipped"]);
    expect(asked.join()).not.toContain("delete");
    expect(announced).toEqual([]);
  });

  test("a pool that cannot be deleted keeps its class", async () => {
    const { api } = recording(["web"]);
    const { outcomes } = await run([step("prune", "NodePool", "web"), step("prune", "EC2NodeClass", "fast")], api);
    expect(outcomes).toEqual(["web failed", "fast skipped"]);
  });

  test("what others added is taken out before applying, and an object that is not the same any more is left alone", async () => {
    const whole = true;
    const { api, asked } = recording();
    await run([step("update", "NodePool", "web", { whole })], api);
    expect(asked).toEqual([
      "replace uid-web NodePool/web",
      "owners uid-web NodePool/web",
      "apply force uid-web NodePool/web",
    ]);
    const failing = recording(["web"]);
    expect((await run([step("update", "NodePool", "web", { whole })], failing.api)).outcomes).toEqual(["web failed"]);
    expect(failing.asked).toEqual(["replace uid-web NodePool/web"]);
  });

  test("what cannot be entered is not made; guards, whose names are reserved, and what is there already are written", async () => {
    const { api, asked } = recording();
    const register = () => Promise.resolve(apiErrorOf(403, {}));
    const steps = [
      guard,
      step("create", "NodePool", "new"),
      step("update", "NodePool", "web"),
      step("prune", "NodePool", "old"),
    ];
    const { outcomes } = await run(steps, api, undefined, register);
    expect(asked).toEqual([
      "apply ValidatingAdmissionPolicy/karpenter.nodepool.hypershift.io",
      "apply force uid-web NodePool/web",
    ]);
    expect(outcomes).toEqual(["karpenter.nodepool.hypershift.io done", "new failed", "web done", "old skipped"]);
  });

  test.each<[string, string, string, string]>([
    ["what another watch has made in the meantime is not taken for ours", "other", "hash", "failed"],
    ["nor is what another replica has made of something else", "ours", "other", "failed"],
    ["what a request has made that was sent twice is ours", "ours", "hash", "done"],
  ])("%s", async (_what, set, hash, outcome) => {
    const marked = (ofSet: string, applied: string) => ({
      labels: { "anp.hypershift.openshift.io/set": ofSet },
      annotations: { "anp.hypershift.openshift.io/applied": applied },
    });
    const { api } = recording();
    const asked: unknown[] = [];
    const there = liveOf("NodePool", "web");
    const overtaken: ClusterApi = {
      ...api,
      apply: (_kind, _object, options) => {
        asked.push(options);
        return Promise.resolve(failed(apiErrorOf(409, {})));
      },
      list: (_kind, options) => {
        asked.push(options);
        const items = [{ ...there, metadata: { ...there.metadata, ...marked(set, hash) } }];
        return Promise.resolve(succeeded({ items: set === "ours" ? items : [], resourceVersion: "9" }));
      },
    };
    const wanted = step("create", "NodePool", "web");
    const desired = { ...wanted.desired!, metadata: { name: "web", ...marked("ours", "hash") } };
    expect((await run([{ ...wanted, desired }], overtaken)).outcomes).toEqual([`web ${outcome}`]);
    expect(asked).toMatchObject([
      { dryRun: false, force: false, isNew: true },
      { labelSelector: "anp.hypershift.openshift.io/set=ours" },
    ]);
  });

  test("a user that the guards would lock out writes nothing", async () => {
    const { api, asked } = recording([], "kubernetes-admin");
    const { outcomes, refused } = await run([guard, step("create", "NodePool", "web")], api);
    expect(outcomes).toEqual(["karpenter.nodepool.hypershift.io skipped", "web skipped"]);
    expect(refused).toContain("would not allow kubernetes-admin");
    expect(asked).toEqual([]);
  });

  test("at the end nothing is begun any more", async () => {
    const { api, asked } = recording();
    const { outcomes } = await run(
      [step("create", "NodePool", "a"), step("prune", "NodePool", "b")],
      api,
      AbortSignal.abort(),
    );
    expect(outcomes).toEqual(["a skipped", "b skipped"]);
    expect(asked).toEqual([]);
  });
});

describe("events", () => {
  test("the same words are told once an hour, as one more of a series", async () => {
    let now = 0;
    const { api, asked } = recording();
    const taken: ClusterApi = { ...api, create: () => Promise.resolve(failed(apiErrorOf(409, {}))) };
    const event = {
      side: "guest",
      regarding: { apiVersion: "v1", kind: "NodePool", name: "web" },
      type: "Normal",
      reason: "Applied",
      note: "n",
    } as const;
    const recorder = (guest: ClusterApi) =>
      eventRecorder({ guest, management: undefined, instance: "i", now: () => new Date(now + 1e12), dryRun: false });
    const first = recorder(api);
    await first.record([event, { ...event, note: "other" }]);
    await first.record([event]);
    expect(asked).toEqual(["create Event/event", "create Event/event"]);
    now = 3_700_000;
    await first.record([event]);
    expect(asked).toHaveLength(3);
    await recorder(taken).record([event]);
    expect(asked.at(-1)).toMatch(/^patch Event\/web\.[0-9a-f]{16}$/);
  });

  test.each([
    ["short ones are whole", "short", 5],
    ["1024 bytes are whole", "n".repeat(1024), 1024],
    ["longer ones are cut to the limit of the API, which counts bytes", "n".repeat(1025), 1024],
    ["so are words with longer letters", "ü…".repeat(400), 1023],
  ])("%s", async (_, note, bytes) => {
    const notes: string[] = [];
    const { api } = recording();
    const create: ClusterApi["create"] = (kind, object) => {
      notes.push((object as unknown as { note: string }).note);
      return api.create(kind, object);
    };
    const event = { side: "guest", regarding: { apiVersion: "v1", kind: "NodePool", name: "web" } } as const;
    const now = () => new Date();
    const recorder = eventRecorder({
      guest: { ...api, create },
      management: undefined,
      instance: "i",
      now,
      dryRun: false,
    });
    await recorder.record([{ ...event, type: "Normal", reason: "Applied", note }]);
    const [told = ""] = notes;
    expect(Buffer.byteLength(told)).toBe(bytes);
    expect(told === note || (told.endsWith("…") && note.startsWith(told.slice(0, -1)))).toBe(true);
  });

  test("what cannot be written is a note, said once", async () => {
    const { api } = recording(["event"]);
    const event = {
      side: "guest",
      regarding: { apiVersion: "v1", kind: "NodePool", name: "web" },
      type: "Normal",
      reason: "Applied",
      note: "n",
    } as const;
    const recorder = eventRecorder({
      guest: api,
      management: undefined,
      instance: "i",
      now: () => new Date(),
      dryRun: false,
    });
    expect(await recorder.record([event, { ...event, note: "o" }])).toEqual([
      "events cannot be written: the API server answers 422",
    ]);
  });
});
