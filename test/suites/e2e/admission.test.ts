/** The rendered admission policies on an API server: which users may write NodePools and EC2NodeClasses. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TERMINATION_TIMESTAMP } from "../../../src/model/requirements/reserved-keys.ts";
import { BEGINS_WITHOUT, keysOfKarpenter, RESERVED_MESSAGE } from "../../../src/render/reserved-key-rules.ts";
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
  METADATA,
  outcomesOf,
  POOL,
  SPEC_UNCHANGED,
  STATUS_DENIED,
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

  /** Applies a rendering and waits until it is in force, by trying writes of both kinds. */
  async function enforce(spec: object | undefined, user: UserName, what: Attempt, outcome: "allowed" | "denied") {
    policies = await replacePolicies(controlPlane, policies, spec);
    for (const [kind, object] of GUARDED) {
      await until(`${kind}: ${user} ${what} is ${outcome}`, async () => {
        return ((await attempt(controlPlane, user, what, object)) === "allowed") === (outcome === "allowed");
      });
    }
  }

  /** The API server enforces policies one by one: wait for the last one. */
  const statusIs = (outcome: "allowed" | "denied") =>
    until(`a status written by hand is ${outcome}`, async () => {
      const verdict = await attempt(controlPlane, USER, "UPDATE of the status", POOL);
      return (verdict === "allowed") === (outcome === "allowed");
    });
  const outcomes = (user: UserName, object: KubernetesObject) => outcomesOf(controlPlane, user, object);
  const judge = (user: UserName, claims: readonly NamedClaim[]) => judgeClaims(controlPlane, user, claims);

  describe("SpecEqual, the default", () => {
    beforeAll(async () => {
      await enforce(undefined, USER, "CREATE", "denied");
      // The API server enforces the third policy a little later.
      await until("NodeClaims are guarded", async () => {
        return (await create(controlPlane, USER, claim({}), { dryRun: true })).status === 422;
      });
      await statusIs("denied");
    });

    test.each(GUARDED)("%s: HyperShift's operator may do everything", async (kind, object) => {
      expect(await outcomes(OPERATOR, object)).toEqual(expected(kind, ATTEMPTS));
    });

    test.each(GUARDED)("%s: Karpenter may write everything except the spec", async (kind, object) => {
      expect(await outcomes(KARPENTER, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test.each(GUARDED)("%s: a cluster's administrator may write the metadata only", async (kind, object) => {
      expect(await outcomes(USER, object)).toEqual(expected(kind, METADATA));
    });

    test.each(GUARDED)("%s: and so does the garbage collector", async (kind, object) => {
      expect(await outcomes(COLLECTOR, object)).toEqual(expected(kind, METADATA));
    });

    test("test plan, item 4: a NodePool that a user creates directly is denied by the policy for NodePools", async () => {
      const { status, body } = await create(controlPlane, USER, { ...POOL, metadata: { name: "mine" } });
      expect(status).toBe(422);
      expect(body.reason).toBe("Invalid");
      expect(body.message).toContain("ValidatingAdmissionPolicy 'karpenter.nodepool.hypershift.io'");
      expect(body.message).toContain("binding 'karpenter-binding.nodepool.hypershift.io'");
      expect(body.message).toContain(DENIED.NodePool);
      expect((await get(controlPlane, KARPENTER, { ...POOL, metadata: { name: "mine" } })).status).toBe(404);
    });

    test("the scale subresource does not bypass the guard: a pool cannot become a static one", async () => {
      const path = `${await objectPath(controlPlane, POOL)}/scale`;
      const { status, body } = await controlPlane.request(USER, "PATCH", path, { spec: { replicas: 3 } });
      expect(status).toBe(422);
      expect(body.message).toContain("Cannot transition NodePool between static");
    });

    test("Karpenter can finish a deletion: removing its finalizer deletes the pool", async () => {
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

    test.each(GUARDED)(
      "%s: one with finalizers is guarded as before, and any user may remove them",
      async (kind, object) => {
        const kept = { ...object, metadata: { name: "kept", finalizers: ["example.com/a", "example.com/b"] } };
        expect((await create(controlPlane, OPERATOR, kept)).status).toBe(201);
        expect((await remove(controlPlane, OPERATOR, kept)).status).toBe(200);
        const path = await objectPath(controlPlane, kept);
        const patched = (user: UserName, change: object) => controlPlane.request(user, "PATCH", path, change);
        const change = kind === "NodePool" ? { weight: 7 } : { tags: { team: "a" } };
        for (const user of [USER, KARPENTER])
          expect(denialIn((await patched(user, { spec: change })).body)).toBe(DENIED[kind]);
        expect((await patched(USER, { metadata: { finalizers: ["example.com/b"] } })).status).toBe(200);
        expect((await patched(COLLECTOR, { metadata: { finalizers: [] } })).status).toBe(200);
        await waitGone(controlPlane, kept);
      },
    );

    test.each([USER, KARPENTER])("%s cannot create a NodeClaim by hand", async (user) => {
      expect(await judge(user, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    });

    test("Karpenter may create NodeClaims of a pool, and the operator any NodeClaim", async () => {
      expect(await judge(KARPENTER, OWNED)).toEqual(all(OWNED, "allowed"));
      expect(await judge(OPERATOR, BY_HAND)).toEqual(all(BY_HAND, "allowed"));
    });

    test("users cannot change Karpenter's labels and annotations of a NodeClaim, except for an earlier end of its drain", async () => {
      const [, object] = OWNED[0]!;
      const annotated = (annotations: object) => ({ metadata: { annotations } });
      const end = annotated({ [TERMINATION_TIMESTAMP]: "9999-01-01T00:00:00Z" });
      const begun = { ...object, metadata: { ...object.metadata!, ...end.metadata } } as KubernetesObject;
      expect(denialIn((await create(controlPlane, KARPENTER, begun, { dryRun: true })).body)).toBe(
        BEGINS_WITHOUT.message,
      );
      expect((await create(controlPlane, KARPENTER, object)).status).toBe(201);
      const path = await objectPath(controlPlane, object);
      const patched = async (user: UserName, change: object): Promise<string> => {
        const { status, body } = await controlPlane.request(user, "PATCH", path, change);
        return status === 200 ? "allowed" : denialIn(body);
      };
      const KEPT = keysOfKarpenter("").message;
      expect(await patched(USER, annotated({ "example.com/a": "b" }))).toBe("allowed");
      for (const user of [USER, COLLECTOR]) expect(await patched(user, end)).toBe(KEPT);
      expect(await patched(USER, { metadata: { labels: { "karpenter.sh/nodepool": "other" } } })).toBe(KEPT);
      for (const user of [KARPENTER, OPERATOR]) expect(await patched(user, end)).toBe("allowed");
      expect(await patched(USER, annotated({ [TERMINATION_TIMESTAMP]: "2020-01-01T00:00:00Z" }))).toBe("allowed");
      expect(await patched(USER, annotated({ [TERMINATION_TIMESTAMP]: null }))).toBe("allowed");
      await remove(controlPlane, KARPENTER, object);
    });

    test.each([USER, COLLECTOR])("%s cannot create a NodeClaim with the label and owner of a pool", async (user) => {
      expect(await judge(user, OWNED)).toEqual(all(OWNED, CLAIM_DENIED));
    });

    test("all requests of Karpenter for a NodeClaim, from creation to deletion, are allowed", async () => {
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

  test("only Karpenter can store the fields that a launch uses", async () => {
    await enforce(undefined, USER, "CREATE", "denied");
    await statusIs("denied");
    const condition = {
      type: "Ready",
      status: "True",
      reason: "x",
      message: "",
      lastTransitionTime: "2026-01-05T09:00:00Z",
    };
    const launches: readonly [KubernetesObject, object][] = [
      [
        GUARDED[1][1],
        {
          amis: [{ id: "ami-evil", requirements: [] }],
          subnets: [{ id: "subnet-evil", zone: "us-east-1a" }],
          securityGroups: [{ id: "sg-evil" }],
          instanceProfile: "admin",
          conditions: [condition],
        },
      ],
      [claim({ name: "launched", ...OWNED[0]![1].metadata }), { providerID: "aws:///us-east-1a/i-0evil" }],
      [POOL, { nodes: 3, conditions: [condition] }],
    ];
    expect((await create(controlPlane, KARPENTER, launches[1]![0])).status).toBe(201);
    for (const [object, status] of launches) {
      const path = `${await objectPath(controlPlane, object)}/status`;
      const live = (await get(controlPlane, KARPENTER, object)).body;
      const head = { apiVersion: object.apiVersion!, kind: object.kind!, metadata: { name: live.metadata!.name! } };
      const ways = (user: UserName) =>
        Promise.all([
          controlPlane.request(user, "PATCH", `${path}?dryRun=All`, { status }),
          controlPlane.request(user, "PUT", `${path}?dryRun=All`, { ...live, status }),
          controlPlane.request(
            user,
            "PATCH",
            `${path}?dryRun=All&fieldManager=x&force=true`,
            JSON.stringify({ ...head, status }),
            {
              "content-type": "application/apply-patch+yaml",
            },
          ),
        ]);
      for (const { status: code, body } of await ways(USER))
        expect([code, denialIn(body)]).toEqual([422, STATUS_DENIED]);
      for (const user of [KARPENTER, OPERATOR])
        expect((await ways(user)).map(({ status: code }) => code)).toEqual([200, 200, 200]);
      // A write of the object itself does not change the status.
      const through = await controlPlane.request(KARPENTER, "PATCH", await objectPath(controlPlane, object), {
        status,
      });
      expect((through.body as { status?: object }).status ?? {}).not.toMatchObject(status);
    }
    await remove(controlPlane, KARPENTER, launches[1]![0]);
  });

  describe("allowedWriters", () => {
    beforeAll(async () => {
      await enforce({ admission: { allowedWriters: [USER, "o'brien"] } }, USER, "CREATE", "allowed");
    });

    test.each(GUARDED)("%s: the listed user may do everything, others no more than before", async (kind, object) => {
      const all = ATTEMPTS.filter((what) => what !== "UPDATE of the status");
      expect(await outcomes(USER, object)).toEqual(expected(kind, all));
      expect(await outcomes(KARPENTER, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test("the listed user cannot create a NodeClaim by hand either", async () => {
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
    /** The message of the policy, or `allowed`. */
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

    test("apply to a pool that is being deleted but has a finalizer", async () => {
      const kept = pool("kept", WITHIN, FLOOR);
      const metadata = { name: "kept", finalizers: ["example.com/a"] };
      expect((await create(controlPlane, USER, { ...kept, metadata })).status).toBe(201);
      expect((await remove(controlPlane, USER, kept)).status).toBe(200);
      const path = await objectPath(controlPlane, kept);
      const patched = (change: object) => controlPlane.request(USER, "PATCH", path, change);
      const forever = { spec: { template: { spec: { expireAfter: "Never" } } } };
      expect(denialIn((await patched(forever)).body)).toBe(EXPIRY);
      expect(denialIn((await patched({ spec: { disruption: { budgets: [{ nodes: "0" }] } } })).body)).toBe(DRIFTED);
      expect((await patched({ metadata: { finalizers: [] } })).status).toBe(200);
      await waitGone(controlPlane, kept);
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
      // HyperShift's operator is excluded, and other users may write none at all.
      expect(await judgeOf(OPERATOR, pool("x", template, budgets))).toBe("allowed");
      expect(await judgeOf(KARPENTER, pool("x", template, budgets))).toBe(DENIED.NodePool);
    });

    test.each<[string, object, string]>([
      [
        "annotation that Karpenter takes for the end of the drain",
        { annotations: { [TERMINATION_TIMESTAMP]: "never" } },
        RESERVED_MESSAGE,
      ],
      ["annotation of a later Karpenter", { annotations: { "x.karpenter.sh/y": "" } }, RESERVED_MESSAGE],
      ["annotation for users", { annotations: { "karpenter.sh/do-not-disrupt": "true" } }, "allowed"],
      ["label that requirements may name", { labels: { "karpenter.sh/capacity-type": "spot" } }, "allowed"],
    ])("a template with an %s", async (_, metadata, verdict) => {
      const { spec, ...rest } = pool("x", WITHIN, FLOOR) as { spec: { template: object } };
      const object = { ...rest, spec: { ...spec, template: { ...spec.template, metadata } } } as KubernetesObject;
      expect(await judgeOf(USER, object)).toBe(verdict);
    });

    test("an older pool keeps its spec, and may be changed into one within the bounds", async () => {
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

    test.each(["2", "1", "10%"])("each pool that anp renders is allowed, floor %s", async (floor) => {
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

    test("the listed user may create NodeClaims of a pool, and no others", async () => {
      expect(await judge(USER, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    });

    test("the default user may create none", async () => {
      expect(await judge(KARPENTER, OWNED)).toEqual(all(OWNED, CLAIM_DENIED));
    });
  });

  describe("a profile in which Karpenter may be any user", () => {
    beforeAll(async () => {
      await enforce({ profile: "karpenter-1.14" }, USER, "CREATE", "denied");
      await until("label and owner are enough", async () => {
        return Object.values(await judge(KARPENTER, OWNED)).every((verdict) => verdict === "allowed");
      });
      await statusIs("allowed");
    });

    test.each(GUARDED)("%s: users may write statuses, as check --prove says", async (kind, object) => {
      expect(await outcomes(USER, object)).toEqual(expected(kind, SPEC_UNCHANGED));
    });

    test.each([USER, KARPENTER])("%s may create NodeClaims of a pool, and no others", async (user) => {
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
      await statusIs("allowed");
      expect(await outcomes(USER, object)).toEqual(expected(kind, ATTEMPTS));
      await until("NodeClaims are not guarded", async () => {
        return Object.values(await judge(USER, BY_HAND)).every((verdict) => verdict === "allowed");
      });
    });
  });
});
