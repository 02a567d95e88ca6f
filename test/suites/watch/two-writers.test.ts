/** Two anps that write one object slow down, and forged marks of another anp do not bypass the policy. Runs on real API servers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { setIdOf } from "../../../src/cluster/objects/membership.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { figuresOf } from "../../../src/cluster/fleet/figures.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { until } from "../../support/controlplane/objects.ts";
import { ARCH, isIn, NAMESPACE, policy, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  appliedObjects,
  live,
  memoryOf,
  nodePool,
  pass,
  put,
  readyOf,
  requirementsOf,
  watched,
} from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";
import { openWatch, rewrite, WIPED } from "../../support/watch/third-user.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

const MINUTE = 60_000;
const TIGHT = [isIn(ARCH, "arm64")];
const OTHER = setIdOf(NAMESPACE, "other");
const SET = "/metadata/labels/anp.hypershift.openshift.io~1set";

const wordsOf = (who: string) =>
  `${who} also writes the NodePool web, and each undoes the other's changes: let only one of them watch this cluster; until then it is corrected once a minute at most`;

describeOnClusters("two writers of one name", (rig) => {
  /** The pool `web` from files, with the policy of the cluster. */
  function otherSource(spec: object = {}) {
    const folder = join(rig.folder, "other");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "web.yaml"), toYaml(pool("web", [], spec)));
    return { paths: [folder], policyDir: undefined, config: undefined };
  }

  const ADOPT = new Set(["NodePool/web"]);

  /** Two watches with one clock and different policies, and what each pass did to the pool and reported. */
  function twoWatches(names: readonly [string, string] = ["watch", "other"]) {
    let now = 0;
    const source = otherSource({ weight: 7 });
    const [one, two] = [
      watched(rig, { name: names[0] }),
      watched(rig, { name: names[1], source, readDirectory: directoryReader(source), adopt: ADOPT }),
    ];
    const memories = [one, two].map((cluster) => memoryOf(cluster, () => now));
    const did = (result: ReconcileResult) => {
      const ofPool = stepsOf(result).find(({ step: { kind, name } }) => kind === "NodePool" && name === "web")!;
      return `${ofPool.step.action}, ${result.ready.reason}`;
    };
    return {
      wait: (milliseconds: number) => void (now += milliseconds),
      one: () => pass(one, { memory: memories[0]! }),
      two: () => pass(two, { memory: memories[1]! }),
      oneDid: async () => did(await pass(one, { memory: memories[0]! })),
      twoDid: async () => did(await pass(two, { memory: memories[1]! })),
    };
  }

  test("correct each other three times, and then report it and write once a minute at most", async () => {
    const { wait, one, oneDid, twoDid } = twoWatches();
    const both = async () => [await oneDid(), await twoDid()];
    expect(await both()).toEqual(["create, Applied", "update, ForeignObject"]);
    for (let round = 0; round < 3; round++) expect(await both()).toEqual(["update, Applied", "update, ForeignObject"]);
    expect(await both()).toEqual(["hold, DoubleWriter", "in-sync, DoubleWriter"]);
    const rests = await live(rig.guest, nodePool("web"));
    for (let round = 0; round < 3; round++) {
      wait(MINUTE / 4);
      expect(await both()).toEqual(["hold, DoubleWriter", "in-sync, DoubleWriter"]);
    }
    expect(await live(rig.guest, nodePool("web"))).toEqual(rests);
    const result = await one();
    const reason = wordsOf(`another anp, with the set ${OTHER},`);
    expect(result).toMatchObject({ result: "held", ready: { status: "False", message: reason }, counts: { held: 1 } });
    expect(logLines(result, 0).state).toContainEqual({
      level: "warn",
      msg: "double writer",
      fields: { cluster: "watch", object: "NodePool web", reason },
    });
    expect(figuresOf(result).objects).toContainEqual({ kind: "NodePool", state: "contested", count: 1 });
    const { problems } = result.details(() => ({ types: [] }) as never);
    expect(problems).toEqual([{ about: "NodePool web", state: "double writer", why: reason, severity: "warning" }]);
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const events = (body.items ?? []).map(({ reason: of, note, regarding }) => [
      of,
      note,
      (regarding as { kind: string }).kind,
    ]);
    expect(events).toContainEqual(["DoubleWriter", reason, "OpenshiftNodePool"]);
    wait(MINUTE / 4);
    expect(await both()).toEqual(["update, DoubleWriter", "update, DoubleWriter"]);
    expect(await both()).toEqual(["hold, DoubleWriter", "in-sync, DoubleWriter"]);
  });

  test("of one watch's name are detected, too", async () => {
    await pass(watched(rig));
    const { one, two } = twoWatches(["watch", "watch"]);
    for (let round = 0; round < 5; round++) {
      await two();
      await one();
    }
    expect((await one()).ready).toMatchObject({
      reason: "DoubleWriter",
      message: wordsOf("another anp of this watch's own name"),
    });
  });

  test("each reports the other as the owner of the changes that it corrects", async () => {
    const { one, two } = twoWatches();
    await one();
    await two();
    const result = await one();
    const { counts } = result;
    const drift = stepsOf(result).flatMap(({ step }) => step.drift.map(({ field, owner }) => `${field} ${owner}`));
    expect(drift.toSorted()).toEqual([
      'metadata.annotations["anp.hypershift.openshift.io/applied"] another anp',
      'metadata.labels["anp.hypershift.openshift.io/set"] another anp',
      "spec.weight another anp",
    ]);
    expect(counts.drift).toBe(3);
  });

  test("a tightened policy is applied at once, though the object is held", async () => {
    const { one, two, oneDid } = twoWatches();
    for (let round = 0; round < 5; round++) {
      await one();
      await two();
    }
    expect(await oneDid()).toBe("hold, DoubleWriter");
    await put(rig.management, policy(TIGHT));
    expect(await oneDid()).toBe("update, DoubleWriter");
    expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
    expect(stepsOf(await one()).find(({ step }) => step.kind === "NodePool")?.step.action).toBe("in-sync");
  });

  test("stop while both run", async () => {
    await pass(watched(rig, { name: "owner" }));
    const lines: string[] = [];
    const { fleet, ended, state } = runInProcess(
      [specOf(rig, "owner"), specOf(rig, "other", { source: otherSource(), adopt: ADOPT })],
      { intervalMs: 3_600_000, write: (line) => void lines.push(line) },
    );
    const reasons = () => ["owner", "other"].map((name) => state(name)?.last?.ready.reason);
    // The one with fewer corrections detects the other when it writes again: after a minute, or two more.
    const bothNotice = async () => reasons().every((reason) => reason === "DoubleWriter");
    await until("both notice", bothNotice, 300_000).catch((error: Error) => {
      throw new Error(`${error.message}\n${lines.join("")}`);
    });
    const passes = () => fleet.clusters().map(({ passes: { ok, held, failed } }) => ok + held + failed);
    const now = async () => ({ passes: passes(), objects: await appliedObjects(rig.guest) });
    await until("they rest", async () => {
      const before = await now();
      await sleep(4000);
      return isDeepStrictEqual(await now(), before);
    });
    // Watches that trigger each other have twenty passes before the debounce slows them down.
    expect(Math.max(...passes())).toBeLessThan(20);
    expect(await readyOf(rig)).toMatchObject({ status: "False", reason: "DoubleWriter" });
    fleet.quit();
    expect(await ended).toMatchObject({ result: "ok" });
  });
});

describeOnClusters("marks of another anp, forged", (rig) => {
  const loosen = [{ op: "replace", path: "/spec/template/spec/requirements", value: [] }] as const;
  const mark = [{ op: "replace", path: SET, value: OTHER }] as const;

  /** A watch with its own clock after its first pass. */
  async function watchWithClock() {
    let now = 0;
    const cluster = openWatch(rig);
    const memory = memoryOf(cluster, () => now);
    const watch = { wait: (milliseconds: number) => void (now += milliseconds), pass: () => pass(cluster, { memory }) };
    await watch.pass();
    const note = [{ op: "add", path: "/metadata/annotations/anp.hypershift.openshift.io~1note", value: "x" }] as const;
    await until("the third user may write", async () => (await rewrite(rig.guest, nodePool("web"), note)) === 200);
    return watch;
  }

  test.each([
    ["with them", [...loosen, ...mark]],
    ["with them and without managedFields", [...loosen, ...mark, ...WIPED]],
  ])("a spec that is loosened %s again and again never stays for longer than a minute", async (_what, patch) => {
    const watch = await watchWithClock();
    for (let time = 0; time < 8; time++) {
      expect(await rewrite(rig.guest, nodePool("web"), patch)).toBe(200);
      const held = await watch.pass();
      if (time < 3) expect(await requirementsOf(rig, "web")).toEqual([isIn(ARCH, "amd64")]);
      else expect(held).toMatchObject({ result: "held", ready: { status: "False", reason: "DoubleWriter" } });
      watch.wait(MINUTE);
      await watch.pass();
      expect(await requirementsOf(rig, "web")).toEqual([isIn(ARCH, "amd64")]);
    }
  });

  test("they do not delay a tightened policy", async () => {
    const watch = await watchWithClock();
    for (let time = 0; time < 5; time++) {
      expect(await rewrite(rig.guest, nodePool("web"), mark)).toBe(200);
      await watch.pass();
    }
    expect((await watch.pass()).ready.reason).toBe("DoubleWriter");
    await put(rig.management, policy(TIGHT));
    await watch.pass();
    expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
    expect(await rewrite(rig.guest, nodePool("web"), mark)).toBe(200);
    await watch.pass();
    await put(rig.management, policy([isIn(ARCH, "amd64")]));
    await watch.pass();
    expect(await requirementsOf(rig, "web")).toEqual([isIn(ARCH, "amd64")]);
  });

  test("a spec that is loosened without them is corrected at once, any number of times", async () => {
    const watch = await watchWithClock();
    for (let time = 0; time < 6; time++) {
      expect(await rewrite(rig.guest, nodePool("web"), loosen)).toBe(200);
      expect((await watch.pass()).ready.reason).toBe("Applied");
      expect(await requirementsOf(rig, "web")).toEqual([isIn(ARCH, "amd64")]);
    }
  });
});
