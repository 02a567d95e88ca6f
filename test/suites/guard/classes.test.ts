/**
 * Tests EC2NodeClasses under a guard on a real API server: the policy's root volume, what it replaces, and the
 * warning.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { admitRootVolume } from "../../../src/guard/admit-root-volume.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { apply, create, get, until } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { AL2023, classOf, enforce, type Images, outcomeOf, startCluster } from "../../support/guard/guarded-cluster.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { someClass } from "../../support/guard/random-classes.ts";
import { warningsOf } from "../../support/guard/warnings.ts";

const ROOT = { volumeSize: "120Gi", volumeType: "gp3", encrypted: true, iops: 4000 };
const LOST = "anp.hypershift.openshift.io/root-volume-lost";
const USER = "guest-admin";
const DATA = { deviceName: "/dev/xvdb", ebs: { volumeSize: "20Gi" } };
const ours = (flagged: boolean, deviceName = "/dev/xvda") => ({
  deviceName,
  ...(flagged ? { rootVolume: true } : {}),
  ebs: ROOT,
});
const alias = (family: string): Images => ({ amiSelectorTerms: [{ alias: `${family}@latest` }] });
const byID = (amiFamily: string): Images => ({ amiFamily, amiSelectorTerms: [{ id: "ami-0a1b" }] });
const ENCRYPTED = { volumeSize: "50Gi", encrypted: true };
const PLAIN = { volumeSize: "50Gi", encrypted: false };
const disk = (deviceName: string, ebs: object = PLAIN) => ({ deviceName, ebs });
const flagged = (deviceName: string) => ({ ...disk(deviceName), rootVolume: true });
const BOTTLEROCKET_DATA = disk("/dev/xvdb", { encrypted: true, volumeSize: "20Gi", volumeType: "gp3" });
const UNKNOWN = /the root device of this class's images is unknown/;
/** Other spellings of the first disk. */
const SPELLINGS = [
  "/dev/xvda",
  "xvda",
  "/dev/sda1",
  "sda1",
  "/dev/sda",
  "sda",
  "/dev/xvda1",
  "/dev/hda",
  "/DEV/XVDA",
  "/dev//sda1",
  " /dev/xvda",
  "/dev/xvda\u200b",
];
const FAMILIES: readonly (readonly [family: string, device: string])[] = [
  ["AL2", "/dev/xvda"],
  ["AL2023", "/dev/xvda"],
  ["Bottlerocket", "/dev/xvda"],
  ["Windows2019", "/dev/sda1"],
  ["Windows2022", "/dev/sda1"],
  ["Windows2025", "/dev/sda1"],
];

describe("a guarded EC2NodeClass", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startCluster();
    await enforce(controlPlane, [], { rootVolume: ROOT });
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  test.each<[string, unknown, unknown[], string | undefined]>([
    ["none", undefined, [ours(false)], undefined],
    ["an empty list", [], [ours(false)], undefined],
    ["null", null, [ours(false)], undefined],
    ["a data disk", [DATA], [ours(true), DATA], undefined],
    ["the same root device", [{ deviceName: "xvda", ebs: ROOT }], [ours(false)], undefined],
    [
      "another root device",
      [{ deviceName: "/dev/xvda", ebs: { ...ROOT, volumeSize: "200Gi", kmsKeyID: "mine" } }],
      [ours(false)],
      "kmsKeyID mine, volumeSize 200Gi",
    ],
    [
      "a root device of another system, behind a data disk",
      [DATA, { deviceName: "/dev/sda1", ebs: { volumeSize: "30Gi", encrypted: false } }],
      [ours(true), DATA],
      "encrypted false, volumeSize 30Gi",
    ],
    [
      "a root device without a name",
      [{ rootVolume: true, ebs: { iops: 3000 } }, DATA],
      [ours(true), DATA],
      "iops 3000",
    ],
    [
      "two root devices",
      [
        { deviceName: "/dev/xvda", ebs: { throughput: 200 } },
        { deviceName: "/dev/sda1", ebs: { snapshotID: "snap-1" } },
      ],
      [ours(false)],
      "throughput 200; snapshotID snap-1",
    ],
  ])("with %s gets the policy's root volume first", async (_what, asked, expected, lost) => {
    const answer = await create(controlPlane, USER, classOf("plain", asked), { dryRun: true });
    expect(outcomeOf(answer)).toBe("stored");
    expect(answer.body.spec).toMatchObject({ blockDeviceMappings: expected });
    expect(answer.body.metadata?.annotations?.[LOST]).toBe(lost);
  });

  test.each<[string, unknown, RegExp]>([
    [
      "two disks that are flagged under other names",
      ["/dev/xvdb", "/dev/xvdc"].map((deviceName) => ({ ...DATA, deviceName, rootVolume: true })),
      /only one blockDeviceMappings with rootVolume/,
    ],
    [
      "more data disks than there are places",
      Array.from({ length: 50 }, (_, at) => ({ ...DATA, deviceName: `/dev/x${at}` })),
      /Too many: 51/,
    ],
    ["a text in place of the list", "xvda", /must be of type array/],
    ["a text in place of a disk", ["xvda"], /must be of type object/],
    ["a number in place of its name", [{ ...DATA, deviceName: 1 }], /must be of type string/],
    ["a text in place of its volume", [{ deviceName: "/dev/xvda", ebs: "20Gi" }], /must be of type object/],
  ])("with %s is refused by Karpenter's own words", async (_what, asked, words) => {
    const answer = await create(controlPlane, USER, classOf("slip", asked), { dryRun: true });
    expect(answer.status).toBe(422);
    expect(outcomeOf(answer)).toMatch(words);
  });

  test("is unchanged by the same manifest, keeps the note of lost settings, and warns", async () => {
    const asking = classOf("life", [{ deviceName: "/dev/xvda", ebs: { volumeSize: "200Gi" } }, DATA]);
    const first = await warningsOf(controlPlane, USER, asking);
    expect(first).toEqual([expect.stringContaining("; lost: volumeSize 200Gi")]);
    const version = async () => (await get(controlPlane, USER, asking)).body.metadata;
    const before = await version();
    expect(before?.annotations?.[LOST]).toBe("volumeSize 200Gi");
    for (let times = 0; times < 2; times += 1) {
      expect(await warningsOf(controlPlane, USER, asking)).toHaveLength(1);
      expect((await version())?.["resourceVersion"]).toBe(before?.["resourceVersion"]);
    }
    const content = classOf("life", [DATA]);
    expect(outcomeOf(await apply(controlPlane, USER, content, { force: true }))).toBe("stored");
    expect(await warningsOf(controlPlane, USER, content)).toEqual([]);
    expect((await version())?.annotations?.[LOST]).toBeUndefined();
  });

  test("does not treat an earlier policy's root volume as the class's own", async () => {
    const plain = classOf("changed", [DATA]);
    const asking = classOf("asking", [{ deviceName: "/dev/xvda", ebs: { volumeSize: "200Gi" } }]);
    for (const object of [plain, asking]) expect((await create(controlPlane, USER, object)).status).toBe(201);
    const larger = { ...ROOT, volumeSize: "150Gi" };
    await enforce(controlPlane, [], { rootVolume: larger });
    for (const [object, lost] of [
      [plain, undefined],
      [asking, "volumeSize 200Gi"],
    ] as const) {
      const path = await objectPath(controlPlane, object);
      expect(outcomeOf(await controlPlane.request(USER, "PATCH", path, {}))).toBe("stored");
      const { body } = await get(controlPlane, USER, object);
      expect(body.spec).toMatchObject({
        blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: larger }, ...(lost === undefined ? [DATA] : [])],
      });
      expect(body.metadata?.annotations?.[LOST]).toBe(lost);
    }
    await enforce(controlPlane, [], { rootVolume: ROOT });
  });

  const devicesOf = ({ spec }: KubernetesObject): unknown =>
    (spec as { blockDeviceMappings?: unknown } | undefined)?.blockDeviceMappings;
  const storedOf = async (object: KubernetesObject): Promise<unknown> => {
    const answer = await create(controlPlane, USER, object, { dryRun: true });
    return answer.status < 300 ? devicesOf(answer.body) : outcomeOf(answer);
  };

  test.each(FAMILIES)(
    "of %s has the policy's root volume at %s, for any spelling of the first disk",
    async (family, device) => {
      for (const images of [alias(family.toLowerCase()), { ...alias(family.toLowerCase()), amiFamily: family }])
        for (const spelling of SPELLINGS)
          expect([spelling, await storedOf(classOf("spelt", [disk(spelling)], images))]).toEqual([
            spelling,
            [ours(false, device)],
          ]);
      for (const [asked, stored] of [
        [[disk(device, ENCRYPTED)], [ours(false, device)]],
        [[disk("/dev/xvdz")], [ours(family !== "Bottlerocket", device), disk("/dev/xvdz")]],
        [[flagged("/dev/xvdz")], [ours(false, device), flagged("/dev/xvdz")]],
        [undefined, family === "Bottlerocket" ? [ours(false, device), BOTTLEROCKET_DATA] : [ours(false, device)]],
      ] as const)
        for (const images of [alias(family.toLowerCase()), byID(family)])
          expect(await storedOf(classOf("asked", asked, images))).toEqual(stored);
    },
  );

  test("with selected images is refused if a mapping contradicts its family, unless one is flagged", async () => {
    for (const [family, device] of FAMILIES) {
      for (const spelling of SPELLINGS) {
        const stored = await storedOf(classOf("chosen", [disk(spelling)], byID(family)));
        if (spelling === device) expect(stored).toEqual([ours(false, device)]);
        else expect([spelling, stored]).toEqual([spelling, expect.stringMatching(UNKNOWN)]);
        const isOfFamily = spelling === device;
        expect(await storedOf(classOf("chosen", [flagged(spelling), DATA], byID(family)))).toEqual([
          ours(!isOfFamily || family !== "Bottlerocket", spelling),
          DATA,
        ]);
      }
    }
  });

  test.each<[string, unknown]>([
    ["no mapping", undefined],
    ["an empty list", []],
    ["a mapping of the first disk without a flag", [disk("/dev/sda")]],
    ["a flag on a data disk", [disk("/dev/xvda"), flagged("/dev/xvdb")]],
    ["a flag without a name", [{ rootVolume: true, ebs: PLAIN }]],
  ])("of Custom images with %s is refused", async (_what, asked) => {
    expect(await storedOf(classOf("custom", asked, byID("Custom")))).toMatch(UNKNOWN);
  });

  test("of Custom images has the policy's root volume at the flagged device", async () => {
    for (const spelling of SPELLINGS)
      for (const others of [[], [DATA]])
        expect(
          await storedOf(classOf("custom", [...others, flagged(spelling), disk("/dev/sda2")], byID("Custom"))),
        ).toEqual([ours(true, spelling), ...others]);
    const ofAlias = { ...alias("windows2022"), amiFamily: "Custom" };
    expect(await storedOf(classOf("custom", [disk("/dev/sda1"), DATA], ofAlias))).toEqual([
      ours(true, "/dev/sda1"),
      DATA,
    ]);
  });

  test("keeps its root volume when its images change to another family", async () => {
    const write = async (asked: unknown, images: Images): Promise<unknown> => {
      const answer = await apply(controlPlane, USER, classOf("moved", asked, images), { force: true });
      return answer.status < 300 ? devicesOf(answer.body) : outcomeOf(answer);
    };
    expect(await write([DATA], AL2023)).toEqual([ours(true), DATA]);
    expect(await write([DATA], alias("windows2022"))).toEqual([ours(true, "/dev/sda1"), DATA]);
    const path = await objectPath(controlPlane, classOf("moved"));
    const patch = async (spec: object): Promise<unknown> => {
      const answer = await controlPlane.request(USER, "PATCH", path, { spec });
      return answer.status < 300 ? devicesOf(answer.body) : outcomeOf(answer);
    };
    // Only the images change; the list is the stored one.
    expect(await patch(alias("bottlerocket"))).toEqual([ours(false), DATA]);
    expect(await patch(byID("AL2023"))).toEqual([ours(true), DATA]);
    expect(await patch(byID("Windows2025"))).toEqual([ours(true, "/dev/sda1"), DATA]);
    expect(await patch({ ...byID("AL2023"), blockDeviceMappings: null })).toEqual([ours(false)]);
    expect(await patch({ amiFamily: null, ...alias("bottlerocket") })).toEqual([ours(false), BOTTLEROCKET_DATA]);
    expect(await patch(byID("Custom"))).toMatch(UNKNOWN);
    expect(await patch({ ...byID("Custom"), blockDeviceMappings: [flagged("/dev/sda")] })).toEqual([
      ours(true, "/dev/sda"),
    ]);
    // The author's flag takes precedence over the family.
    expect(await patch(byID("AL2"))).toEqual([ours(true, "/dev/sda")]);
  });

  async function touch() {
    const folder = mkdtempSync(join(tmpdir(), "anp-guard-classes-"));
    const policy = {
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
      kind: "AutoNodePolicy",
      metadata: { name: "default", namespace: "platform" },
      spec: { ec2NodeClassDefaults: { rootVolume: ROOT } },
    };
    writeFileSync(join(folder, "policy.yaml"), stringify(policy));
    writeFileSync(join(folder, "kubeconfig"), controlPlane.kubeconfig("system:admin"));
    try {
      return await runAnp(["guard", "policy.yaml", "--touch", "--dry-run", "--kubeconfig", "kubeconfig"], {
        cwd: folder,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("with unknown images from before the guard stays writable while list and images are unchanged", async () => {
    const names = ["ec2nodeclass", "ec2nodeclass-warning"].map((name) => `${name}.guard.anp.hypershift.openshift.io`);
    const group = "/apis/admissionregistration.k8s.io/v1";
    for (const name of names)
      for (const kind of ["validatingadmissionpolicybindings", "mutatingadmissionpolicybindings"])
        await controlPlane.request("system:admin", "DELETE", `${group}/${kind}/${name}`);
    const old = classOf("old", [disk("/dev/sda")], byID("Custom"));
    await until("the class is stored", async () => {
      const { body } = await create(controlPlane, USER, old, { dryRun: true });
      return sameValue(devicesOf(body), [disk("/dev/sda")]);
    });
    expect((await create(controlPlane, USER, old)).status).toBe(201);
    await enforce(controlPlane, [], { rootVolume: ROOT });
    await until("classes are validated", async () =>
      UNKNOWN.test(outcomeOf(await create(controlPlane, USER, classOf("probe", [], byID("Custom")), { dryRun: true }))),
    );
    const path = await objectPath(controlPlane, old);
    const patch = async (change: object) => outcomeOf(await controlPlane.request(USER, "PATCH", path, change));
    expect(await patch({})).toBe("stored");
    expect(await patch({ metadata: { finalizers: ["karpenter.k8s.aws/termination"] } })).toBe("stored");
    expect(await patch({ metadata: { annotations: { "karpenter.k8s.aws/ec2nodeclass-hash": "1" } } })).toBe("stored");
    expect(await patch({ spec: { tags: { team: "a" } } })).toBe("stored");
    expect(await patch({ spec: { amiSelectorTerms: [{ id: "ami-0a1c" }] } })).toMatch(UNKNOWN);
    expect(await patch({ spec: { blockDeviceMappings: [disk("/dev/sda", ENCRYPTED)] } })).toMatch(UNKNOWN);
    expect(devicesOf((await get(controlPlane, USER, old)).body)).toEqual([disk("/dev/sda")]);
    const touched = await touch();
    expect(touched.exit).toBe(1);
    expect(touched.stderr).toMatch(
      /, 1 cannot\nEC2NodeClass old cannot: the root device of its images is unknown: amiFamily Custom does not say it, and no mapping has rootVolume: true; write /,
    );
    expect(await patch({ spec: { blockDeviceMappings: [flagged("/dev/sda")] } })).toBe("stored");
    expect(devicesOf((await get(controlPlane, USER, old)).body)).toEqual([ours(true, "/dev/sda")]);
  });

  test("is stored as predicted, for random classes", async () => {
    const seen = { stored: 0, refused: 0 };
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(someClass, someClass, fc.boolean(), async (first, second, keepsList) => {
        const name = `random-${(runs += 1)}`;
        const made = classOf(name, first.mappings, first.images);
        const answer = await create(controlPlane, USER, made);
        const predicted = admitRootVolume(ROOT, made);
        if ("refused" in predicted) {
          expect(outcomeOf(answer)).toMatch(UNKNOWN);
          seen.refused += 1;
          return;
        }
        expect(outcomeOf(answer)).toBe("stored");
        expect(devicesOf(answer.body)).toEqual(predicted.stored);
        expect(answer.body.metadata?.annotations?.[LOST] ?? "").toBe(predicted.lost);
        seen.stored += 1;
        const blockDeviceMappings = keepsList ? devicesOf(answer.body) : second.mappings;
        const spec = { amiFamily: null, ...second.images, blockDeviceMappings: blockDeviceMappings ?? null };
        const path = await objectPath(controlPlane, made);
        const changed = await controlPlane.request(USER, "PATCH", path, { spec });
        const next = admitRootVolume(ROOT, classOf(name, blockDeviceMappings, second.images), answer.body);
        if ("refused" in next) expect(outcomeOf(changed)).toMatch(UNKNOWN);
        else expect([outcomeOf(changed), devicesOf(changed.body)]).toEqual(["stored", next.stored]);
      }),
      { seed: 20_261_125, numRuns: 250 },
    );
    expect(Math.min(seen.stored, seen.refused)).toBeGreaterThan(40);
  });
});
