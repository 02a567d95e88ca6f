/** EC2NodeClasses under a guard on a real API server: the policy's root volume, what it replaces, and the warning of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { apply, create, get } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { classOf, enforce, outcomeOf, startCluster } from "../../support/guard/guarded-cluster.ts";
import { warningsOf } from "../../support/guard/warnings.ts";

const ROOT = { volumeSize: "120Gi", volumeType: "gp3", encrypted: true, iops: 4000 };
const LOST = "anp.hypershift.openshift.io/root-volume-lost";
const USER = "guest-admin";
const DATA = { deviceName: "/dev/xvdb", ebs: { volumeSize: "20Gi" } };
const ours = (flagged: boolean) => ({ deviceName: "/dev/xvda", ...(flagged ? { rootVolume: true } : {}), ebs: ROOT });

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
      "a disk that is flagged under another name",
      [{ ...DATA, rootVolume: true }],
      /only one blockDeviceMappings with rootVolume/,
    ],
    [
      "more data disks than there are places",
      Array.from({ length: 50 }, (_, at) => ({ ...DATA, deviceName: `/dev/x${at}` })),
      /Too many: 51/,
    ],
    ["a text in place of the list", "xvda", /must be of type array/],
    ["a text in place of a disk", ["xvda"], /must be of type object/],
    ["a text in place of its volume", [{ deviceName: "/dev/xvda", ebs: "20Gi" }], /must be of type object/],
  ])("with %s is refused by Karpenter's own words", async (_what, asked, words) => {
    const answer = await create(controlPlane, USER, classOf("slip", asked), { dryRun: true });
    expect(answer.status).toBe(422);
    expect(outcomeOf(answer)).toMatch(words);
  });

  test("is not written anew by the same manifest, tells what is lost as long as it asks for it, and warns", async () => {
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

  test("does not take an earlier policy's root volume for one that the class asks for", async () => {
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
});
