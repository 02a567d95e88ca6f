/** Compares anp's prediction of convergence with what a real Karpenter does with drifted nodes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply } from "../../support/controlplane/objects.ts";
import { createNodeClass, createReadyPools, forKwok, mustCreate } from "../../support/karpenter/pools.ts";
import { type SettlingScenario, settlingScenarios } from "../../support/karpenter/convergence-scenarios.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";
import { startTimeline, type Timeline } from "../../support/node-limits/timeline.ts";
import { INSTANCE_TYPE, list, startWorkload, type Workload } from "../../support/node-limits/workload.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const ADMIN = "system:admin";
const SCENARIOS = settlingScenarios(Date.now());

interface Settles {
  readonly until: string;
  readonly earliest: string | null;
  readonly latest: string | null;
  readonly why: string;
}

describe("drifted nodes of a real Karpenter", () => {
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;
  let workload: Workload;
  let timeline: Timeline;
  let folder: string;
  /** The nodes that a change drifts, by pool. */
  let old: ReadonlyMap<string, readonly KubernetesObject[]>;
  let settles: ReadonlyMap<string, Settles>;
  /** When each node was first missing, by name. */
  const gone = new Map<string, number>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-settling-"));
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane, undefined, { FEATURE_GATES: "StaticCapacity=true" });
    await createNodeClass(controlPlane);
    workload = startWorkload(controlPlane);
    const pools = SCENARIOS.map(({ name }) => name);
    for (const { name, held } of SCENARIOS) if (held === "do-not-disrupt") workload.guarded.add(`${name}-0`);
    await createReadyPools(
      karpenter,
      SCENARIOS.map((scenario) => forKwok(poolOf(scenario, "1"))),
    );
    for (const scenario of SCENARIOS) {
      if (scenario.held === "budget") await mustCreate(controlPlane, budgetOver(scenario.name));
      if (scenario.replicas === undefined) workload.replicas.set(scenario.name, scenario.nodes ?? 1);
    }
    await reaches("all nodes with their pods", async () => {
      const claims = await initialized();
      const bound = (await list(controlPlane, PODS)).filter(({ spec }) => spec?.["nodeName"] !== undefined);
      return (
        SCENARIOS.every((scenario) => (claims.get(scenario.name) ?? []).length === countOf(scenario)) &&
        bound.length === SCENARIOS.reduce((sum, one) => sum + (one.replicas === undefined ? countOf(one) : 0), 0)
      );
    });
    timeline = startTimeline(controlPlane, pools);
    old = await initialized();
    settles = await predicted();
    for (const scenario of SCENARIOS) await put(forKwok(poolOf(scenario, "2")));
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(timeline?.table(), karpenter?.log().slice(-10_000));
  });

  afterAll(async () => {
    await timeline?.stop();
    await workload?.stop();
    await karpenter?.stop();
    await controlPlane?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("anp predicts what the scenarios expect", () => {
    expect(Object.fromEntries([...settles].map(([name, { until }]) => [name, until]))).toStrictEqual(
      Object.fromEntries(SCENARIOS.map(({ name, says }) => [name, says])),
    );
    expect(SCENARIOS.filter(({ says }) => says === "never").length).toBeGreaterThanOrEqual(2);
    expect(settles.get("held-by-pod")?.why).toContain("its pod default/held-by-pod-0 has karpenter.sh/do-not-disrupt");
    expect(settles.get("held-by-budget")?.why).toContain(
      "PodDisruptionBudget default/held-by-budget blocks the eviction of its pod",
    );
  });

  test("the expected nodes are removed, and no others by then", async () => {
    const peaks = timeline.mark();
    const going = SCENARIOS.filter(({ goes }) => goes === true);
    await reaches("the end of all nodes that go", async () => {
      const left = await leftOf();
      return going.every(({ name }) => left.get(name)?.length === 0);
    });
    const left = await leftOf();
    const staying = SCENARIOS.filter(({ goes }) => goes !== true);
    expect(Object.fromEntries(staying.map(({ name }) => [name, left.get(name)?.length]))).toStrictEqual(
      Object.fromEntries(staying.map((scenario) => [scenario.name, countOf(scenario)])),
    );
    // They did drift: the scenarios contain the reason that they remain.
    const drifted = await list(controlPlane, CLAIMS);
    for (const { name } of staying)
      for (const claim of drifted.filter(({ metadata }) => left.get(name)?.includes(metadata?.name ?? "")))
        expect(conditionOf(claim, "Drifted"), name).toBe("True");
    for (const { name, most } of SCENARIOS)
      if (most !== undefined) expect(peaks()[name], name).toBeLessThanOrEqual(most);
  });

  test("no node is removed before the earliest time", () => {
    const bounded = SCENARIOS.filter(({ name, goes }) => goes === true && settles.get(name)?.earliest !== null);
    expect(bounded.length).toBeGreaterThanOrEqual(8);
    for (const { name } of bounded) {
      const last = Math.max(...namesOf(old.get(name)).map((claim) => gone.get(claim)!));
      expect(last, name).toBeGreaterThan(Date.parse(settles.get(name)!.earliest!) - 1000);
    }
    // The window opens the day after tomorrow at the earliest.
    expect(Date.parse(settles.get("closed-window")!.earliest!)).toBeGreaterThan(Date.now() + 86_400_000);
  });

  test("nodes blocked by pods are removed once the pods allow it", async () => {
    const released = SCENARIOS.filter(({ goes }) => goes === "released");
    for (const { name, held } of released) {
      workload.guarded.delete(`${name}-0`);
      const [path, change] =
        held === "budget"
          ? [`${BUDGETS}/${name}`, undefined]
          : [`${PODS}/${name}-0`, { metadata: { annotations: { "karpenter.sh/do-not-disrupt": null } } }];
      const { status, text } = await controlPlane.request(
        ADMIN,
        change === undefined ? "DELETE" : "PATCH",
        path,
        change,
      );
      if (status >= 300) throw new Error(text);
    }
    await reaches("the end of the nodes that were held", async () => {
      const left = await leftOf();
      return released.every(({ name }) => left.get(name)?.length === 0);
    });
    const left = await leftOf();
    for (const scenario of SCENARIOS.filter(({ goes }) => goes === false))
      expect(left.get(scenario.name)?.length, scenario.name).toBe(countOf(scenario));
  });

  async function reaches(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    await karpenter.waitFor(what, async () => {
      await sleep(200);
      return (await isTrue()) ? true : undefined;
    });
  }

  async function initialized(): Promise<Map<string, KubernetesObject[]>> {
    const claims = await list(controlPlane, CLAIMS);
    return Map.groupBy(
      claims.filter((claim) => conditionOf(claim, "Initialized") === "True"),
      ({ metadata }) => metadata?.labels?.["karpenter.sh/nodepool"] ?? "",
    );
  }

  /** The drifted nodes that remain. */
  async function leftOf(): Promise<ReadonlyMap<string, readonly string[]>> {
    const there = new Set(namesOf(await list(controlPlane, CLAIMS)));
    const missed = [...old.values()].flatMap(namesOf).filter((name) => !there.has(name) && !gone.has(name));
    for (const name of missed) gone.set(name, Date.now());
    return new Map([...old].map(([pool, claims]) => [pool, namesOf(claims).filter((name) => there.has(name))]));
  }

  async function predicted(): Promise<ReadonlyMap<string, Settles>> {
    for (const version of ["1", "2"]) {
      mkdirSync(join(folder, version));
      const pools = SCENARIOS.map((scenario) => JSON.stringify(forKwok(poolOf(scenario, version))));
      writeFileSync(join(folder, version, "pools.yaml"), pools.join("\n---\n"));
    }
    const dump = [];
    for (const [path, apiVersion, kind] of DUMPED)
      for (const object of await list(controlPlane, path)) dump.push({ ...object, apiVersion, kind });
    writeFileSync(join(folder, "nodes.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items: dump }));
    const data = ["--node-data", "nodes.json", "--node-time", "1s"];
    const { stdout, stderr } = await runAnp(["diff", "2", "--against", "1", ...data, "-o", "json"], { cwd: folder });
    const { changes } = JSON.parse(stdout) as { changes: { resource: { name: string }; settles: Settles }[] };
    expect(changes.length, stderr).toBe(SCENARIOS.length);
    return new Map(changes.map(({ resource, settles: of }) => [resource.name, of]));
  }

  async function put(object: KubernetesObject): Promise<void> {
    const { status, text } = await apply(controlPlane, ADMIN, object, { force: true });
    if (status >= 300) throw new Error(text);
  }
});

const CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";
const PODS = "/api/v1/namespaces/default/pods";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const DUMPED = [
  [CLAIMS, "karpenter.sh/v1", "NodeClaim"],
  ["/api/v1/nodes", "v1", "Node"],
  [PODS, "v1", "Pod"],
  [BUDGETS, "policy/v1", "PodDisruptionBudget"],
] as const;

function countOf({ nodes = 1, replicas = nodes }: SettlingScenario): number {
  return replicas;
}

function poolOf(scenario: SettlingScenario, version: string): KubernetesObject {
  const { name, lived, changed, annotations, budgets, replicas, limits } = scenario;
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        metadata: { labels: { "example.com/version": version }, ...(annotations === undefined ? {} : { annotations }) },
        spec: {
          nodeClassRef: { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "default" },
          requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: [INSTANCE_TYPE] }],
          ...lived,
          ...(version === "2" ? changed : {}),
        },
      },
      disruption: { consolidateAfter: "Never", ...(budgets === undefined ? {} : { budgets }) },
      ...(replicas === undefined ? {} : { replicas }),
      ...(limits === undefined ? {} : { limits }),
    },
  };
}

function budgetOver(pool: string): KubernetesObject {
  const selector = { matchLabels: { "example.com/pool": pool } };
  const metadata = { name: pool, namespace: "default" };
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { minAvailable: 1, selector } };
}

function namesOf(objects: readonly KubernetesObject[] = []): string[] {
  return objects.map(({ metadata }) => metadata?.name ?? "");
}

function conditionOf(object: KubernetesObject, type: string): string | undefined {
  const conditions = valueAt(object, ["status", "conditions"]) as { type: string; status: string }[] | undefined;
  return conditions?.find((condition) => condition.type === type)?.status;
}
