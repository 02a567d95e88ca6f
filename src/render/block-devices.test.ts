/** Tests the block devices of a node class under a policy, a RenderConfig, or neither. */
import { describe, expect, it } from "vitest";
import { makeBundle, classText, configText, inputsOf, nodeClassOf, policyText } from "../../test/support/bundle.ts";
import { renderBlockDevices } from "./block-devices.ts";

interface Given {
  /** `rootVolume` of the policy and of the RenderConfig, and the wrapper's list, each in flow style. */
  readonly policy?: string;
  readonly config?: string;
  readonly devices?: string;
  readonly version?: "v1" | "v1beta1";
}

function devices({ policy, config, devices: given, version = "v1" }: Given) {
  const bundle = makeBundle({
    "policy.yaml": policyText(policy === undefined ? "{}" : `{ec2NodeClassDefaults: {rootVolume: ${policy}}}`),
    "config.yaml": configText(config === undefined ? "{}" : `{rootVolume: ${config}}`),
    "class.yaml": classText(
      given === undefined ? "{instanceStorePolicy: RAID0}" : `{blockDeviceMappings: ${given}}`,
      version,
    ),
  });
  const { value, findings } = renderBlockDevices(nodeClassOf(bundle.nodeClasses[0]), inputsOf(bundle));
  return { mappings: value.mappings, findings };
}

const DEFAULT = { volumeSize: "75Gi", volumeType: "gp3", encrypted: true };
const ROOT = "{deviceName: /dev/xvda, ebs: {volumeSizeGiB: 50}}";
const DATA = "{deviceName: /dev/xvdb, ebs: {volumeSizeGiB: 9}}";
const root = (ebs: object) => ({ deviceName: "/dev/xvda", ebs });
const data = { deviceName: "/dev/xvdb", ebs: { volumeSize: "9Gi" } };

describe("the root volume", () => {
  it.each<[string, Given, readonly object[]]>([
    ["is built in without anything", {}, [root(DEFAULT)]],
    ["is the RenderConfig's", { config: "{volumeSize: 120Gi}" }, [root({ ...DEFAULT, volumeSize: "120Gi" })]],
    ["is the policy's", { policy: "{volumeSize: 100Gi}" }, [root({ ...DEFAULT, volumeSize: "100Gi" })]],
    [
      "is the policy's before the RenderConfig's",
      { policy: "{volumeSize: 100Gi}", config: "{volumeSize: 120Gi, volumeType: io2, iops: 3000}" },
      [root({ volumeSize: "100Gi", volumeType: "io2", encrypted: true, iops: 3000 })],
    ],
    [
      "may be unencrypted where the policy says so",
      { policy: "{encrypted: false}" },
      [root({ ...DEFAULT, encrypted: false })],
    ],
    ["has its type in lower case", { policy: "{volumeType: GP2}" }, [root({ ...DEFAULT, volumeType: "gp2" })]],
    ["has iops and throughput", { policy: "{iops: 1, throughput: 2}" }, [root({ ...DEFAULT, iops: 1, throughput: 2 })]],
    ["is set by an empty one of the policy too", { policy: "{}", devices: `[${ROOT}]` }, [root(DEFAULT)]],
    ["is the user's without a policy", { devices: `[${ROOT}]` }, [root({ volumeSize: "50Gi" })]],
    [
      "is the user's, also before a RenderConfig's",
      { devices: `[${ROOT}]`, config: "{volumeSize: 120Gi}" },
      [root({ volumeSize: "50Gi" })],
    ],
    [
      "is the user's under any of its names",
      { devices: "[{deviceName: sda1, ebs: {volumeSizeGiB: 5}}]" },
      [{ deviceName: "sda1", ebs: { volumeSize: "5Gi" } }],
    ],
    [
      "is the user's by its flag",
      { devices: "[{deviceName: /dev/sdf, rootVolume: RootVolume, ebs: {volumeSizeGiB: 5}}]" },
      [{ deviceName: "/dev/sdf", rootVolume: true, ebs: { volumeSize: "5Gi" } }],
    ],
    [
      "is flagged where the user's name for it says so and data disks stand beside it",
      { devices: `[${DATA}, ${ROOT}]` },
      [data, { ...root({ volumeSize: "50Gi" }), rootVolume: true }],
    ],
    [
      "is not flagged where the user has two of them",
      { devices: `[{deviceName: xvda, ebs: {volumeSizeGiB: 5}}, ${ROOT}]` },
      [{ deviceName: "xvda", ebs: { volumeSize: "5Gi" } }, root({ volumeSize: "50Gi" })],
    ],
    [
      "is flagged and first beside data disks",
      { devices: `[${DATA}]` },
      [{ ...root(DEFAULT), rootVolume: true }, data],
    ],
    [
      "is flagged and first beside data disks with a policy",
      { policy: "{volumeSize: 100Gi}", devices: `[${DATA}, ${ROOT}]` },
      [{ ...root({ ...DEFAULT, volumeSize: "100Gi" }), rootVolume: true }, data],
    ],
    [
      "takes the place of all that the user calls so",
      {
        policy: "{}",
        devices: `[${["/dev/xvda", "xvda", "/dev/sda1", "sda1"].map((name) => `{deviceName: ${name}, ebs: {volumeSizeGiB: 5}}`).join(", ")}]`,
      },
      [root(DEFAULT)],
    ],
  ])("%s", (_what, given, mappings) => {
    expect(devices(given).mappings).toStrictEqual(mappings);
  });

  it.each<[string, Given, string | undefined]>([
    ["nothing for what is the same", { policy: "{volumeSize: 50Gi}", devices: `[${ROOT}]` }, undefined],
    ["nothing for a data disk", { policy: "{}", devices: `[${DATA}]` }, undefined],
    ["a size", { policy: "{}", devices: `[${ROOT}]` }, "lost: volumeSize 50Gi (now 75Gi)"],
    [
      "a key",
      { policy: "{}", devices: "[{deviceName: xvda, ebs: {volumeSizeGiB: 75, kmsKeyID: k}}]" },
      "replaces xvda; lost: kmsKeyID k",
    ],
    [
      "a device without a name",
      { policy: "{}", devices: "[{rootVolume: RootVolume, ebs: {volumeSizeGiB: 5}}]" },
      "replaces the root device; lost: volumeSize 5Gi (now 75Gi)",
    ],
    [
      "all of it, in its order",
      {
        policy: "{}",
        devices:
          "[{deviceName: xvda, ebs: {volumeSizeGiB: 5, volumeType: IO1, iops: 9, encrypted: Unencrypted, deleteOnTermination: Retain, snapshotID: s, throughput: 3}}]",
      },
      "lost: deleteOnTermination false, encrypted false (now true), iops 9, snapshotID s, throughput 3, volumeSize 5Gi (now 75Gi), volumeType io1 (now gp3)",
    ],
  ])("of a policy says what is lost: %s", (_what, given, message) => {
    const { findings } = devices(given);
    expect(findings.map(({ code }) => code)).toStrictEqual(message === undefined ? [] : ["root-volume-replaced"]);
    if (message !== undefined) expect(findings[0]?.message).toContain(message);
  });

  it("of a policy does not replace a possible data disk", () => {
    const { findings } = devices({
      policy: "{}",
      devices: "[{deviceName: /dev/xvdb, rootVolume: RootVolume, ebs: {volumeSizeGiB: 5}}]",
    });
    expect(findings).toMatchObject([
      { code: "root-volume-conflict", field: "spec.blockDeviceMappings[0].rootVolume", line: 4 },
    ]);
  });
});

describe("devices", () => {
  it("have Karpenter's spelling", () => {
    const given =
      "[{deviceName: /dev/xvdb, rootVolume: NotRootVolume, ebs: {volumeSizeGiB: 500, volumeType: Standard, iops: 1, throughput: 2, encrypted: Encrypted, deleteOnTermination: Delete, kmsKeyID: k, snapshotID: s}}]";
    expect(devices({ devices: given }).mappings[1]).toStrictEqual({
      deviceName: "/dev/xvdb",
      ebs: {
        deleteOnTermination: true,
        encrypted: true,
        iops: 1,
        kmsKeyID: "k",
        snapshotID: "s",
        throughput: 2,
        volumeSize: "500Gi",
        volumeType: "standard",
      },
    });
  });

  it("with equal names are an error at the second", () => {
    expect(devices({ devices: `[${DATA}, {deviceName: /dev/xvdc, ebs: {volumeSizeGiB: 1}}]` }).findings).toStrictEqual(
      [],
    );
    const { findings } = devices({ devices: `[${DATA}, ${ROOT}, ${DATA}]` });
    expect(findings).toMatchObject([
      { code: "device-name-duplicate", field: "spec.blockDeviceMappings[2].deviceName" },
    ]);
  });

  it.each([" /dev/xvda", "/dev/xvda ", "\\t/dev/xvda", "/dev/xvda\\u00a0", "/dev/x vda", "/dev/xvd\\u0430", " "])(
    "with invisible characters in the name are an error: %j",
    (name) => {
      const { findings } = devices({ devices: `[{deviceName: "${name}", ebs: {volumeSizeGiB: 1}}]` });
      expect(findings).toMatchObject([
        { code: "wrapper-invalid", severity: "error", field: "spec.blockDeviceMappings[0].deviceName" },
      ]);
    },
  );

  it("without names are not duplicates", () => {
    const nameless = "{ebs: {volumeSizeGiB: 1}}";
    expect(devices({ devices: `[${nameless}, ${nameless}]` }).findings).toStrictEqual([]);
  });

  it("of v1beta1 have the same meaning", () => {
    const old =
      "[{deviceName: xvda, ebs: {volumeSize: 50Gi, volumeType: gp2, encrypted: true, deleteOnTermination: false}}]";
    const now =
      "[{deviceName: xvda, ebs: {volumeSizeGiB: 50, volumeType: GP2, encrypted: Encrypted, deleteOnTermination: Retain}}]";
    expect(devices({ devices: old, version: "v1beta1" }).mappings).toStrictEqual(devices({ devices: now }).mappings);
    expect(devices({ policy: "{}", devices: old, version: "v1beta1" }).findings[0]?.message).toBe(
      devices({ policy: "{}", devices: now }).findings[0]?.message,
    );
  });
});
