/** Decision 0001: anp's models and an API server with their CRDs give each object the same verdict. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Resource } from "../../../src/krm/places/resource.ts";
import { PROFILES, type Profile } from "../../../src/model/crds/profile.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, until } from "../../support/controlplane/objects.ts";
import { messagesOf, unbroken, unsaid } from "../../support/e2e/cel-rules.ts";
import { type Answer, askBoth, stale, surprises } from "../../support/e2e/compare.ts";
import { AUTO_NODE_POLICY } from "../../support/e2e/faults/auto-node-policy.ts";
import { differencesIn, OF_WRAPPERS } from "../../support/e2e/faults/differences.ts";
import { OPENSHIFT_EC2_NODE_CLASS } from "../../support/e2e/faults/node-class-nodes.ts";
import { OPENSHIFT_NODE_POOL } from "../../support/e2e/faults/pool.ts";
import { type Case, casesOf, ok, type Table } from "../../support/e2e/faults/table.ts";
import { fixtureObjects } from "../../support/e2e/fixture-objects.ts";
import { askModel } from "../../support/e2e/model-verdict.ts";
import { GROUP, installOurCrds, ourCrds } from "../../support/e2e/own-crds.ts";
import { askServer } from "../../support/e2e/server-verdict.ts";

const NAMESPACE = "clusters-shop";

const POLICY: KubernetesObject = {
  apiVersion: `${GROUP}/v1beta1`,
  kind: "AutoNodePolicy",
  metadata: { name: "default", namespace: NAMESPACE },
  spec: {},
};

const POOL: KubernetesObject = {
  apiVersion: `${GROUP}/v1beta1`,
  kind: "OpenshiftNodePool",
  metadata: { name: "web" },
  spec: { template: { spec: {} } },
};

const NODE_CLASS: KubernetesObject = {
  apiVersion: `${GROUP}/v1`,
  kind: "OpenshiftEC2NodeClass",
  metadata: { name: "web" },
  spec: { monitoring: "Basic" },
};

describe("verdicts", () => {
  let controlPlane: ControlPlane;
  const answers = new Map<string, Answer[]>();

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };
    expect((await create(controlPlane, "system:admin", namespace)).status).toBe(201);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  describe.each(PROFILES)("profile %s", (profile) => {
    const known = differencesIn(profile, OF_WRAPPERS);

    beforeAll(async () => {
      await installOurCrds(controlPlane, profile);
      await until(`the CRDs of ${profile} are in force`, () => inForce(controlPlane, profile));
    });

    test.each([
      ["AutoNodePolicy", POLICY, AUTO_NODE_POLICY],
      ["OpenshiftNodePool", POOL, OPENSHIFT_NODE_POOL],
      ["OpenshiftEC2NodeClass", NODE_CLASS, OPENSHIFT_EC2_NODE_CLASS],
    ] as const)("%s", async (kind, base, tables) => {
      const both = await askBoth(controlPlane, allCases(base, tables, profile), profile);
      answers.set(`${kind} ${profile}`, both);
      expect(surprises(both, known)).toEqual([]);
      const messages = messagesOf(await ourCrds(profile), kind);
      expect(unsaid(messages, both)).toEqual([]);
      expect(unbroken(messages, both)).toEqual([]);
    });

    test("every policy and wrapper of the fixtures", async () => {
      const objects = fixtureObjects();
      expect(objects.length).toBeGreaterThan(150);
      const differing: string[] = [];
      for (const { file, resource } of objects) {
        const object = inNamespace(resource);
        const model = askModel(object, profile);
        const server = await askServer(controlPlane, object);
        if (model.verdict !== server.verdict) differing.push(`${file}\n  ${model.message}\n  ${server.message}`);
      }
      expect(differing).toEqual([]);
    });

    test("each listed difference exists", () => {
      const asked = [...answers].filter(([key]) => key.endsWith(profile)).flatMap(([, both]) => both);
      expect(stale(asked, known)).toEqual([]);
    });
  });

  test("a pool keeps the group and kind of its node class, not the name", async () => {
    const ref = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
    const changed = async (change: object): Promise<string> => {
      const spec = { template: { spec: { nodeClassRef: { ...ref, ...change } } } };
      const { status, body } = await apply(controlPlane, "system:admin", { ...POOL, spec });
      return status < 300 ? ok : (body.message ?? "");
    };
    expect(await changed({})).toBe(ok);
    expect(await changed({ name: "other" })).toBe(ok);
    expect(await changed({ group: "karpenter.sh" })).toContain("nodeClassRef.group is immutable");
    expect(await changed({ kind: "OpenshiftEC2NodeClass" })).toContain("nodeClassRef.kind is immutable");
  });
});

function allCases(base: KubernetesObject, tables: readonly Table[], profile: Profile): Case[] {
  return tables.flatMap((table) => casesOf(base, table, profile));
}

/** A changed CRD takes effect a little later. The verdicts on these two pools show which profile is in effect. */
async function inForce(controlPlane: ControlPlane, profile: Profile): Promise<boolean> {
  const balanced = withDisruption({ consolidationPolicy: "Balanced" });
  const unhealthy = withDisruption({ budgets: [{ nodes: "1", reasons: ["Unhealthy"] }] });
  const verdicts = await Promise.all([balanced, unhealthy].map((pool) => askServer(controlPlane, pool)));
  const wanted = { hypershift: [false, false], "karpenter-1.14": [true, false], "karpenter-1.15": [true, true] };
  return verdicts.every(({ verdict }, index) => (verdict === ok) === wanted[profile][index]);
}

function withDisruption(disruption: object): KubernetesObject {
  return { ...POOL, spec: { ...POOL.spec, disruption: { consolidateAfter: "0s", ...disruption } } };
}

/** A namespace that exists: some fixtures have invalid namespaces. */
function inNamespace({ kind, value }: Resource): KubernetesObject {
  const object: KubernetesObject = value;
  if (kind !== "AutoNodePolicy") return object;
  return { ...object, metadata: { ...object.metadata, namespace: NAMESPACE } };
}
