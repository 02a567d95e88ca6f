/** Tests lists without room for a policy: a guard on a real API server limits them, and every pool can be tightened. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { DISPLACED } from "../../../src/guard/pool-shares.ts";
import { OWN_SHARE, POLICY_SHARE } from "../../../src/model/requirements/requirement.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Answer } from "../../support/controlplane/https-client.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, get } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import {
  END,
  enforce,
  type Entries,
  outcomeOf,
  poolOf,
  requirementsOf,
  startCluster,
} from "../../support/guard/guarded-cluster.ts";

const many = (of: string, count: number): Entries =>
  Array.from({ length: count }, (_, index) => ({ key: `example.com/${of}${index}`, operator: "NotIn", values: ["x"] }));
const labelled = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`example.com/label${index}`, "y"]));
const SMALL = many("policy", 2);
const LARGE = many("policy", POLICY_SHARE);
const TOO_MANY = /^a NodePool has at most 55 requirements and template labels of its own/;
const USER = "guest-admin";
const KARPENTER = "system:admin";

describe("a pool under a guard", () => {
  let controlPlane: ControlPlane;
  /** Created before the guard. */
  const OLD = [56, 58, 59, 94, 96, 97, 98, 99, 100];

  beforeAll(async () => {
    controlPlane = await startCluster();
    for (const count of OLD)
      expect(outcomeOf(await create(controlPlane, USER, poolOf(`old-${count}`, many("own", count))))).toBe("stored");
    await enforce(controlPlane, SMALL);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  const live = async (name: string): Promise<KubernetesObject> =>
    (await get(controlPlane, USER, poolOf(name, []))).body;
  const patch = async (user: typeof USER | typeof KARPENTER, name: string, change: unknown): Promise<Answer> =>
    controlPlane.request(user, "PATCH", await objectPath(controlPlane, poolOf(name, [])), JSON.stringify(change), {
      "content-type": "application/merge-patch+json",
    });
  const setList = (name: string, requirements: Entries) =>
    patch(USER, name, { spec: { template: { spec: { requirements } } } });

  test("has at most 55 entries and template labels of its own", async () => {
    const ask = async (own: number, labels: number): Promise<string> =>
      outcomeOf(await create(controlPlane, USER, poolOf("new", many("own", own), labelled(labels)), { dryRun: true }));
    expect(await ask(OWN_SHARE, 0)).toBe("stored");
    expect(await ask(OWN_SHARE - 10, 10)).toBe("stored");
    expect(await ask(OWN_SHARE + 1, 0)).toMatch(TOO_MANY);
    expect(await ask(98, 0)).toMatch(TOO_MANY);
    // A list that does not fit is refused with the same message.
    expect(await ask(100, 0)).toMatch(TOO_MANY);
    expect(await ask(OWN_SHARE - 10, 11)).toMatch(TOO_MANY);
  });

  describe.each([
    ["two entries", SMALL],
    ["as many entries as it may have", LARGE],
    ["two entries again", SMALL],
  ])("of a policy of %s, from before the guard", (_what, policy) => {
    beforeAll(async () => {
      await enforce(controlPlane, policy);
    });

    test.each(OLD)(
      "with %i entries is writable by Karpenter, gets the policy, and keeps its entries",
      async (count) => {
        const name = `old-${count}`;
        const before = await live(name);
        const written = await patch(KARPENTER, name, {
          metadata: {
            annotations: { "karpenter.sh/nodepool-hash": String(policy.length) },
            finalizers: ["example.com/f"],
          },
        });
        expect(outcomeOf(written)).toBe("stored");
        const path = `${await objectPath(controlPlane, poolOf(name, []))}/status`;
        const status = await controlPlane.request(KARPENTER, "PATCH", path, { status: { nodes: policy.length } });
        expect(outcomeOf(status)).toBe("stored");
        const own = many("own", count);
        const fits = policy.length + 2 + Math.min(count, 98) <= 100;
        const expected = fits ? [...policy, END, ...own.slice(0, 98)] : [BLOCKER, END, ...own.slice(0, 98)];
        const after = await live(name);
        expect(requirementsOf(after)).toEqual(expected);
        const asked = { requirements: requirementsOf(before), labels: {} };
        expect(admitPool(policy, asked, asked)).toEqual({ stored: expected, blocked: !fits });
        const displaced = own
          .slice(98)
          .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(" ")}`);
        expect(after.metadata?.annotations?.[DISPLACED]).toBe(
          displaced.length === 0 ? undefined : displaced.join("; "),
        );
      },
    );

    test("may be edited but cannot grow, with any policy entries", async () => {
      for (const count of [56, 97, 98]) {
        const name = `old-${count}`;
        const own = many("own", count);
        const edited: Entries = [{ key: "example.com/edited", operator: "Exists" }, ...own.slice(1)];
        const outcome = outcomeOf(await setList(name, edited));
        expect(outcome).toBe("stored");
        expect(requirementsOf(await live(name)).slice(-count)).toEqual(edited);
        expect(outcomeOf(await setList(name, [...edited, ...many("more", 1)]))).toMatch(TOO_MANY);
        const labels = { metadata: { labels: labelled(1) } };
        expect(outcomeOf(await patch(USER, name, { spec: { template: labels } }))).toMatch(TOO_MANY);
        expect(outcomeOf(await setList(name, own))).toBe("stored");
      }
    });
  });

  test("above its share may lose entries, and gets the policy as soon as there is room", async () => {
    await enforce(controlPlane, LARGE);
    const own = many("own", 58);
    expect(outcomeOf(await setList("old-94", own))).toBe("stored");
    expect(requirementsOf(await live("old-94"))).toEqual([...LARGE, END, ...own]);
    expect(outcomeOf(await setList("old-94", many("own", 59)))).toMatch(TOO_MANY);
    // As exported and created again.
    expect(outcomeOf(await patch(KARPENTER, "old-96", {}))).toBe("stored");
    const exported = requirementsOf(await live("old-96"));
    expect(exported.slice(0, 2)).toEqual([BLOCKER, END]);
    expect(outcomeOf(await setList("old-96", exported))).toBe("stored");
    const anew = await create(controlPlane, USER, poolOf("copy", exported), { dryRun: true });
    expect(outcomeOf(anew)).toMatch(TOO_MANY);
  });

  test("that also bypasses the policy, and has no room, is blocked and stays writable", async () => {
    await enforce(controlPlane, []);
    const own: Entries = [...many("own", 99), { key: "example.com/tier", operator: "In", values: ["silver"] }];
    expect(outcomeOf(await create(controlPlane, USER, poolOf("round", own)))).toBe("stored");
    await enforce(controlPlane, [{ key: "example.com/tier", operator: "In", values: ["gold"] }]);
    const touched = await patch(KARPENTER, "round", {
      metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } },
    });
    expect(outcomeOf(touched)).toBe("stored");
    expect(requirementsOf(await live("round"))).toEqual([BLOCKER, END, ...own.slice(0, 98)]);
    expect((await live("round")).metadata?.annotations?.[DISPLACED]).toBe(
      "example.com/own98 NotIn x; example.com/tier In silver",
    );
  });
});
