/** Proves the rendered admission policies on an API server: who may do what with NodePools and EC2NodeClasses. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, get, remove, until, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { renderPool, replacePolicies } from "../../support/e2e/admission-policies.ts";
import {
  type Attempt,
  attempt,
  ATTEMPTS,
  DENIED,
  denialIn,
  expected,
  GUARDED,
  outcomesOf,
  POOL,
  SPEC_UNCHANGED,
} from "../../support/e2e/guarded.ts";
import {
  all,
  BY_HAND,
  claim,
  CLAIM_DENIED,
  judgeClaims,
  liveOf,
  type NamedClaim,
  OWNED,
} from "../../support/e2e/node-claims.ts";

const OPERATOR: UserName = "system:hosted-cluster-config";
const KARPENTER: UserName = "system:admin";
const COLLECTOR: UserName = "system:serviceaccount:kube-system:generic-garbage-collector";
const USER: UserName = "guest-admin";

// Go is needed for the CRDs in its module cache, whichever programs are used.
describe("admission policies", () => {
  let controlPlane: ControlPlane;
  let policies: KubernetesObject[] = [];

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    for (const crd of await karpenterCrds("hypershift")) {
      expect((await create(controlPlane, KARPENTER, crd)).status).toBe(201);
    }
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
    for (const [, object] of GUARDED) expect((await create(controlPlane, OPERATOR, object)).status).toBe(201);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  /** Brings a rendering into force, which shows in what the user may do with objects of both kinds. */
  async function enforce(spec: object | undefined, user: UserName, what: Attempt, outcome: "allowed" | "denied") {
    policies = await replacePolicies(controlPlane, policies, spec);
    for (const [kind, object] of GUARDED) {
      await until(`${kind}: ${user} ${what} is ${outcome}`, async () => {
        return ((await attempt(controlPlane, user, what, object)) === "allowed") === (outcome === "allowed");
      });
    }
  }

  const outcomes = (user: UserName, object: KubernetesObject) => outcomesOf(controlPlane, user, object);
  const judge = (user: UserName, claims: readonly NamedClaim[]) => judgeClaims(controlPlane, user, claims);

  describe("SpecEqual, the default", () => {
    beforeAll(async () => {
      await enforce(undefined, USER, "CREATE", "denied");
      // The third policy acts when it acts.
      await until("NodeClaims are guarded", async () => {
        return (await create(controlPlane, USER, claim({}), { dryRun: true })).status === 422;
      });
    });

    test.each(GUARDED)("%s: HyperShift's operator may do everything", async (kind, object) => {
      expect(await outcomes(OPERATOR, object)).toEqual(expected(kind, ATTEMPTS));
    });

    test.each(GUARDED)("%s: Karpenter writes what is not the spec", async (kind, object) => {
      expect(await outcomes(KARPENTER, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test.each(GUARDED)("%s: a cluster's administrator gets no further than Karpenter", async (kind, object) => {
      expect(await outcomes(USER, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test.each(GUARDED)("%s: nor does the garbage collector", async (kind, object) => {
      expect(await outcomes(COLLECTOR, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test("test plan, item 4: a NodePool made directly is denied by the policy that guards NodePools", async () => {
      const { status, body } = await create(controlPlane, USER, { ...POOL, metadata: { name: "mine" } });
      expect(status).toBe(422);
      expect(body.reason).toBe("Invalid");
      expect(body.message).toContain("ValidatingAdmissionPolicy 'karpenter.nodepool.hypershift.io'");
      expect(body.message).toContain("binding 'karpenter-binding.nodepool.hypershift.io'");
      expect(body.message).toContain(DENIED.NodePool);
      expect((await get(controlPlane, KARPENTER, { ...POOL, metadata: { name: "mine" } })).status).toBe(404);
    });

    test("the scale subresource is no way round: a pool cannot become a static one", async () => {
      const path = `${await objectPath(controlPlane, POOL)}/scale`;
      const { status, body } = await controlPlane.request(USER, "PATCH", path, { spec: { replicas: 3 } });
      expect(status).toBe(422);
      expect(body.message).toContain("Cannot transition NodePool between static");
    });

    test("Karpenter can finish a deletion: its finalizer goes, and the pool with it", async () => {
      const pool = { ...POOL, metadata: { name: "leaving" } };
      const path = await objectPath(controlPlane, pool);
      const finalizers = async (list: string[]): Promise<number> =>
        (await controlPlane.request(KARPENTER, "PATCH", path, { metadata: { finalizers: list } })).status;
      expect((await create(controlPlane, OPERATOR, pool)).status).toBe(201);
      expect(await finalizers(["karpenter.sh/termination"])).toBe(200);
      expect((await remove(controlPlane, OPERATOR, pool)).status).toBe(200);
      expect((await get(controlPlane, KARPENTER, pool)).body.metadata).toHaveProperty("deletionTimestamp");
      expect(await finalizers([])).toBe(200);
      await waitGone(controlPlane, pool);
    });

    test.each([USER, KARPENTER])("%s makes no NodeClaim by hand", async (user) => {
      expect(await judge(user, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    });

    test("Karpenter's NodeClaims that belong to a pool pass, and the operator's pass whatever they are", async () => {
      expect(await judge(KARPENTER, OWNED)).toEqual(all(OWNED, "allowed"));
      expect(await judge(OPERATOR, BY_HAND)).toEqual(all(BY_HAND, "allowed"));
    });

    test.each([USER, COLLECTOR])("%s does not pass for Karpenter with its label and owner", async (user) => {
      expect(await judge(user, OWNED)).toEqual(all(OWNED, CLAIM_DENIED));
    });

    test("what Karpenter does with a NodeClaim from its making to its end passes", async () => {
      expect(await liveOf(controlPlane, KARPENTER)).toEqual({
        "POST with generateName": 201,
        "PATCH of the finalizer": 200,
        "PATCH of labels and annotations": 200,
        "PATCH of the status": 200,
        DELETE: 200,
        "PATCH of the finalizer away": 200,
      });
    });
  });

  describe("allowedWriters", () => {
    beforeAll(async () => {
      await enforce({ admission: { allowedWriters: [USER, "o'brien"] } }, USER, "CREATE", "allowed");
    });

    test.each(GUARDED)("%s: the named user may do everything, another no more than before", async (kind, object) => {
      expect(await outcomes(USER, object)).toEqual(expected(kind, ATTEMPTS));
      expect(await outcomes(KARPENTER, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test("a NodeClaim by hand is denied to the named user as well", async () => {
      expect(await judge(USER, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    });
  });

  describe("bounds", () => {
    const bounds = { maxExpireAfter: "168h", maxTerminationGracePeriod: "1h", minDriftedBudget: "2" };
    const bounded = (floor: string) => ({
      ...bounds,
      minDriftedBudget: floor,
      admission: { allowedWriters: [USER] },
    });
    const WITHIN = { expireAfter: "7h30m", terminationGracePeriod: "3600s" };
    const FLOOR = [{ nodes: "2", reasons: ["Drifted"] }];
    const pool = (name: string, template: object, budgets?: readonly object[]): KubernetesObject => {
      const given = (POOL as { spec: { template: { spec: object } } }).spec.template.spec;
      const disruption = budgets === undefined ? {} : { disruption: { consolidateAfter: "1m", budgets } };
      return { ...POOL, metadata: { name }, spec: { template: { spec: { ...given, ...template } }, ...disruption } };
    };
    /** What the policy says, or that it let the object pass. */
    const judgeOf = async (user: UserName, object: KubernetesObject): Promise<string> => {
      const { status, body } = await create(controlPlane, user, object, { dryRun: true });
      return status === 201 ? "allowed" : denialIn(body);
    };
    const EXPIRY = "Nodes must expire after 168h at most (maxExpireAfter).";
    const GRACE = "Nodes that go must be gone after 1h at most (maxTerminationGracePeriod).";
    const DRIFTED = "Budgets must let at least 2 of the drifted nodes go (minDriftedBudget).";

    beforeAll(async () => {
      await enforce(bounded("2"), USER, "DELETE", "allowed");
      await until("who may write is held to the bounds", async () => {
        return (await judgeOf(USER, pool("x", { ...WITHIN, expireAfter: "Never" }, FLOOR))) === EXPIRY;
      });
    });

    test.each<[string, string, object, readonly object[] | undefined]>([
      ["a pool within them", "allowed", WITHIN, FLOOR],
      ["a pool at them", "allowed", { expireAfter: "168h", terminationGracePeriod: "1h" }, FLOOR],
      ["no end", EXPIRY, { ...WITHIN, expireAfter: "Never" }, FLOOR],
      ["an end that is later", EXPIRY, { ...WITHIN, expireAfter: "168h0m1s" }, FLOOR],
      ["Karpenter's default end", EXPIRY, { terminationGracePeriod: "1h" }, FLOOR],
      ["a longer grace period", GRACE, { ...WITHIN, terminationGracePeriod: "61m" }, FLOOR],
      ["no grace period", GRACE, { expireAfter: "1h" }, FLOOR],
      ["no budgets: Karpenter's default", DRIFTED, WITHIN, undefined],
      ["no budget at all", "allowed", WITHIN, []],
      ["a budget below the floor", DRIFTED, WITHIN, [...FLOOR, { nodes: "1" }]],
      ["one in a window", DRIFTED, WITHIN, [{ nodes: "0", schedule: "@daily", duration: "8h" }]],
      ["one for other reasons", "allowed", WITHIN, [...FLOOR, { nodes: "0", reasons: ["Empty", "Underutilized"] }]],
      ["a percentage that keeps it", "allowed", WITHIN, [{ nodes: "51%" }]],
      ["a percentage that does not", DRIFTED, WITHIN, [{ nodes: "50%" }]],
      ["a number that wraps", DRIFTED, WITHIN, [{ nodes: "4294967297" }]],
    ])("%s", async (_, verdict, template, budgets) => {
      expect(await judgeOf(USER, pool("x", template, budgets))).toBe(verdict);
      // HyperShift's operator is left out, and others may write none at all.
      expect(await judgeOf(OPERATOR, pool("x", template, budgets))).toBe("allowed");
      expect(await judgeOf(KARPENTER, pool("x", template, budgets))).toBe(DENIED.NodePool);
    });

    test("a pool from before keeps its spec, and may be changed into one within the bounds", async () => {
      const path = `${await objectPath(controlPlane, POOL)}?dryRun=All`;
      const patch = async (user: UserName, change: object) => {
        const { status, body } = await controlPlane.request(user, "PATCH", path, change);
        return status === 200 ? "allowed" : denialIn(body);
      };
      for (const user of [USER, KARPENTER])
        expect(await patch(user, { metadata: { annotations: { "example.com/seen": "1" } } })).toBe("allowed");
      expect(await patch(USER, { spec: { weight: 7 } })).toContain("(maxExpireAfter)");
      const within = { template: { spec: WITHIN }, disruption: { consolidateAfter: "1m", budgets: FLOOR } };
      expect(await patch(USER, { spec: within })).toBe("allowed");
      expect(await patch(KARPENTER, { spec: within })).toBe(DENIED.NodePool);
    });

    test.each(["2", "1", "10%"])("what anp renders of any pool passes, floor %s", async (floor) => {
      const spec = bounded(floor);
      policies = await replacePolicies(controlPlane, policies, spec);
      const slow = pool("x", WITHIN, [{ nodes: "0", reasons: ["Drifted"] }]);
      await until("the floor is the new one", async () => (await judgeOf(USER, slow)).includes(` ${floor} of the`));
      const budgets = [
        undefined,
        [],
        [{ nodes: "0" }],
        [{ nodes: "10%" }, { nodes: "0", reasons: ["Drifted"], schedule: "0 9 * * mon-fri", duration: "8h" }],
        [{ nodes: "5", schedule: "0 9 * * 7", duration: "8h" }],
        [{ nodes: "99999999999999999999" }, { nodes: "4294967296" }],
      ];
      for (const [index, given] of budgets.entries()) {
        const disruption = given === undefined ? {} : { disruption: { consolidateAfter: "1m", budgets: given } };
        const expireAfter = ["Never", "720h", "1h", undefined][index % 4];
        const written = { template: { spec: { expireAfter } }, ...disruption };
        const rendered = await renderPool(written, spec);
        expect(await judgeOf(USER, { ...rendered, metadata: { name: "x" } }), JSON.stringify(given)).toBe("allowed");
      }
    });
  });

  describe("karpenterUsers", () => {
    beforeAll(async () => {
      await enforce({ admission: { mode: "None", karpenterUsers: [USER, "o'brien"] } }, USER, "CREATE", "allowed");
      await until("another user is Karpenter", async () => {
        return Object.values(await judge(USER, OWNED)).every((verdict) => verdict === "allowed");
      });
    });

    test("the named user makes NodeClaims that belong to a pool, and no others", async () => {
      expect(await judge(USER, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    });

    test("the default's user makes none", async () => {
      expect(await judge(KARPENTER, OWNED)).toEqual(all(OWNED, CLAIM_DENIED));
    });
  });

  describe("a profile whose Karpenter may be anybody", () => {
    beforeAll(async () => {
      await enforce({ profile: "karpenter-1.14" }, USER, "CREATE", "denied");
      await until("label and owner are enough", async () => {
        return Object.values(await judge(KARPENTER, OWNED)).every((verdict) => verdict === "allowed");
      });
    });

    test.each([USER, KARPENTER])("%s makes NodeClaims that belong to a pool, and no others", async (user) => {
      expect(await judge(user, OWNED)).toEqual(all(OWNED, "allowed"));
      expect(await judge(user, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    });
  });

  describe("DenyAll, the literal text of the enhancement", () => {
    beforeAll(async () => {
      await enforce({ admission: { mode: "DenyAll" } }, KARPENTER, "UPDATE of an annotation", "denied");
    });

    test.each(GUARDED)(
      "%s: even Karpenter's annotations are denied, the operator and the status pass",
      async (kind, object) => {
        expect(await outcomes(KARPENTER, object)).toEqual(expected(kind, ["UPDATE of the status"]));
        expect(await outcomes(OPERATOR, object)).toEqual(expected(kind, ATTEMPTS));
      },
    );
  });

  describe("None", () => {
    beforeAll(async () => {
      await enforce({ admission: { mode: "None", nodeClaims: "None" } }, USER, "CREATE", "allowed");
    });

    test.each(GUARDED)("%s: nothing is denied", async (kind, object) => {
      expect(policies).toEqual([]);
      expect(await outcomes(USER, object)).toEqual(expected(kind, ATTEMPTS));
      await until("NodeClaims are not guarded", async () => {
        return Object.values(await judge(USER, BY_HAND)).every((verdict) => verdict === "allowed");
      });
    });
  });
});
