/** A pool that gets no nodes is reported on its wrapper, on the policy, in an event and in the log. Runs on real API servers. */
import { expect, test } from "vitest";
import { type Context, FILES } from "../../../src/commands/cli/context.ts";
import { catalogues } from "../../../src/commands/input/load-catalogue.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { poolVerdicts } from "../../../src/cluster/status/pool-verdicts.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { ARCH, type Entry, isIn, policy, pool, TYPE, userData } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";
import { ADMIN, apiOf, live, nodePool, pass, put, readyOf, said, watched } from "../../support/watch/rig.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

const KARPENTERS: readonly Condition[] = [
  { type: "NodeClassReady", status: "True" },
  { type: "Ready", status: "True" },
].map((one) => ({ ...one, reason: one.type, message: "", lastTransitionTime: "2026-01-05T09:00:00Z" }));

const AGAINST_IMAGES = `no instance type satisfies ${ARCH} In [arm64] (policy) and ${ARCH} In [amd64] (images of node class default)`;

const SIZES = "karpenter.k8s.aws/instance-cpu";

describeOnClusters("a pool that gets no nodes", (rig) => {
  async function karpenterIsContent(name: string): Promise<void> {
    const path = await objectPath(rig.guest, nodePool(name));
    const { status, text } = await rig.guest.request(ADMIN, "PATCH", `${path}/status`, {
      status: { conditions: KARPENTERS },
    });
    if (status !== 200) throw new Error(text);
  }

  async function conditionsOf(name: string): Promise<readonly Condition[] | undefined> {
    const { status } = await live(rig.guest, pool(name));
    return (status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions;
  }

  /** Warnings on the current wrapper: other suites had one with its name. */
  async function warningsOn(name: string): Promise<string[]> {
    const { uid } = (await live(rig.guest, pool(name))).metadata ?? {};
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    return (body.items ?? [])
      .filter(({ type, regarding }) => type === "Warning" && (regarding as { uid?: string }).uid === uid)
      .map(({ reason, note }) => `${String(reason)}: ${String(note)}`);
  }

  test("because of the policy and the images of its class is not ready, with the reason, until the policy is fixed", async () => {
    await pass(watched(rig));
    await karpenterIsContent("web");
    await pass(watched(rig));
    expect(await conditionsOf("web")).toEqual(KARPENTERS);

    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    const result = await pass(watched(rig));
    expect(said(result)).toContain("update NodePool/web");
    expect(result).toMatchObject({
      result: "ok",
      verdicts: [{ pool: "web", verdict: "unsatisfiable", why: AGAINST_IMAGES, byPolicy: true }],
    });
    const conditions = await conditionsOf("web");
    expect(conditions).toEqual([
      KARPENTERS[0],
      {
        type: "Ready",
        status: "False",
        reason: "NoInstanceTypes",
        message: AGAINST_IMAGES,
        observedGeneration: 1,
        lastTransitionTime: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    ]);
    expect(await readyOf(rig)).toMatchObject({
      status: "False",
      reason: "NoInstanceTypes",
      message: `1 of 1 NodePools gets no nodes: web: ${AGAINST_IMAGES}`,
    });
    expect(logLines(result, 0).state).toContainEqual({
      level: "warn",
      msg: "gets no nodes",
      fields: { cluster: "watch", object: "NodePool web", reason: AGAINST_IMAGES },
    });

    const { resourceVersion } = (await live(rig.guest, pool("web"))).metadata ?? {};
    await pass(watched(rig));
    expect((await live(rig.guest, pool("web"))).metadata).toMatchObject({ resourceVersion });
    expect(await warningsOn("web")).toEqual([`NoInstanceTypes: the pool gets no nodes: ${AGAINST_IMAGES}`]);

    await put(rig.management, policy([isIn(ARCH, "amd64")]));
    await pass(watched(rig));
    expect(await conditionsOf("web")).toEqual(KARPENTERS);
    expect(await readyOf(rig)).toMatchObject({
      status: "True",
      reason: "Applied",
      message: "applied to 1 NodePools and 1 EC2NodeClasses",
    });
  });

  test("because of a later image for the other architecture is not ready", async () => {
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    expect((await pass(watched(rig))).ready.reason).toBe("NoInstanceTypes");
    const secret = userData("default");
    const labels = { ...secret.metadata?.["labels"], "hypershift.openshift.io/ami-arm64": "ami-0c2d" };
    await put(rig.management, { ...secret, metadata: { ...secret.metadata, labels } });
    expect((await pass(watched(rig))).ready.reason).toBe("Applied");
  });

  test("because of its own requirements: the wrapper is not ready, and the policy is ready and counts it", async () => {
    const cpus: Entry = { key: SIZES, operator: "Gt", values: ["8"] };
    await put(rig.guest, pool("web", [isIn(TYPE, "m5.xlarge"), cpus]));
    await put(rig.guest, pool("other"));
    await pass(watched(rig));
    const why = `no instance type satisfies ${TYPE} In [m5.xlarge] (pool) and ${SIZES} Exists >=9 (pool)`;
    expect(await conditionsOf("web")).toMatchObject([{ status: "False", reason: "NoInstanceTypes", message: why }]);
    expect(await conditionsOf("other")).toBeUndefined();
    expect(await readyOf(rig)).toMatchObject({
      status: "True",
      reason: "Applied",
      message: "applied to 2 NodePools and 1 EC2NodeClasses; 1 of 2 NodePools gets no nodes: web",
    });
    await put(rig.guest, pool("web", [isIn(TYPE, "m5.4xlarge"), cpus]));
    await pass(watched(rig));
    expect(await conditionsOf("web")).toBeUndefined();
    expect((await readyOf(rig))?.["message"]).toBe("applied to 2 NodePools and 1 EC2NodeClasses");
  });

  test("because of a conflict on one label: one event, and the wrapper is not ready", async () => {
    await put(rig.guest, pool("web", [isIn(ARCH, "arm64")]));
    const { ready } = await pass(watched(rig));
    expect(ready.reason).toBe("RequirementsConflict");
    expect(await conditionsOf("web")).toMatchObject([{ status: "False", reason: "NoInstanceTypes" }]);
    expect(await warningsOn("web")).toEqual([
      `RequirementsConflict: the requirements on ${ARCH} conflict with the AutoNodePolicy: the pool gets no new nodes`,
    ]);
  });

  test("a pool that is narrowed, paused, or requires an unknown type keeps Karpenter's status", async () => {
    await put(rig.guest, pool("narrowed", [isIn(ARCH, "amd64", "arm64")]));
    await put(rig.guest, pool("paused", [], { limits: { cpu: "0" } }));
    await put(rig.guest, pool("newer", [isIn(TYPE, "m99.xlarge")]));
    const { verdicts } = await pass(watched(rig));
    expect(verdicts.map(({ pool: name, verdict }) => `${name} ${verdict}`)).toEqual([
      "narrowed narrowed",
      "newer unknown",
      "paused paused",
      "web ok",
    ]);
    for (const name of ["narrowed", "paused", "newer"]) expect(await conditionsOf(name)).toBeUndefined();
    expect(await readyOf(rig)).toMatchObject({
      status: "True",
      message: "applied to 4 NodePools and 1 EC2NodeClasses",
    });
  });

  test("while the policy is held there are no new verdicts, and the old conditions stay", async () => {
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    await pass(watched(rig));
    const before = await conditionsOf("web");
    expect(before).toMatchObject([{ reason: "NoInstanceTypes" }]);
    const held = await pass(watched(rig, { management: apiOf(rig, "management", "plain-user") }));
    expect(held).toMatchObject({ mode: "Hold", verdicts: [] });
    expect(await conditionsOf("web")).toEqual(before);
  });

  test("a foreign NodePool is the reason of the wrapper's condition, and one that could not be written changes nothing", async () => {
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    const { verdicts } = await pass(watched(rig));
    expect(verdicts).toHaveLength(1);
    const other = await pass(watched(rig, { name: "other" }));
    expect(said(other)).toContain("foreign-object NodePool/web");
    expect(other.verdicts).toEqual([]);
    expect(await conditionsOf("web")).toMatchObject([{ status: "False", reason: "ForeignObject" }]);
    await pass(watched(rig));
    const locked = await pass(watched(rig, { render: { autoNode: false } }));
    expect(locked.verdicts).toEqual([]);
    expect(await conditionsOf("web")).toMatchObject([{ reason: "NoInstanceTypes" }]);
  });

  test("without a catalogue no pool is reported to get no nodes", async () => {
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    const result = await pass(watched(rig), { judge: poolVerdicts(() => undefined) });
    expect(result).toMatchObject({ result: "ok", verdicts: [{ verdict: "unknown" }], ready: { status: "True" } });
    expect(await conditionsOf("web")).toBeUndefined();
  });

  test("the catalogue is read once for all hosted clusters; an unreadable one is logged once, and does not fail a pass", async () => {
    let asked = 0;
    let log = "";
    const specs = [specOf(rig, "watch"), specOf(rig, "judged", { dryRun: true })];
    const over = { once: true, write: (text: string) => void (log += text) };
    const readShipped = (name: string) => {
      asked++;
      return FILES.readShipped(name);
    };
    const context = { files: { ...FILES, readShipped } } as unknown as Context;
    const read = runInProcess(specs, { ...over, catalogue: catalogues(undefined, context) });
    await read.ended;
    expect(read.state("watch")?.last?.verdicts).toMatchObject([{ pool: "web", verdict: "ok" }]);
    expect([asked, log.includes("catalogue not read")]).toEqual([1, false]);
    const unread = runInProcess(specs, {
      ...over,
      catalogue: () => {
        throw new Error("no such file");
      },
    });
    await unread.ended;
    expect(unread.state("watch")?.last).toMatchObject({ result: "ok", verdicts: [{ verdict: "unknown" }] });
    expect(log.match(/"msg":"catalogue not read"/g)).toHaveLength(1);
    expect(log).toContain('"level":"warn","msg":"catalogue not read","reason":"no such file"');
  });
});
