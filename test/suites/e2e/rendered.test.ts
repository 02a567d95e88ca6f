/** Karpenter's own CRDs accept all rendered objects, and anp's models give the same verdicts as the CRDs. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROFILES } from "../../../src/model/crds/profile.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { askBoth, stale, surprises } from "../../support/e2e/compare.ts";
import { differencesIn, OF_KARPENTER } from "../../support/e2e/faults/differences.ts";
import { EC2_NODE_CLASS, EC2_NODE_CLASS_SPEC } from "../../support/e2e/faults/ec2-node-class.ts";
import { MINIMAL_TEMPLATE_SPEC, NODE_POOL } from "../../support/e2e/faults/pool.ts";
import { casesOf } from "../../support/e2e/faults/table.ts";
import { type RenderedCase, renderedCases, renderedFor } from "../../support/e2e/rendered-cases.ts";
import { askServer } from "../../support/e2e/server-verdict.ts";

const POOL: KubernetesObject = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: { template: { spec: MINIMAL_TEMPLATE_SPEC } },
};

const NODE_CLASS: KubernetesObject = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "web" },
  spec: EC2_NODE_CLASS_SPEC,
};

// Go is needed for the CRDs in its module cache, whichever programs are used.
describe("rendered objects", () => {
  let controlPlane: ControlPlane;
  let asTheyAre: RenderedCase[];

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    asTheyAre = await renderedCases();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  /** The objects that the API server refuses, with its messages. */
  async function refusedOf(cases: readonly RenderedCase[]): Promise<string[]> {
    const refused: string[] = [];
    for (const { name, objects } of cases) {
      for (const object of objects) {
        const { message } = await askServer(controlPlane, object);
        if (message !== "") refused.push(`${name}: ${message}`);
      }
    }
    return refused;
  }

  describe.each(PROFILES)("profile %s", (profile) => {
    const known = differencesIn(profile, OF_KARPENTER);
    let crds: KubernetesObject[];

    beforeAll(async () => {
      crds = await karpenterCrds(profile);
      for (const crd of crds) expect((await create(controlPlane, "system:admin", crd)).status).toBe(201);
      await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
    });

    afterAll(async () => {
      for (const crd of crds) {
        expect((await remove(controlPlane, "system:admin", crd)).status).toBe(200);
        await waitGone(controlPlane, crd);
      }
    });

    test("accepts all that the golden cases and the quick start render for it", async () => {
      const cases = asTheyAre.filter((rendered) => rendered.profile === profile);
      const kinds = cases.flatMap(({ objects }) => objects.map(({ kind }) => kind));
      expect(kinds).toContain("NodePool");
      if (profile === "hypershift") expect(kinds.length).toBeGreaterThan(50);
      expect(await refusedOf(cases)).toEqual([]);
    });

    test("accepts what they render for it with an instance profile", async () => {
      const cases = await renderedFor(profile);
      const names = cases.map(({ name }) => name);
      expect(names).toContain("node-class/everything");
      expect(names).toContain("pool/everything");
      expect(cases.flatMap(({ objects }) => objects).length).toBeGreaterThan(50);
      expect(await refusedOf(cases)).toEqual([]);
    });

    test("gives invalid NodePools and EC2NodeClasses the same verdicts as anp's models", async () => {
      const cases = [
        ...NODE_POOL.flatMap((table) => casesOf(POOL, table, profile)),
        ...EC2_NODE_CLASS.flatMap((table) => casesOf(NODE_CLASS, table, profile)),
      ];
      const answers = await askBoth(controlPlane, cases, profile);
      expect(surprises(answers, known)).toEqual([]);
      expect(stale(answers, known)).toEqual([]);
    });
  });
});
