/** Lists changes of one field of an EC2NodeClass, with the effect on the nodes of its pools. */
import { type FieldRow, rowsOf } from "./changes-of-pools.ts";

const root = { deviceName: "/dev/xvda", rootVolume: true, ebs: { volumeSize: "120Gi", volumeType: "gp3" } };
const network = (networkCardIndex: number, deviceIndex: number, interfaceType = "interface") => ({
  networkCardIndex,
  deviceIndex,
  interfaceType,
});
const data = { deviceName: "/dev/xvdb", ebs: { volumeSize: "10Gi" } };
const withEbs = (ebs: object) => [{ ...root, ebs: { ...root.ebs, ...ebs } }];

/** The fields in Karpenter's hash of a class. */
export const HASHED: readonly FieldRow[] = rowsOf(
  {
    associatePublicIPAddress: [
      [undefined, true, "replaces-all"],
      [undefined, false, "replaces-all"],
      [true, false, "replaces-all"],
    ],
    detailedMonitoring: [
      [undefined, true, "replaces-all"],
      [true, false, "replaces-all"],
    ],
    instanceProfile: [
      [undefined, "p", "replaces-all"],
      ["p", "q", "replaces-all"],
    ],
    role: [
      [undefined, "r", "replaces-all"],
      [undefined, "", "none"],
      ["r", "s", "replaces-all"],
      ["r", undefined, "replaces-all"],
    ],
    userData: [
      [undefined, "a", "replaces-all"],
      ["a", "b", "replaces-all"],
      ["a", undefined, "replaces-all"],
      ["a", "a ", "replaces-all"],
      [undefined, "", "replaces-all"],
    ],
    context: [
      [undefined, "c", "replaces-all"],
      ["c", "d", "replaces-all"],
      ["c", undefined, "replaces-all"],
    ],
    instanceStorePolicy: [
      [undefined, "RAID0", "replaces-all"],
      ["RAID0", undefined, "replaces-all"],
    ],
    amiFamily: [
      ["Custom", "AL2023", "replaces-all"],
      ["AL2", "AL2023", "replaces-all"],
      ["Custom", undefined, "none"],
    ],
    placementGroupSelector: [
      [undefined, { name: "p" }, "replaces-all"],
      [{ id: "pg-1" }, { id: "pg-2" }, "replaces-all"],
    ],
    connectionTracking: [
      [undefined, { tcpEstablishedTimeout: 600 }, "replaces-all"],
      [{ udpTimeout: 30 }, { udpTimeout: 40 }, "replaces-all"],
      [{ udpStreamTimeout: 60 }, { udpStreamTimeout: 90 }, "replaces-all"],
    ],
    cpuOptions: [
      [undefined, { nestedVirtualization: "enabled" }, "replaces-all"],
      [{ nestedVirtualization: "enabled" }, { nestedVirtualization: "disabled" }, "replaces-all"],
    ],
    networkInterfaces: [
      [undefined, [network(0, 0)], "replaces-all"],
      [[network(0, 0)], [network(0, 0, "efa-only")], "replaces-all"],
      [[network(0, 0), network(1, 0)], [network(0, 0), network(1, 1)], "replaces-all"],
      [[network(0, 0), network(1, 0)], [network(0, 0), network(2, 0)], "replaces-all"],
      [[network(0, 0), network(1, 0)], [network(1, 0), network(0, 0)], "none"],
    ],
    tags: [
      [undefined, { a: "x" }, "replaces-all"],
      [{ a: "x" }, { a: "y" }, "replaces-all"],
      [{ a: "x" }, { a: "x", b: "y" }, "replaces-all"],
      [{ a: "x" }, undefined, "replaces-all"],
    ],
    metadataOptions: [
      [undefined, { httpTokens: "optional" }, "replaces-all"],
      [undefined, { httpTokens: "required" }, "none"],
      [undefined, { httpEndpoint: "disabled" }, "replaces-all"],
      [undefined, { httpProtocolIPv6: "enabled" }, "replaces-all"],
      [{ httpPutResponseHopLimit: 1 }, { httpPutResponseHopLimit: 2 }, "replaces-all"],
    ],
    blockDeviceMappings: [
      [[root], [root, data], "replaces-all"],
      [[root, data], [root], "replaces-all"],
      [[root], withEbs({ volumeSize: "121Gi" }), "replaces-all"],
      [withEbs({ volumeSize: "1024Gi" }), withEbs({ volumeSize: "1Ti" }), "none"],
      [[root], withEbs({ volumeType: "io2" }), "replaces-all"],
      [[root], withEbs({ iops: 4000 }), "replaces-all"],
      [[root], withEbs({ throughput: 200 }), "replaces-all"],
      [[root], withEbs({ encrypted: true }), "replaces-all"],
      [[root], withEbs({ deleteOnTermination: true }), "replaces-all"],
      [[root], withEbs({ kmsKeyID: "k" }), "replaces-all"],
      [[root], withEbs({ snapshotID: "snap-1" }), "replaces-all"],
      [[root], withEbs({ volumeInitializationRate: 200 }), "replaces-all"],
      [[root], [{ ...root, deviceName: "/dev/sda1" }], "replaces-all"],
      [[root], [{ ...root, rootVolume: false }], "replaces-all"],
      [[data], [{ ...data, rootVolume: false }], "none"],
      // The hash treats it as a set; a new node does not.
      [[root, data], [data, root], "new-nodes"],
    ],
    kubelet: [
      [undefined, { maxPods: 50 }, "replaces-all"],
      [{ maxPods: 50 }, undefined, "replaces-all"],
      [{ maxPods: 50 }, { maxPods: 60 }, "replaces-all"],
      [{ maxPods: 50 }, { maxPods: 50, podsPerCore: 4 }, "replaces-all"],
      [{ systemReserved: { cpu: "1" } }, { systemReserved: { cpu: "2" } }, "replaces-all"],
      [{ kubeReserved: { cpu: "1" } }, { kubeReserved: { cpu: "1", memory: "1Gi" } }, "replaces-all"],
      [{ evictionHard: { "memory.available": "5%" } }, { evictionHard: { "memory.available": "6%" } }, "replaces-all"],
      [{ evictionSoft: { "memory.available": "5%" } }, { evictionSoft: { "memory.available": "6%" } }, "replaces-all"],
      [
        { evictionSoftGracePeriod: { "memory.available": "1m0s" } },
        { evictionSoftGracePeriod: { "memory.available": "2m0s" } },
        "replaces-all",
      ],
      [
        { evictionSoftGracePeriod: { "memory.available": "2m" } },
        { evictionSoftGracePeriod: { "memory.available": "120s" } },
        "none",
      ],
      [{ evictionMaxPodGracePeriod: 1 }, { evictionMaxPodGracePeriod: 2 }, "replaces-all"],
      [{ imageGCHighThresholdPercent: 80 }, { imageGCHighThresholdPercent: 90 }, "replaces-all"],
      [{ imageGCLowThresholdPercent: 60 }, { imageGCLowThresholdPercent: 70 }, "replaces-all"],
      [{ cpuCFSQuota: true }, { cpuCFSQuota: false }, "replaces-all"],
      [{ clusterDNS: ["10.0.0.1"] }, { clusterDNS: ["10.0.0.2"] }, "replaces-all"],
      // As with volumes.
      [{ clusterDNS: ["10.0.0.1", "10.0.0.2"] }, { clusterDNS: ["10.0.0.2", "10.0.0.1"] }, "new-nodes"],
    ],
  },
  "spec.",
);

/** Without `amiFamily` the images determine it, and only the family is hashed. */
const withImages = (...amiSelectorTerms: object[]) => ({ amiSelectorTerms, role: "r" });

export const FAMILY_OF_IMAGES: readonly FieldRow[] = rowsOf(
  {
    spec: [
      [withImages({ alias: "al2023@latest" }), withImages({ alias: "bottlerocket@latest" }), "replaces-all"],
      [withImages({ alias: "al2023@v20260101" }), withImages({ id: "ami-1" }), "replaces-all"],
      [
        withImages({ alias: "al2023@latest" }),
        { ...withImages({ alias: "al2023@latest" }), amiFamily: "AL2023" },
        "none",
      ],
    ],
  },
  "",
);

const ids = (...names: string[]) => names.map((id) => ({ id }));

/**
 * Fields that the hash ignores, as Karpenter confirms. The provider resolves them and compares the result with each
 * instance (pkg/cloudprovider/drift.go): with ids, which resolve to themselves, all possible results are listed here.
 */
export const RESOLVED: readonly FieldRow[] = rowsOf(
  {
    // isSubnetDrifted: the instance's subnet is not one of the class.
    subnetSelectorTerms: [
      [ids("subnet-1", "subnet-2"), ids("subnet-3"), "replaces-all"],
      [ids("subnet-1"), ids("subnet-2"), "replaces-all"],
      [ids("subnet-1", "subnet-2"), ids("subnet-1"), "replaces-some"],
      [ids("subnet-1", "subnet-2"), ids("subnet-1", "subnet-3"), "replaces-some"],
      [ids("subnet-1"), ids("subnet-1", "subnet-2"), "new-nodes"],
      [ids("subnet-1", "subnet-2"), ids("subnet-2", "subnet-1"), "none"],
      // Worst case: it is unknown which subnets the tags select, or the default.
      [[{ tags: { a: "x" } }], [{ tags: { a: "y" } }], "replaces-all"],
      [ids("subnet-1"), [{ tags: { a: "x" } }], "replaces-all"],
      [ids("subnet-1"), undefined, "replaces-all"],
      [undefined, ids("subnet-1"), "replaces-all"],
    ],
    // areSecurityGroupsDrifted: the instance's groups are not exactly those of the class.
    securityGroupSelectorTerms: [
      [ids("sg-1"), ids("sg-1", "sg-2"), "replaces-all"],
      [ids("sg-1", "sg-2"), ids("sg-1"), "replaces-all"],
      [ids("sg-1"), ids("sg-2"), "replaces-all"],
      [ids("sg-1", "sg-2"), ids("sg-2", "sg-1"), "none"],
      [[{ name: "nodes" }], [{ name: "others" }], "replaces-all"],
      [[{ tags: { a: "x" } }], [{ tags: { a: "y" } }], "replaces-all"],
    ],
    // isCapacityReservationDrifted: the instance's reservation is not one of the class.
    capacityReservationSelectorTerms: [
      [undefined, ids("cr-1"), "new-nodes"],
      [ids("cr-1"), ids("cr-1", "cr-2"), "new-nodes"],
      [ids("cr-1", "cr-2"), ids("cr-1"), "replaces-some"],
      [ids("cr-1"), ids("cr-2"), "replaces-some"],
      [ids("cr-1"), undefined, "replaces-some"],
      [[{ tags: { a: "x" } }], [{ tags: { a: "y" } }], "replaces-some"],
      [[{ tags: { a: "x" }, ownerID: "1" }], [{ tags: { a: "x" }, ownerID: "2" }], "replaces-some"],
      [
        [{ tags: { a: "x" }, instanceMatchCriteria: "open" }],
        [{ tags: { a: "x" }, instanceMatchCriteria: "targeted" }],
        "replaces-some",
      ],
    ],
    // isAMIDrifted: the node's image is not the newest for its instance type.
    amiSelectorTerms: [
      [ids("ami-1"), ids("ami-2"), "replaces-all"],
      [ids("ami-1", "ami-2"), ids("ami-1"), "replaces-some"],
      [ids("ami-1"), ids("ami-1", "ami-2"), "replaces-some"],
      [ids("ami-1", "ami-2"), ids("ami-2", "ami-1"), "none"],
      // For a family named by `amiFamily`.
      [[{ alias: "al2023@v20260101" }], [{ alias: "al2023@v20260801" }], "replaces-all"],
      [[{ tags: { a: "x" } }], [{ tags: { a: "y" } }], "replaces-all"],
      [[{ name: "a", owner: "1" }], [{ name: "b", owner: "1" }], "replaces-all"],
      [[{ name: "a", owner: "1" }], [{ name: "a", owner: "2" }], "replaces-all"],
      [[{ ssmParameter: "/a" }], [{ ssmParameter: "/b" }], "replaces-all"],
    ],
    // Used only when a node is launched.
    ipPrefixCount: [
      [undefined, 1, "new-nodes"],
      [1, 2, "new-nodes"],
    ],
  },
  "spec.",
);
