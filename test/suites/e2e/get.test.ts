/** `anp get` of a dump and of a cluster prints the same bytes as `kubectl get`, and the cells of the API server's tables. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { humanDuration } from "../../../src/analyze/list/printer-cells.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { collectionPath, objectPath } from "../../support/controlplane/rest-path.ts";
import { run } from "../../support/golden/case.ts";
import { DATED, LISTED, MOMENT_CRD, moment } from "../../support/e2e/get-objects.ts";
import { ourKarpenterCrds } from "../../support/e2e/own-crds.ts";

// Go is needed for the CRDs in its module cache, whichever programs are used.
const KUBECTL = "kubectl";
const kubectlMissing = spawnSync(KUBECTL, ["version", "--client"]).status !== 0;
if (kubectlMissing) console.log("no kubectl: anp get is compared with the API server's tables alone");

const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

describe("anp get", () => {
  let controlPlane: ControlPlane;
  let home: string;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    home = mkdtempSync(join(tmpdir(), "anp-get-"));
    writeFileSync(join(home, "kubeconfig"), controlPlane.kubeconfig("system:admin"), { mode: 0o600 });
  });

  afterAll(async () => {
    await controlPlane?.stop();
    if (home !== undefined) rmSync(home, { recursive: true });
  });

  /** Both outputs of `kubectl get`, without the cache of other tests. */
  async function kubectlGet(args: readonly string[]): Promise<string> {
    const env = { ...process.env, HOME: home, KUBECONFIG: join(home, "kubeconfig") };
    const kubectl = spawn(KUBECTL, ["get", ...args], { env });
    let text = "";
    kubectl.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    kubectl.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await new Promise((done) => kubectl.on("close", done));
    return text;
  }

  async function anpGet(args: readonly string[], dump: string, now: number): Promise<string> {
    const at = ["--now", new Date(now).toISOString()];
    const { stdout, stderr } = await run(import.meta.dirname, ["get", ...args, "-", ...at], dump);
    return stderr + stdout;
  }

  async function anpLive(args: readonly string[], now: number): Promise<string> {
    const at = ["--now", new Date(now).toISOString()];
    const { stdout, stderr } = await run(home, ["get", ...args, "--live", "--kubeconfig", "kubeconfig", ...at]);
    return stderr + stdout;
  }

  /** All objects of the three kinds, as `kubectl get -o json` writes them. */
  async function dump(): Promise<string> {
    const lists = ["karpenter.sh/v1/nodepools", "karpenter.sh/v1/nodeclaims", "karpenter.k8s.aws/v1/ec2nodeclasses"];
    const answers = lists.map((list) => controlPlane.request("system:admin", "GET", `/apis/${list}`));
    return (await Promise.all(answers)).map(({ text }) => text).join("\n---\n");
  }

  /** anp's answer for the moment in the interval at which kubectl answered, or for its end. */
  async function sameMoment(before: number, after: number, other: string, anp: (now: number) => Promise<string>) {
    for (let now = before; now <= after; now += 50) if ((await anp(now)) === other) return other;
    return anp(after);
  }

  /** The output of kubectl, and of anp for a file and live. If an age changes between the requests for several kinds, all are repeated. */
  async function sameMoments(args: readonly string[], objects: string): Promise<[string, string[]]> {
    for (let attempt = 1; ; attempt++) {
      const before = Date.now();
      const printed = await kubectlGet(args);
      const after = Date.now();
      const ours = [
        await sameMoment(before, after, printed, (now) => anpGet(args, objects, now)),
        await sameMoment(before, after, printed, (now) => anpLive(args, now)),
      ];
      if (attempt === 5 || ours.every((text) => text === printed)) return [printed, ours];
    }
  }

  describe.each(["ours", "Karpenter's"] as const)("with %s CRDs", (whose) => {
    let crds: KubernetesObject[];

    beforeAll(async () => {
      crds = whose === "ours" ? await ourKarpenterCrds("karpenter-1.15") : await karpenterCrds("karpenter-1.15");
      for (const crd of crds) expect((await create(controlPlane, "system:admin", crd)).status).toBe(201);
      await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
    });

    afterAll(async () => {
      for (const crd of crds) {
        await remove(controlPlane, "system:admin", crd);
        await waitGone(controlPlane, crd);
      }
    });

    const NOTHING = [["nodepools"], ["ec2nc", "-o", "wide"]];

    test.skipIf(kubectlMissing).each(NOTHING)("nothing: %s", async (...args) => {
      const nothing = await kubectlGet(args);
      expect(await anpGet(args, '{"apiVersion": "v1", "kind": "List", "items": []}', 0)).toBe(nothing);
      expect(await anpLive(args, 0)).toBe(nothing);
    });

    test("objects", { timeout: 120_000 }, async () => {
      for (const { status, ...object } of LISTED) {
        const { body, text, status: created } = await create(controlPlane, "system:admin", object);
        expect([object.metadata?.name, created], text).toEqual([object.metadata?.name, 201]);
        if (status === undefined) continue;
        const path = `${await objectPath(controlPlane, object)}/status`;
        const written = await controlPlane.request("system:admin", "PUT", path, { ...body, status });
        expect([object.metadata?.name, written.status]).toEqual([object.metadata?.name, 200]);
        // Ages that differ.
        if (object.kind === "NodePool") await sleep(1100);
      }
      const objects = await dump();
      for (const args of [...COMMON, ...(whose === "ours" ? DESIGNED : [])]) {
        await expectTable(args, objects);
        if (kubectlMissing) continue;
        const [printed, ours] = await sameMoments(args, objects);
        expect(ours).toEqual([printed, printed]);
      }
      if (kubectlMissing) return;
      // Neither prints managedFields without a flag.
      for (const type of ["nodepools", "nodeclaims", "ec2nodeclasses", "karpenter"]) {
        const [ours, theirs] = await Promise.all([
          anpLive([type, "-o", "json", "--include-user-data"], 0),
          kubectlGet([type, "-o", "json"]),
        ]);
        expect(itemsIn(ours)).toStrictEqual(itemsIn(theirs));
      }
      expect(await anpLive(["nodepools", "--name", "none"], 0)).toBe('anp: nodepools.karpenter.sh "none" not found\n');
    });
  });

  /** The cells in the API server's tables are equal to those of anp. */
  async function expectTable([type = "", ...rest]: readonly string[], objects: string): Promise<void> {
    const kind = LISTED.find((object) => `${(object.kind ?? "").toLowerCase()}s` === type.replace("classes", "classs"));
    if (kind === undefined || rest.includes("yaml")) return;
    const wide = rest.includes("wide");
    const path = await collectionPath(controlPlane, kind);
    const before = Date.now();
    const { body } = await controlPlane.request("system:admin", "GET", path, undefined, TABLE);
    const after = Date.now();
    const columns = body["columnDefinitions"] as { name: string; priority: number }[];
    const rows = body["rows"] as { cells: (string | number | null)[] }[];
    const shown = columns.flatMap(({ priority }, index) => (wide || priority === 0 ? [index] : []));
    const titles = shown.map((index) => columns[index]!.name.toUpperCase());
    const cells = rows.map((row) => shown.map((index) => String(row.cells[index] ?? "")));
    const table = JSON.stringify([titles, ...cells]);
    const ours = async (now: number): Promise<string> =>
      JSON.stringify(cellsIn(await anpGet([type, ...rest], objects, now)));
    expect(await sameMoment(before, after, table, ours)).toBe(table);
  }

  test("ages have the format of the API server", { timeout: 60_000 }, async () => {
    expect((await create(controlPlane, "system:admin", MOMENT_CRD)).status).toBe(201);
    await waitEstablished(controlPlane, [MOMENT_CRD.metadata?.name ?? ""]);
    const start = Math.floor(Date.now() / 1000) * 1000;
    const times = DATED.map((seconds) => start - seconds * 1000);
    for (const [index, time] of times.entries())
      expect((await apply(controlPlane, "system:admin", moment(index, time))).status).toBe(201);
    const path = await collectionPath(controlPlane, moment(0, 0));
    const before = Date.now();
    const { body } = await controlPlane.request("system:admin", "GET", path, undefined, TABLE);
    const after = Date.now();
    const moments = Array.from({ length: Math.ceil((after - before) / 200) + 1 }, (_, index) => before + 200 * index);
    const rows = body["rows"] as { cells: string[] }[];
    expect(rows.length).toBe(DATED.length);
    const wrong = rows.flatMap(({ cells: [name = "", age = ""] }) => {
      const time = times[Number(name.slice("moment-".length))]!;
      const possible = moments.map((now) => humanDuration(now - time));
      return possible.includes(age) ? [] : [`${name}: ${age}, not ${possible.join(" or ")}`];
    });
    expect(wrong).toEqual([]);
  });
});

function itemsIn(list: string): unknown[] {
  const { items } = JSON.parse(list) as { items: unknown[] };
  expect(items.length).toBeGreaterThan(0);
  return items;
}

/** What both CRDs have in common, with the names that kubectl accepts. */
const COMMON = [
  ["nodepools"],
  ["nodepools", "-o", "wide"],
  ["nodeclaims"],
  ["ec2nodeclasses"],
  ["ec2nodeclasses", "-o", "wide"],
  ["nodepool"],
  ["NodePool"],
  ["nodepools.karpenter.sh"],
  ["nodeclaim.v1.karpenter.sh"],
  ["ec2nc"],
  ["ec2ncs.karpenter.k8s.aws"],
  ["ec2nodeclass"],
  ["nodeclaims,nodepools"],
  ["nodepools,ec2nc", "-o", "wide"],
  ["karpenter"],
];

/** The wide columns of the v1 API's proposal; Karpenter's CRDs have more. */
const DESIGNED = [
  ["nodeclaims", "-o", "wide"],
  ["karpenter", "-o", "wide"],
];

/** The cells of a printed table, by the columns of its first line. */
function cellsIn(text: string): string[][] {
  const [head = "", ...lines] = text.split("\n").slice(0, -1);
  const starts = [...head.matchAll(/\S+/g)].map(({ index }) => index);
  const cells = (line: string): string[] =>
    starts.map((start, column) => line.slice(start, starts[column + 1]).trimEnd());
  return [head, ...lines].map(cells);
}
