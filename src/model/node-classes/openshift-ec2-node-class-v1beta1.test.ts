/** v1beta1 wrappers: accepted and refused specs, and their conversion to v1. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeClass, specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";
import { fromV1beta1, openshiftEC2NodeClassV1beta1Spec } from "./openshift-ec2-node-class-v1beta1.ts";
import { check } from "../schema/validate.ts";

const schema = openshiftEC2NodeClassV1beta1Spec();

/** The conversion of a spec in YAML. */
function convert(spec: string): ReturnType<typeof fromV1beta1> {
  return fromV1beta1(schema.parse(nodeClass(spec).value["spec"]));
}

const move = (parent: (string | number)[], from: string, to: string): object => ({
  from: [...parent, from],
  to: [...parent, to],
});

describe("fromV1beta1", () => {
  it("converts the first dialect", () => {
    const spec = `
subnetSelectorTerms: [{ id: subnet-1 }]
associatePublicIPAddress: true
detailedMonitoring: false
tags: { team: web }
instanceStorePolicy: RAID0
version: 4.20.1
blockDeviceMappings:
  - deviceName: /dev/xvda
    rootVolume: true
    ebs: { volumeSize: 75Gi, volumeType: gp3, encrypted: true, deleteOnTermination: true, kmsKeyID: k }
  - deviceName: /dev/xvdb
    rootVolume: false
    ebs: { volumeSize: 2Ti, volumeType: standard, encrypted: false, deleteOnTermination: false, iops: 3000 }`;
    expect(convert(spec)).toEqual({
      spec: {
        subnetSelectorTerms: [{ id: "subnet-1" }],
        ipAddressAssociation: "Public",
        monitoring: "Basic",
        tags: { team: "web" },
        instanceStorePolicy: "RAID0",
        version: "4.20.1",
        blockDeviceMappings: [
          {
            deviceName: "/dev/xvda",
            rootVolume: "RootVolume",
            ebs: {
              volumeSizeGiB: 75,
              volumeType: "GP3",
              encrypted: "Encrypted",
              deleteOnTermination: "Delete",
              kmsKeyID: "k",
            },
          },
          {
            deviceName: "/dev/xvdb",
            rootVolume: "NotRootVolume",
            ebs: {
              volumeSizeGiB: 2048,
              volumeType: "Standard",
              encrypted: "Unencrypted",
              deleteOnTermination: "Retain",
              iops: 3000,
            },
          },
        ],
      },
      moves: [
        move(["blockDeviceMappings", 0, "ebs"], "volumeSize", "volumeSizeGiB"),
        move(["blockDeviceMappings", 1, "ebs"], "volumeSize", "volumeSizeGiB"),
        move([], "associatePublicIPAddress", "ipAddressAssociation"),
        move([], "detailedMonitoring", "monitoring"),
      ],
      problems: [],
    });
  });

  it("leaves the second dialect as it is", () => {
    const spec = `
ipAddressAssociation: SubnetDefault
monitoring: Detailed
metadataOptions: { httpTokens: Required }
capacityReservationSelectorTerms: [{ instanceMatchCriteria: Open }]
blockDeviceMappings:
  - rootVolume: RootVolume
    ebs: { volumeSizeGiB: 75, volumeType: GP3, encrypted: Encrypted, deleteOnTermination: Retain }`;
    expect(convert(spec)).toEqual({ spec: nodeClass(spec).value["spec"], moves: [], problems: [] });
  });

  it.each([
    ["an empty spec", "{}", {}],
    ["what says nothing", "{ tags: {}, blockDeviceMappings: [] }", {}],
    [
      "private addresses and detailed monitoring",
      "{ associatePublicIPAddress: false }",
      { ipAddressAssociation: "SubnetDefault" },
    ],
    [
      "a volume of a snapshot",
      "{ blockDeviceMappings: [{ ebs: { snapshotID: s } }] }",
      { blockDeviceMappings: [{ ebs: { snapshotID: "s" } }] },
    ],
    [
      "a mapping without volume",
      "{ blockDeviceMappings: [{ deviceName: x }] }",
      { blockDeviceMappings: [{ deviceName: "x" }] },
    ],
    [
      "64Ti",
      "{ blockDeviceMappings: [{ ebs: { volumeSize: 64Ti } }] }",
      { blockDeviceMappings: [{ ebs: { volumeSizeGiB: 65_536 } }] },
    ],
  ])("keeps %s", (_what, spec, expected) => {
    const { spec: converted, problems } = convert(spec);
    expect({ converted, problems }).toEqual({ converted: expected, problems: [] });
  });

  const size = ["blockDeviceMappings", 0, "ebs", "volumeSize"];
  it.each([
    [
      "both names of the public address",
      "{ associatePublicIPAddress: true, ipAddressAssociation: Public }",
      {
        path: ["associatePublicIPAddress"],
        message: "is the old name of ipAddressAssociation, which is given too",
        hint: "keep ipAddressAssociation only",
      },
    ],
    [
      "both names of monitoring",
      "{ detailedMonitoring: false, monitoring: Detailed }",
      {
        path: ["detailedMonitoring"],
        message: "is the old name of monitoring, which is given too",
        hint: "keep monitoring only",
      },
    ],
    [
      "both names of the size",
      "{ blockDeviceMappings: [{ ebs: { volumeSize: 75Gi, volumeSizeGiB: 75 } }] }",
      { path: size, message: "is the old name of volumeSizeGiB, which is given too", hint: "keep volumeSizeGiB only" },
    ],
    [
      "a size in G",
      "{ blockDeviceMappings: [{ ebs: { volumeSize: 75G } }] }",
      {
        path: size,
        message: "is 75G, which is not a whole number of GiB, the only unit of v1",
        hint: "write volumeSizeGiB: 70 (the next larger size)",
      },
    ],
    [
      "a size in T",
      "{ blockDeviceMappings: [{ ebs: { volumeSize: 1T } }] }",
      {
        path: size,
        message: "is 1T, which is not a whole number of GiB, the only unit of v1",
        hint: "write volumeSizeGiB: 932 (the next larger size)",
      },
    ],
    [
      "a size beyond v1",
      "{ blockDeviceMappings: [{ ebs: { volumeSize: 65Ti } }] }",
      { path: size, message: "is 65Ti, above the 65536 GiB that the API takes" },
    ],
    [
      "a size in G that is a whole number of GiB, beyond v1",
      "{ blockDeviceMappings: [{ ebs: { volumeSize: 2097152G } }] }",
      { path: size, message: "is 2097152G, above the 65536 GiB that the API takes" },
    ],
  ])("refuses %s", (_what, spec, problem) => {
    expect(convert(spec).problems).toEqual([problem]);
  });

  it("gives v1 a spec that v1 accepts, whichever dialect each field is in", () => {
    const either = <T, U>(first: T, second: U) => fc.option(fc.constantFrom<T | U>(first, second), { nil: undefined });
    const volume = fc.record(
      {
        volumeSize: fc.integer({ min: 1, max: 65_536 }).map((gib) => `${gib}Gi`),
        volumeType: either("gp3", "GP3"),
        encrypted: either(true, "Unencrypted"),
        deleteOnTermination: either(false, "Delete"),
      },
      { requiredKeys: ["volumeSize"] },
    );
    const spec = fc.record(
      {
        version: fc.constant("4.20.1"),
        associatePublicIPAddress: fc.boolean(),
        monitoring: fc.constantFrom("Detailed" as const, "Basic" as const),
        tags: fc.constantFrom({}, { team: "web" }),
        blockDeviceMappings: fc.array(fc.record({ deviceName: fc.constant("x"), ebs: volume }), { maxLength: 3 }),
      },
      { requiredKeys: ["version"] },
    );
    fc.assert(
      fc.property(spec, (given) => {
        const { spec: converted, problems } = fromV1beta1(schema.parse(JSON.parse(JSON.stringify(given))));
        expect({ problems, violations: check(openshiftEC2NodeClassSpec, converted).violations }).toEqual({
          problems: [],
          violations: [],
        });
      }),
    );
  });
});

describe("v1beta1", () => {
  it.each([
    ["no field is needed", "{}", []],
    [
      "the kubelet came later",
      "{ version: 4.20.1, kubelet: { maxPods: 250 } }",
      [
        "5:26 spec.kubelet (unknown) is not a field here → fields here: associatePublicIPAddress, blockDeviceMappings, capacityReservationSelectorTerms, detailedMonitoring, instanceStorePolicy, ipAddressAssociation, metadataOptions, monitoring, securityGroupSelectorTerms, subnetSelectorTerms, tags, version",
      ],
    ],
    [
      "a public address as text",
      '{ associatePublicIPAddress: "true" }',
      [
        '5:35 spec.associatePublicIPAddress must be true or false, not "true" → write true (YAML 1.2 reads true as a string)',
      ],
    ],
    [
      "monitoring of neither dialect",
      "{ monitoring: true }",
      ["5:21 spec.monitoring must be one of Detailed, Basic, not true"],
    ],
    [
      "a tag of Karpenter's own",
      "{ tags: { karpenter.sh/nodeclaim: x } }",
      [
        `5:41 spec.tags["karpenter.sh/nodeclaim"] is wrong: the tag karpenter.sh/nodeclaim is Karpenter's own → remove it: Karpenter sets it on all that it makes`,
      ],
    ],
    [
      "an id that v1 would refuse",
      "{ subnetSelectorTerms: [{ id: my-subnet-1 }] }",
      [
        '5:37 spec.subnetSelectorTerms[0].id is "my-subnet-1", which is not a subnet id: `subnet-` and lower-case letters or digits, such as subnet-0a1b2c3d4e5f',
      ],
    ],
  ])("%s", (_what, spec, findings) => {
    expect(specFindings(schema, spec)).toEqual(findings);
  });
});
