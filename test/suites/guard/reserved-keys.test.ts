/** Tests Karpenter's own keys under a guard on a real API server: in templates of pools, and on NodeClaims. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TERMINATION_TIMESTAMP, WRITTEN_LATER } from "../../../src/model/requirements/reserved-keys.ts";
import { BEGINS_WITHOUT, keysOfKarpenter, RESERVED_MESSAGE } from "../../../src/render/reserved-key-rules.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Answer } from "../../support/controlplane/https-client.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, until } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { claimOf, patch } from "../../support/guard/attacks/guarded-clusters.ts";
import {
  enforce,
  type Entries,
  guardObjects,
  outcomeOf,
  poolOf,
  startCluster,
} from "../../support/guard/guarded-cluster.ts";

const POLICY: Entries = [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }];
const USER = "guest-admin";
const KARPENTER = "system:admin";
const FAR = "9999-01-01T00:00:00Z";

type Keys = Readonly<Record<string, string>>;

const withTemplate = (pool: KubernetesObject, metadata: object): KubernetesObject => {
  const spec = pool.spec as { template: object };
  return { ...pool, spec: { ...spec, template: { ...spec.template, metadata } } };
};
const annotated = (name: string, annotations: Keys): KubernetesObject =>
  withTemplate(poolOf(name, []), { annotations });

describe("a guard", () => {
  let controlPlane: ControlPlane;
  const OLD = { [TERMINATION_TIMESTAMP]: FAR, "example.com/team": "web", "karpenter.sh/do-not-disrupt": "true" };

  beforeAll(async () => {
    controlPlane = await startCluster();
    for (const name of ["old", "halved"])
      expect(outcomeOf(await create(controlPlane, USER, annotated(name, OLD)))).toBe("stored");
    await enforce(controlPlane, POLICY);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  const made = async (pool: KubernetesObject): Promise<string> =>
    outcomeOf(await create(controlPlane, USER, pool, { dryRun: true }));
  const change = (name: string, annotations: object, user: UserName = USER): Promise<Answer> =>
    patch(controlPlane, user, poolOf(name, []), { spec: { template: { metadata: { annotations } } } });
  const annotationsOf = async (name: string): Promise<unknown> => {
    const { spec } = (await get(controlPlane, USER, poolOf(name, []))).body;
    return (spec as { template: { metadata?: { annotations?: Keys } } }).template.metadata?.annotations;
  };

  describe("refuses a template", () => {
    test.each<[string, string]>([
      [TERMINATION_TIMESTAMP, FAR],
      [TERMINATION_TIMESTAMP, "never"],
      [TERMINATION_TIMESTAMP, ""],
      ["karpenter.sh/nodepool-hash", "1"],
      ["karpenter.sh/requested-dra-drivers", "none.example.com"],
      ["karpenter.sh/what-a-later-version-reads", "true"],
      ["karpenter.k8s.aws/tagged", "true"],
      ["compatibility.karpenter.k8s.aws/cluster-name-tagged", "true"],
      ["x.y.karpenter.sh/z", "true"],
    ])("with the annotation %s: %j", async (key, value) => {
      expect(await made(annotated("new", { "example.com/team": "web", [key]: value }))).toBe(RESERVED_MESSAGE);
    });

    test("with the label that the CRDs accept by mistake", async () => {
      const labels = { "karpenter.k8s.aws/ec2nodeclass": "other" };
      expect(await made(withTemplate(poolOf("new", []), { labels }))).toBe(RESERVED_MESSAGE);
    });
  });

  test("stores what users may write, and keys that only look like Karpenter's", async () => {
    const annotations = {
      "karpenter.sh/do-not-disrupt": "true",
      "karpenter.sh/do-not-repair": "true",
      "notkarpenter.sh/x": "",
      "karpenter.sh.example.com/x": "",
      "karpenter.shop/x": "",
      "example.com/karpenter.sh": "",
      "karpenter.sh": "",
    };
    const labels = { "karpenter.sh/capacity-type": "spot", "karpenter.k8s.aws/instance-family": "m5" };
    const { body, ...answer } = await create(
      controlPlane,
      USER,
      withTemplate(poolOf("new", []), { labels, annotations }),
      { dryRun: true },
    );
    expect(outcomeOf({ ...answer, body })).toBe("stored");
    expect(body.spec).toMatchObject({ template: { metadata: { labels, annotations } } });
  });

  test("removes an older key at the next write, and refuses the old manifest", async () => {
    expect(outcomeOf(await change("old", { [TERMINATION_TIMESTAMP]: "never" }))).toBe(RESERVED_MESSAGE);
    expect(outcomeOf(await change("old", { "karpenter.sh/nodepool-hash": "1" }))).toBe(RESERVED_MESSAGE);
    const finalizers = { metadata: { finalizers: ["karpenter.sh/termination"] } };
    expect(outcomeOf(await patch(controlPlane, KARPENTER, poolOf("old", []), finalizers))).toBe("stored");
    const { [TERMINATION_TIMESTAMP]: _gone, ...kept } = OLD;
    expect(await annotationsOf("old")).toEqual(kept);
    expect(outcomeOf(await apply(controlPlane, USER, annotated("old", OLD), { force: true }))).toBe(RESERVED_MESSAGE);
    expect(outcomeOf(await change("old", {}))).toBe("stored");
    await patch(controlPlane, KARPENTER, poolOf("old", []), { metadata: { finalizers: null } });
  });

  test("lets Karpenter write to such a pool while the mutating policy is missing", async () => {
    const mutating = guardObjects(POLICY).find(({ kind }) => kind === "MutatingAdmissionPolicyBinding");
    await remove(controlPlane, KARPENTER, mutating!);
    const hash = { metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } };
    await until("nothing is mutated", async () => {
      const answer = await patch(controlPlane, KARPENTER, poolOf("halved", []), hash, { query: "&dryRun=All" });
      return JSON.stringify(answer.body.spec).includes(TERMINATION_TIMESTAMP);
    });
    expect(outcomeOf(await patch(controlPlane, KARPENTER, poolOf("halved", []), hash))).toBe("stored");
    expect(await annotationsOf("halved")).toEqual(OLD);
    await enforce(controlPlane, POLICY);
    expect(outcomeOf(await change("halved", {}, KARPENTER))).toBe("stored");
    expect(await annotationsOf("halved")).not.toHaveProperty([TERMINATION_TIMESTAMP]);
  });

  describe("on NodeClaims", () => {
    const CLAIM = claimOf("web", POLICY);
    const KEPT = keysOfKarpenter("").message;
    const annotate = async (annotations: object, user: UserName = USER): Promise<string> =>
      outcomeOf(await patch(controlPlane, user, CLAIM, { metadata: { annotations } }));
    const stamp = (value: string | null, user: UserName = USER) => annotate({ [TERMINATION_TIMESTAMP]: value }, user);

    test.each(WRITTEN_LATER)("refuses %s on a new one", async (key) => {
      const metadata = { ...CLAIM.metadata!, annotations: { [key]: "true" } };
      const answer = await create(controlPlane, KARPENTER, { ...CLAIM, metadata }, { dryRun: true });
      expect(outcomeOf(answer)).toBe(BEGINS_WITHOUT.message);
    });

    test("lets only Karpenter write its keys, and others only end a drain sooner", async () => {
      const annotations = { "karpenter.sh/nodepool-hash": "1", "karpenter.sh/nodeclaim-min-values-relaxed": "false" };
      const metadata = { ...CLAIM.metadata!, annotations, finalizers: ["karpenter.sh/termination"] };
      const spec = { ...CLAIM.spec, terminationGracePeriod: "1h" };
      expect(outcomeOf(await create(controlPlane, KARPENTER, { ...CLAIM, spec, metadata }))).toBe("stored");

      expect(await annotate({ "karpenter.sh/nodepool-hash": null })).toBe(KEPT);
      expect(await annotate({ "karpenter.sh/nodepool-hash": "2" })).toBe(KEPT);
      expect(await annotate({ "karpenter.k8s.aws/tagged": "true" })).toBe(KEPT);
      const labels = { metadata: { labels: { "karpenter.sh/nodepool": "other" } } };
      expect(outcomeOf(await patch(controlPlane, USER, CLAIM, labels))).toBe(KEPT);
      expect(await annotate({ "karpenter.sh/do-not-disrupt": "true", "example.com/team": "web" })).toBe("stored");

      expect(await stamp(FAR)).toBe(KEPT);
      expect(await stamp("2020-01-01T00:00:00Z"), "before it is being deleted").toBe(KEPT);
      expect(await stamp(FAR, KARPENTER)).toBe("stored");
      expect(await stamp("never")).toBe(KEPT);
      expect(await stamp("9999-01-01T00:00:01Z")).toBe(KEPT);
      expect(await stamp("2030-01-01T00:00:00+01:00")).toBe("stored");
      expect(await stamp(null)).toBe("stored");

      await remove(controlPlane, KARPENTER, CLAIM);
      const { body } = await get(controlPlane, USER, CLAIM);
      const deletedAt = String(body.metadata?.["deletionTimestamp"]);
      const later = (hours: number) =>
        new Date(Date.parse(deletedAt) + hours * 3_600_000).toISOString().replace(".000", "");
      expect(await stamp("never")).toBe(KEPT);
      expect(await stamp(FAR)).toBe(KEPT);
      expect(await stamp(later(2))).toBe(KEPT);
      expect(await stamp(later(1)), "as terminationGracePeriod says").toBe("stored");
      expect(await stamp(deletedAt), "as HyperShift does").toBe("stored");
      expect(await annotate({ "karpenter.sh/reboot-pre-boot-id": "1" }, KARPENTER)).toBe("stored");
      await patch(controlPlane, KARPENTER, CLAIM, { metadata: { finalizers: null } });
    });
  });

  test("of a policy without requirements does not check templates", async () => {
    await enforce(controlPlane, []);
    await until(
      "it is withdrawn",
      async () => (await made(annotated("new", { [TERMINATION_TIMESTAMP]: FAR }))) === "stored",
    );
  });
});
