/** Tests terminating pools and classes with finalizers under a guard on a real API server. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { boundedFieldsOf } from "../../../src/guard/admit-bounds.ts";
import type { Finding } from "../../../src/krm/findings/finding.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Answer } from "../../support/controlplane/https-client.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, get, remove, until, waitGone } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { mutationOf } from "../../support/guard/attacks/foreign-mutations.ts";
import {
  classOf,
  END,
  enforce,
  type Entries,
  guardObjects,
  mustApply,
  outcomeOf,
  poolOf,
  requirementsOf,
  startCluster,
  REASONS_BUT_DRIFTED,
} from "../../support/guard/guarded-cluster.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const USER = "guest-admin";
const KARPENTER = "system:admin";
const TIER = "example.com/tier";
const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
  { key: TIER, operator: "In", values: ["gold"] },
];
const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5", "m6i"] }];
const BOUNDS = { maxExpireAfter: "168h", maxTerminationGracePeriod: "1h", minDriftedBudget: "20%" };
const ROOT = { volumeSize: "120Gi", volumeType: "gp3", encrypted: true };
const GUARD = { bounds: BOUNDS, rootVolume: ROOT };
const WAIT = "example.com/wait";
const MORE = "example.com/more";
const UNKNOWN_IMAGES = { amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-0a1b" }] };
const disk = (deviceName: string, ebs: object = { volumeSize: "50Gi" }) => ({ deviceName, ebs });
/** Created before the guard. */
const FULL = Array.from({ length: 100 }, (_, at) => ({ key: `example.com/k${at}`, operator: "Exists" }));
const TEMPLATE_KEY = { "karpenter.sh/nodeclaim-termination-timestamp": "9999-01-01T00:00:00Z" };
const ofTemplate = (template: object) => ({ spec: { template } });

describe("a terminating object", () => {
  let controlPlane: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-guard-deleted-"));
    controlPlane = await startCluster();
    writeFileSync(join(folder, "kubeconfig"), controlPlane.kubeconfig(KARPENTER));
    const metadata = { name: "default", namespace: "platform" };
    const head = { apiVersion: "karpenter.hypershift.openshift.io/v1beta1", kind: "AutoNodePolicy", metadata };
    const spec = { nodePoolDefaults: { requirements: POLICY }, ec2NodeClassDefaults: { rootVolume: ROOT } };
    writeFileSync(join(folder, "policy.yaml"), stringify({ ...head, spec }));
    const config = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig", spec: BOUNDS };
    writeFileSync(join(folder, "config.yaml"), stringify(config));
    await deleting(poolOf("full", FULL));
    await deleting(classOf("unknown", [disk("/dev/sda")], UNKNOWN_IMAGES));
    const behind = poolOf("behind", OWN);
    const { template } = behind.spec as { template: { spec: object } };
    const forever = { ...template, spec: { ...template.spec, expireAfter: "Never" } };
    const disruption = { consolidateAfter: "0s", budgets: [{ nodes: "0" }] };
    await deleting({ ...behind, spec: { template: forever, disruption } });
    await enforce(controlPlane, POLICY, GUARD);
    await until("classes are validated", async () =>
      /is unknown/.test(outcomeOf(await create(controlPlane, USER, classOf("probe", [], UNKNOWN_IMAGES), DRY))),
    );
    await deleting(poolOf("web", OWN));
    await deleting(classOf("web"));
  });

  afterAll(async () => {
    await controlPlane?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const DRY = { dryRun: true };

  /** Blocked by two finalizers. */
  async function deleting(object: KubernetesObject): Promise<void> {
    const metadata = { ...object.metadata!, finalizers: [WAIT, MORE] };
    const { status, text } = await create(controlPlane, USER, { ...object, metadata });
    expect(status, text).toBe(201);
    await remove(controlPlane, USER, object);
  }

  const live = async (object: KubernetesObject) => (await get(controlPlane, USER, object)).body;

  async function patch(object: KubernetesObject, change: object, user: UserName = USER, query = ""): Promise<Answer> {
    return controlPlane.request(user, "PATCH", `${await objectPath(controlPlane, object)}${query}`, change);
  }

  const devicesOf = (object: KubernetesObject) =>
    (object.spec as { blockDeviceMappings?: unknown }).blockDeviceMappings;

  /** Removes one after the other; the second removal deletes the object. */
  async function released(object: KubernetesObject, user: UserName): Promise<void> {
    const finalizers = (list: readonly string[]) => patch(object, { metadata: { finalizers: list } }, user);
    expect(outcomeOf(await finalizers([MORE]))).toBe("stored");
    expect((await live(object)).metadata?.["finalizers"]).toEqual([MORE]);
    expect(outcomeOf(await finalizers([]))).toBe("stored");
    await waitGone(controlPlane, object);
  }

  test.each<[string, object, RegExp]>([
    [
      "another list",
      ofTemplate({ spec: { requirements: [{ key: TIER, operator: "In", values: ["silver"] }] } }),
      /^requirements and template labels on example\.com\/tier together/,
    ],
    [
      "another label",
      ofTemplate({ metadata: { labels: { [TIER]: "silver" } } }),
      /^requirements and template labels on/,
    ],
    ["another front", ofTemplate({ spec: { requirements: [END, ...OWN] } }), /^what stands above the entry/],
    ["budgets that let nothing go", { spec: { disruption: { budgets: [{ nodes: "0" }] } } }, /\(minDriftedBudget\)/],
    ["nodes that never expire", ofTemplate({ spec: { expireAfter: "Never" } }), /\(maxExpireAfter\)/],
    ["a longer drain", ofTemplate({ spec: { terminationGracePeriod: "48h" } }), /\(maxTerminationGracePeriod\)/],
    ["a key of Karpenter's", ofTemplate({ metadata: { annotations: TEMPLATE_KEY } }), /^labels and annotations of/],
  ])("is not given %s", async (_what, change, words) => {
    expect(outcomeOf(await patch(poolOf("web", []), change))).toMatch(words);
  });

  test("can be edited below the mark, and written by Karpenter, like any other", async () => {
    const web = poolOf("web", []);
    const narrower = [{ ...OWN[0]!, values: ["m5"] }];
    expect(outcomeOf(await patch(web, ofTemplate({ spec: { requirements: [...POLICY, END, ...narrower] } })))).toBe(
      "stored",
    );
    expect(requirementsOf(await live(web))).toEqual([...POLICY, END, ...narrower]);
    const hash = { metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } };
    expect(outcomeOf(await patch(web, hash, KARPENTER))).toBe("stored");
    expect(boundedFieldsOf(await live(web))).toMatchObject({ expireAfter: "168h", terminationGracePeriod: "1h" });
  });

  test("has the policy's root volume like any other class", async () => {
    const web = classOf("web");
    expect(outcomeOf(await patch(web, { spec: { blockDeviceMappings: [disk("/dev/sda1")] } }))).toBe("stored");
    expect(devicesOf(await live(web))).toEqual([disk("/dev/xvda", ROOT)]);
    expect(outcomeOf(await patch(web, { spec: UNKNOWN_IMAGES }))).toMatch(/is unknown/);
    expect(outcomeOf(await patch(web, { spec: { tags: { team: "a" } } }, KARPENTER))).toBe("stored");
  });

  test("gets the policy when it is touched, and counts as old before", async () => {
    const behind = poolOf("behind", []);
    const touch = (...args: string[]) =>
      runAnp(
        [..."guard policy.yaml --config config.yaml --touch --rate 6000 --kubeconfig kubeconfig".split(" "), ...args],
        { cwd: folder },
      );
    const at = (await live(behind)).metadata?.["deletionTimestamp"];
    const checked = await runAnp(
      "check --live --policy policy.yaml --config config.yaml --kubeconfig kubeconfig -o json".split(" "),
      { cwd: folder },
    );
    const { findings } = JSON.parse(checked.stdout) as { findings: Finding[] };
    const codes = findings.filter(({ resource }) => resource?.name === "behind").map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["being-deleted", "outside-policy", "outside-bounds"]));
    const explained = await runAnp("explain behind --live --kubeconfig kubeconfig".split(" "), { cwd: folder });
    expect(explained.stderr).toContain("NodePool behind counts until it is gone: it is being deleted since");
    const dry = await touch("--dry-run", "-o", "json");
    expect(dry.exit).toBe(1);
    expect(dry.stderr).toContain(
      `note: NodePool behind counts until it is gone: it is being deleted since ${String(at)}, and kept by its finalizers ${WAIT}, ${MORE}\n`,
    );
    const { objects } = JSON.parse(dry.stdout) as { objects: { resource: { name: string }; state: string }[] };
    expect(objects).toContainEqual(
      expect.objectContaining({ resource: expect.objectContaining({ name: "behind" }), state: "left" }),
    );
    expect(boundedFieldsOf(await live(behind))).toMatchObject({ expireAfter: "Never", budgets: [{ nodes: "0" }] });
    const touched = await touch();
    expect(touched.stderr).toContain("NodePool behind carries the policy\n");
    const now = await live(behind);
    expect(requirementsOf(now)).toEqual([...POLICY, END, ...OWN]);
    expect(boundedFieldsOf(now)).toEqual({
      expireAfter: "168h",
      terminationGracePeriod: "1h",
      budgets: [
        { nodes: "0", reasons: REASONS_BUT_DRIFTED },
        { nodes: "20%", reasons: ["Drifted"] },
      ],
    });
    expect(JSON.parse((await touch("--dry-run", "-o", "json")).stdout)).toMatchObject({
      objects: expect.arrayContaining([
        expect.objectContaining({ resource: expect.objectContaining({ name: "behind" }), state: "carries" }),
      ]),
    });
  });

  describe("loses its finalizers", () => {
    test("even if the guard would change or refuse other parts", async () => {
      await released(poolOf("full", []), USER);
      await released(classOf("unknown"), USER);
    });

    test("and is enforced if the write changes other fields, until the last removal deletes it", async () => {
      const web = poolOf("web", []);
      const forever = ofTemplate({ spec: { expireAfter: "Never" } });
      const refused = await patch(web, { metadata: { finalizers: [MORE] }, ...forever });
      expect(outcomeOf(refused)).toContain("(maxExpireAfter)");
      expect(outcomeOf(await patch(web, { metadata: { finalizers: [] }, ...forever }))).toBe("stored");
      await waitGone(controlPlane, web);
    });

    test("by Karpenter, even the last one while another mutation reverts the guard's changes", async () => {
      const name = "zzz.example.com";
      await deleting(poolOf("undone", OWN));
      const empty = `has(object.spec.template.spec.requirements) && object.spec.template.spec.requirements.size() > 0 ? [JSONPatch{op: "replace", path: "/spec/template/spec/requirements", value: []}] : []`;
      const objects = mutationOf("nodepools", name, empty);
      for (const object of [...objects, ...guardObjects(POLICY, GUARD)]) await mustApply(controlPlane, object);
      await until("it acts", async () => {
        const { body, status } = await create(controlPlane, USER, poolOf("probe", OWN), DRY);
        return status === 422 || requirementsOf(body).length <= POLICY.length + 1;
      });
      await patch(poolOf("undone", []), { metadata: { finalizers: [MORE] } }, KARPENTER);
      expect(outcomeOf(await patch(poolOf("undone", []), { metadata: { finalizers: [] } }, KARPENTER))).toBe("stored");
      await waitGone(controlPlane, poolOf("undone", []));
      for (const object of objects) await remove(controlPlane, KARPENTER, object);
    });
  });
});
