/** Tests NodePools under bounds on a real API server: the stored result is what anp predicts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { admitBounds, type BoundedFields, boundedFieldsOf } from "../../../src/guard/admit-bounds.ts";
import { BOUNDED, type Bounds } from "../../../src/guard/guard-bounds.ts";
import type { Finding } from "../../../src/krm/findings/finding.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Answer } from "../../support/controlplane/https-client.ts";
import { apply, create, get, remove, until } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { boundedFields, boundedPool, someBounds } from "../../support/guard/bounded-pools.ts";
import {
  enforce,
  type Entries,
  guardObjects,
  outcomeOf,
  poolOf,
  startCluster,
  REASONS_BUT_DRIFTED,
} from "../../support/guard/guarded-cluster.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { KARPENTER_PROFILE } from "../../support/go/programs.ts";

const BOUNDS: Bounds = { maxExpireAfter: "168h", maxTerminationGracePeriod: "1h", minDriftedBudget: "1" };
const POLICY: Entries = [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }];
const POLICY_OBJECT = {
  apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
  kind: "AutoNodePolicy",
  metadata: { name: "default", namespace: "platform" },
  spec: { nodePoolDefaults: { requirements: POLICY } },
};
/** Stored before the bounds. */
const OLD = {
  forever: {
    expireAfter: "Never",
    terminationGracePeriod: "48h",
    budgets: [{ nodes: "0" }, { nodes: "5%", reasons: ["Empty"] }],
  },
  waiting: { expireAfter: "Never", budgets: [{ nodes: "0" }] },
  going: { expireAfter: "Never" },
  touched: { expireAfter: "Never", budgets: [{ nodes: "0" }] },
} satisfies Readonly<Record<string, BoundedFields>>;
const USER = "guest-admin";

describe("a NodePool under bounds", () => {
  let controlPlane: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-guard-bounds-"));
    controlPlane = await startCluster();
    writeFileSync(join(folder, "kubeconfig"), controlPlane.kubeconfig("system:admin"));
    writeFileSync(join(folder, "policy.yaml"), stringify(POLICY_OBJECT));
    writeFileSync(join(folder, "config.yaml"), renderConfig(BOUNDS));
  });

  afterAll(async () => {
    await controlPlane?.stop();
    rmSync(folder, { recursive: true });
  });

  const patch = async (name: string, change: object, dryRun = false): Promise<Answer> => {
    const path = `${await objectPath(controlPlane, poolOf(name, []))}${dryRun ? "?dryRun=All" : ""}`;
    return controlPlane.request(USER, "PATCH", path, change);
  };
  const write = (name: string, fields: BoundedFields): Promise<Answer> => patch(name, boundedPool(name, fields), true);
  const live = async (name: string) => (await get(controlPlane, USER, poolOf(name, []))).body;
  const isStored = (answer: Answer): void => expect(outcomeOf(answer)).toBe("stored");

  /** The API server's response, in the form of the prediction. */
  function seen(answer: Answer): unknown {
    return answer.status < 300 ? boundedFieldsOf(answer.body) : refusedIn(outcomeOf(answer));
  }

  const predicted = (bounds: Bounds, asked: BoundedFields, before?: BoundedFields): unknown => {
    const admitted = admitBounds(bounds, asked, KARPENTER_PROFILE, before);
    return "refused" in admitted ? admitted.refused[0] : withDefaults(admitted.stored);
  };

  test("is stored as predicted: created, touched and changed", { timeout: 600_000 }, async () => {
    const runs = Number(process.env["ANP_BOUNDS_RUNS"] ?? 60);
    const samples = fc.sample(fc.tuple(boundedFields, boundedFields, boundedFields), { seed: 20, numRuns: runs });
    const bounds = fc.sample(someBounds, { seed: 20, numRuns: 4 });
    const olds = samples.map(([old], index) => boundedPool(`random-${index}`, old));
    const telling = { expireAfter: "Never", budgets: [{ nodes: "0" }] };
    const counts = { stored: 0, bounded: 0, refused: 0 };
    for (const some of bounds) {
      for (const pool of [boundedPool("telling", telling), ...olds]) isStored(await create(controlPlane, USER, pool));
      await enforce(controlPlane, [], { bounds: some });
      // The former mutating policy may apply again for a moment together with its binding.
      await until("these bounds act", async () => {
        const answer = await patch("telling", {}, true);
        return sameValue(seen(answer), predicted(some, withDefaults(telling), withDefaults(telling)));
      });
      for (const [index, [, change, fresh]] of samples.entries()) {
        const name = `random-${index}`;
        const before = boundedFieldsOf(await live(name));
        const about = { some, before, change, fresh };
        const touched = await patch(name, {}, true);
        const changed = await write(name, change);
        const made = await create(controlPlane, USER, boundedPool("made", fresh), { dryRun: true });
        expect({ about, touched: seen(touched) }).toEqual({ about, touched: predicted(some, before, before) });
        expect({ about, changed: seen(changed) }).toEqual({
          about,
          changed: predicted(some, withDefaults({ ...before, ...defined(change) }), before),
        });
        expect({ about, made: seen(made) }).toEqual({ about, made: predicted(some, withDefaults(fresh)) });
        for (const answer of [touched, changed, made]) {
          const isBounded = answer.body.metadata?.annotations?.[BOUNDED] !== undefined;
          counts[answer.status >= 300 ? "refused" : isBounded ? "bounded" : "stored"] += 1;
        }
        // A touched pool is within the bounds and stays unchanged.
        isStored(await patch(name, {}));
        const again = await live(name);
        isStored(await patch(name, {}));
        expect((await live(name)).metadata?.["resourceVersion"]).toBe(again.metadata?.["resourceVersion"]);
      }
      for (const object of guardObjects([], { bounds: some })) await remove(controlPlane, "system:admin", object);
      await untilNone();
      for (const pool of [poolOf("telling", []), ...olds]) await remove(controlPlane, USER, pool);
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(runs / 10);
  });

  describe("beside a policy", () => {
    beforeAll(async () => {
      for (const [name, fields] of Object.entries(OLD))
        isStored(await create(controlPlane, USER, boundedPool(name, fields)));
      await enforce(controlPlane, POLICY, { bounds: BOUNDS });
    });

    const noteOf = async (name: string): Promise<string | undefined> =>
      (await live(name)).metadata?.annotations?.[BOUNDED];

    test("gets defaults within the bounds, and the same manifest does not change it again", async () => {
      const plain = boundedPool("plain", {});
      isStored(await apply(controlPlane, USER, plain));
      const first = await live("plain");
      expect(boundedFieldsOf(first)).toEqual({
        expireAfter: "168h",
        terminationGracePeriod: "1h",
        budgets: [{ nodes: "10%" }],
      });
      expect(await noteOf("plain")).toBe("expireAfter, terminationGracePeriod");
      for (const write of [() => apply(controlPlane, USER, plain), () => patch("plain", {})]) {
        isStored(await write());
        expect((await live("plain")).metadata?.["resourceVersion"]).toBe(first.metadata?.["resourceVersion"]);
      }
      const own = { expireAfter: "24h", terminationGracePeriod: "90m" };
      expect(outcomeOf(await apply(controlPlane, USER, boundedPool("plain", own)))).toBe(
        "nodes that go are gone after 1h at the latest (maxTerminationGracePeriod): write spec.template.spec.terminationGracePeriod: 1h, or less",
      );
      isStored(await apply(controlPlane, USER, boundedPool("plain", { ...own, terminationGracePeriod: "30m" })));
      expect(boundedFieldsOf(await live("plain"))).toMatchObject({ expireAfter: "24h", terminationGracePeriod: "30m" });
      expect(await noteOf("plain")).toBeUndefined();
    });

    test.each<[keyof BoundedFields, BoundedFields, string]>([
      [
        "expireAfter",
        { expireAfter: "Never" },
        "nodes expire after 168h at the latest (maxExpireAfter): write spec.template.spec.expireAfter: 168h, or less",
      ],
      [
        "budgets",
        { budgets: [{ nodes: "5" }, { nodes: "0", schedule: "0 9 * * mon-fri", duration: "8h" }] },
        `budgets let at least 1 of the drifted nodes go (minDriftedBudget), at times that Karpenter can read: let 1 or more go, or write reasons: [${REASONS_BUT_DRIFTED.join(", ")}]`,
      ],
    ])("is refused with words that say what to write: %s", async (_field, fields, words) => {
      const answer = await create(controlPlane, USER, boundedPool("beyond", fields), { dryRun: true });
      expect({ status: answer.status, words: outcomeOf(answer) }).toEqual({ status: 422, words });
    });

    test("from before is unchanged until the next write, and then has the bounds and a note of the former values", async () => {
      expect(boundedFieldsOf(await live("forever"))).toMatchObject(OLD.forever);
      isStored(await patch("forever", { metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } }));
      const bounded = await live("forever");
      expect(boundedFieldsOf(bounded)).toEqual({
        expireAfter: "168h",
        terminationGracePeriod: "1h",
        budgets: [
          { nodes: "0", reasons: REASONS_BUT_DRIFTED },
          { nodes: "5%", reasons: ["Empty"] },
          { nodes: "1", reasons: ["Drifted"] },
        ],
      });
      const note = "expireAfter Never, terminationGracePeriod 48h, budgets 0";
      expect(await noteOf("forever")).toBe(note);
      isStored(await patch("forever", {}));
      expect((await live("forever")).metadata?.["resourceVersion"]).toBe(bounded.metadata?.["resourceVersion"]);
      // Its author, who applies the manifest of the repository, gets an error.
      const again = await apply(controlPlane, USER, boundedPool("forever", OLD.forever), { force: true });
      expect(outcomeOf(again)).toContain("(maxExpireAfter)");
      // Narrower bounds do not treat former bounds as the author's values.
      await enforce(controlPlane, POLICY, { bounds: { ...BOUNDS, maxExpireAfter: "100h" } });
      await until("the narrower bounds act", async () => {
        const { body } = await patch("forever", {}, true);
        return boundedFieldsOf(body).expireAfter === "100h";
      });
      isStored(await patch("forever", {}));
      expect(await noteOf("forever")).toBe(note);
      await enforce(controlPlane, POLICY, { bounds: BOUNDS });
      isStored(await patch("forever", { spec: { template: { spec: { expireAfter: "10h" } } } }));
      expect(await noteOf("forever")).toBe("terminationGracePeriod 48h, budgets 0");
    });

    test("is bounded while it terminates", async () => {
      await until("the bounds of the last test act no more", async () => {
        const { body } = await patch("going", {}, true);
        return boundedFieldsOf(body).expireAfter === BOUNDS.maxExpireAfter;
      });
      const finalizers = ["example.com/hold"];
      isStored(await patch("going", { metadata: { finalizers } }));
      await remove(controlPlane, USER, poolOf("going", []));
      isStored(await patch("going", { metadata: { annotations: { "example.com/note": "1" } } }));
      expect(boundedFieldsOf(await live("going"))).toMatchObject({ expireAfter: "168h", terminationGracePeriod: "1h" });
      const forever = { spec: { template: { spec: { expireAfter: "Never" } } } };
      expect(outcomeOf(await patch("going", forever))).toContain("(maxExpireAfter)");
      isStored(await patch("going", { metadata: { finalizers: null } }));
    });

    test("can be written by Karpenter while the mutating policy is missing", async () => {
      const mutating = guardObjects(POLICY, { bounds: BOUNDS }).filter(
        ({ kind, metadata }) => kind!.startsWith("Mutating") && metadata!.name!.startsWith("nodepool-bounds"),
      );
      for (const object of mutating) await remove(controlPlane, "system:admin", object);
      await until("nothing is bounded", async () => {
        const { body } = await patch("waiting", {}, true);
        return body.metadata?.annotations?.[BOUNDED] === undefined;
      });
      isStored(await patch("waiting", { metadata: { annotations: { "karpenter.sh/nodepool-hash": "2" } } }));
      expect(boundedFieldsOf(await live("waiting"))).toMatchObject(OLD.waiting);
      const made = await create(controlPlane, USER, boundedPool("made", {}), { dryRun: true });
      expect(outcomeOf(made)).toContain("(maxExpireAfter)");
    });

    test("is reported by anp check, and touched by anp guard after a preview", async () => {
      await enforce(controlPlane, POLICY, { bounds: BOUNDS });
      const anp = (...args: string[]) => runAnp([...args, "--kubeconfig", "kubeconfig"], { cwd: folder });
      const named = async () => {
        const checked = ["check", "--live", "--policy", "policy.yaml", "--config", "config.yaml", "-o", "json"];
        const { findings } = JSON.parse((await anp(...checked)).stdout) as { findings: Finding[] };
        return findings.flatMap(({ code, resource }) =>
          (code === "outside-bounds" && resource?.name === "touched") ||
          code === "live-guard-missing" ||
          code === "live-guard-weakened"
            ? [`${code} ${resource?.name}`]
            : [],
        );
      };
      expect(await named()).toEqual(["outside-bounds touched", "outside-bounds touched"]);
      const touching = ["guard", "policy.yaml", "--config", "config.yaml", "--touch"];
      const dry = await anp(...touching, "--dry-run");
      expect(dry.exit).toBe(1);
      expect(dry.stdout).toMatch(/expireAfter.*Never.*168h/s);
      expect(boundedFieldsOf(await live("touched"))).toMatchObject(OLD.touched);
      // With other bounds nothing is touched.
      writeFileSync(join(folder, "config.yaml"), renderConfig({ ...BOUNDS, maxExpireAfter: "24h" }));
      expect((await anp(...touching)).stderr).toContain("the guard of this policy is not in force");
      writeFileSync(join(folder, "config.yaml"), renderConfig(BOUNDS));
      expect((await anp(...touching)).exit).toBe(0);
      expect(boundedFieldsOf(await live("touched"))).toMatchObject({ expireAfter: "168h" });
      expect(await named()).toEqual([]);
    });

    test("is reported by anp check after a guard without bounds was applied, until it is deleted", async () => {
      await enforce(controlPlane, POLICY, { bounds: BOUNDS });
      const leftover = async (): Promise<string[]> => {
        const checked = ["check", "--live", "--policy", "policy.yaml", "--kubeconfig", "kubeconfig", "-o", "json"];
        const { findings } = JSON.parse((await runAnp(checked, { cwd: folder })).stdout) as { findings: Finding[] };
        return findings.flatMap(({ code, hint }) => (code === "live-guard-leftover" ? [hint ?? ""] : []));
      };
      const own = new Set(guardObjects(POLICY).map(({ kind, metadata }) => `${kind} ${metadata?.name}`));
      const ofBounds = guardObjects(POLICY, { bounds: BOUNDS }).filter(
        ({ kind, metadata }) => !own.has(`${kind} ${metadata?.name}`),
      );
      const [hint = "", ...others] = await leftover();
      expect(others).toEqual([]);
      expect(hint.match(/(?<=kubectl delete ).*/)?.[0]?.split(" ")).toHaveLength(ofBounds.length);
      for (const { kind, metadata } of ofBounds) expect(hint).toContain(`${kind?.toLowerCase()}/${metadata?.name}`);
      for (const object of ofBounds) await remove(controlPlane, "system:admin", object);
      expect(await leftover()).toEqual([]);
    });
  });

  /** Neither validation nor mutation applies. */
  const untilNone = (): Promise<void> =>
    until("the bounds act no longer", async () => {
      const beyond = { expireAfter: "Never", budgets: [{ nodes: "0" }] };
      const [free, plain] = await Promise.all(
        [beyond, {}].map((fields) => create(controlPlane, USER, boundedPool("free", fields), { dryRun: true })),
      );
      return free?.status === 201 && plain?.body.metadata?.annotations?.[BOUNDED] === undefined;
    });
});

function renderConfig(bounds: Bounds): string {
  return stringify({
    apiVersion: "anp.hypershift.openshift.io/v1alpha1",
    kind: "RenderConfig",
    spec: { profile: KARPENTER_PROFILE, ...bounds },
  });
}

function defined(fields: BoundedFields): BoundedFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** With the defaults of Karpenter's CRD. */
function withDefaults({ expireAfter = "720h", terminationGracePeriod, budgets }: BoundedFields): BoundedFields {
  const list = (budgets ?? [{}]).map((budget) => ({ nodes: "10%", ...budget }));
  const ended = terminationGracePeriod === undefined ? {} : { terminationGracePeriod };
  return { expireAfter, ...ended, budgets: list };
}

function refusedIn(words: string): string {
  const [, field] = /\((maxExpireAfter|maxTerminationGracePeriod|minDriftedBudget)\)/.exec(words) ?? [];
  const fields = {
    maxExpireAfter: "expireAfter",
    maxTerminationGracePeriod: "terminationGracePeriod",
    minDriftedBudget: "budgets",
  } as const;
  return field === undefined ? words : fields[field as keyof typeof fields];
}
