/** `anp check` accepts rendered objects as an API server stores them, with its defaults. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, waitEstablished } from "../../support/controlplane/objects.ts";
import { goldenCases, run } from "../../support/golden/case.ts";
import { objectsIn } from "../../support/e2e/own-crds.ts";

const CASES = ["admission/spec-equal", "node-class/everything", "pool/everything", "admission/allowed-writers"];

// Go is needed for the CRDs in its module cache, whichever programs are used.
describe("rendered objects as a server stores them", () => {
  let controlPlane: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-outputs-"));
    controlPlane = await startControlPlane();
    for (const crd of await karpenterCrds("hypershift"))
      expect((await create(controlPlane, "system:admin", crd)).status).toBe(201);
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
  });

  afterAll(async () => {
    await controlPlane?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function kept(objects: readonly KubernetesObject[]): Promise<KubernetesObject[]> {
    const answers = objects.map((object) => create(controlPlane, "system:admin", object, { dryRun: true }));
    return (await Promise.all(answers)).map(({ status, body, text }) => {
      if (status !== 201) throw new Error(text);
      return body;
    });
  }

  async function stale(golden: { folder: string; args: readonly string[] }, objects: readonly KubernetesObject[]) {
    const file = join(folder, "kept.json");
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    const args = ["check", "-o", "json", ...golden.args.slice(1), file];
    const { findings } = JSON.parse((await run(golden.folder, args)).stdout) as {
      findings: { code: string; file?: string; message: string }[];
    };
    return findings
      .filter((finding) => finding.code === "output-stale" && finding.file === file)
      .map(({ message }) => message);
  }

  test.each(CASES)("%s: with its defaults and its own fields, nothing differs", async (name) => {
    const golden = goldenCases().find((one) => one.name === name)!;
    const rendered = objectsIn((await run(golden.folder, golden.args)).stdout);
    const objects = await kept(rendered);
    expect(objects.every((object) => valueAt(object, ["metadata", "uid"]) !== undefined)).toBe(true);
    // The server must have added fields, or the test would prove nothing.
    expect(
      objects.filter((object, index) => JSON.stringify(object.spec) !== JSON.stringify(rendered[index]?.spec)).length,
    ).toBeGreaterThan(0);
    expect(await stale(golden, objects)).toEqual([]);
    const changed = objects.map((object) => ({ ...object, spec: { ...object.spec, weight: 99, matchConditions: [] } }));
    expect(await stale(golden, changed)).toHaveLength(objects.length);
  });
});
