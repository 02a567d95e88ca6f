/** Generates random valid raw objects: NodePools and EC2NodeClasses with all their fields. */
import fc from "fast-check";
import { KEYS, optional, record, value } from "../property/scenario.ts";
import { AS_GO_PRINTS, type Raw } from "./expected.ts";

const key = fc.constantFrom(...KEYS.always, ...KEYS.mayBeAbsent);
const values = fc.array(value, { minLength: 1, maxLength: 3 });
/** Not near 0: Karpenter cannot generate a number there, and rendering refuses the entry. */
const number = fc.integer({ min: 3, max: 9999 }).map(String);

const requirement = fc.oneof(
  record({ key, operator: fc.constant("In"), values, minValues: optional(fc.constant(1)) }),
  record({ key, operator: fc.constant("NotIn"), values }),
  record({
    key,
    operator: fc.constantFrom("Exists", "DoesNotExist"),
    minValues: optional(fc.integer({ min: 1, max: 50 })),
  }),
  record({ key, operator: fc.constantFrom("Gt", "Lt", "Gte", "Lte"), values: number.map((one) => [one]) }),
);

const taints = (keys: readonly string[]) =>
  fc.uniqueArray(
    record({
      key: fc.constantFrom(...keys),
      value: optional(fc.constantFrom("web", "true")),
      effect: fc.constantFrom("NoSchedule", "PreferNoSchedule", "NoExecute"),
    }),
    { maxLength: 3, selector: (taint) => `${String(taint["key"])}=${String(taint["effect"])}` },
  );

const duration = fc.constantFrom("30s", "5m", "1h30m", "720h");
const durationOrNever = fc.oneof(duration, fc.constant("Never"));

const budget = fc.oneof(
  record({ nodes: fc.constantFrom("0", "5", "10%", "100%"), reasons: optional(fc.subarray(["Empty", "Drifted"])) }),
  record({
    nodes: fc.constant("0"),
    schedule: fc.constantFrom("@daily", "0 9 * * 1-5"),
    duration: fc.constantFrom("8h", "1h30m"),
  }),
);

/** Names of classes outside the input are valid too. */
const classNames = ["default", "gpu", "databases"] as const;

const nodePool = fc
  .record({
    name: fc.constantFrom("web", "batch", "db.v2", "a-0"),
    spec: record({
      template: record({
        metadata: optional(
          record({
            labels: optional(
              fc.dictionary(
                fc.constantFrom("tier", "example.com/team", "hypershift.openshift.io/nodepool-globalps-enabled"),
                fc.constantFrom("true"),
                { maxKeys: 3 },
              ),
            ),
            annotations: optional(
              fc.dictionary(fc.constantFrom("a", "example.com/note"), fc.string({ maxLength: 9 }), { maxKeys: 2 }),
            ),
          }),
        ),
        spec: record({
          nodeClassRef: fc
            .constantFrom(...classNames)
            .map((name) => ({ group: "karpenter.k8s.aws", kind: "EC2NodeClass", name })),
          requirements: fc.array(requirement, { maxLength: 6 }),
          taints: optional(taints(["dedicated", "example.com/gpu"])),
          startupTaints: optional(taints(["starting", "cni"])),
          expireAfter: optional(durationOrNever),
          terminationGracePeriod: optional(duration),
        }),
      }),
      disruption: optional(
        record({
          consolidateAfter: durationOrNever,
          consolidationPolicy: optional(fc.constantFrom("WhenEmpty", "WhenEmptyOrUnderutilized")),
          budgets: optional(fc.array(budget, { maxLength: 3 })),
        }),
      ),
      limits: optional(
        fc.dictionary(
          fc.constantFrom("cpu", "memory", "nodes", "nvidia.com/gpu"),
          fc.constantFrom(64, "200", "1.5", "800Gi"),
          { maxKeys: 3 },
        ),
      ),
      weight: optional(fc.integer({ min: 1, max: 100 })),
    }),
  })
  .map(({ name, spec }) => ({ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name }, spec }));

const size = fc.oneof(
  fc.integer({ min: 1, max: 59_000 }).map((gib) => `${gib}Gi`),
  fc.integer({ min: 1, max: 63_000 }).map((gb) => `${gb}G`),
  fc.integer({ min: 1, max: 9 }).map((tib) => `${tib}Ti`),
  fc.integer({ min: 1, max: 59 }).map((tb) => `${tb}T`),
);

const ebs = record({
  volumeSize: size,
  snapshotID: optional(fc.constant("snap-0a1b2c3d")),
  volumeType: optional(fc.constantFrom("standard", "io1", "io2", "gp2", "sc1", "st1", "gp3")),
  encrypted: optional(fc.boolean()),
  deleteOnTermination: optional(fc.boolean()),
  iops: optional(fc.integer({ min: 100, max: 64_000 })),
  throughput: optional(fc.integer({ min: 125, max: 1000 })),
  kmsKeyID: optional(fc.constant("alias/nodes")),
});

/** At most one is flagged. */
const devices = fc
  .tuple(
    fc.uniqueArray(record({ deviceName: fc.constantFrom("/dev/xvda", "/dev/sda1", "/dev/xvdb", "/dev/xvdc"), ebs }), {
      maxLength: 3,
      selector: (one) => one["deviceName"],
    }),
    fc.nat({ max: 6 }),
  )
  .map(([list, flagged]) => list.map((one, index) => (index === flagged ? { ...one, rootVolume: true } : one)));

const onOff = fc.constantFrom("enabled", "disabled");
const tags = fc.dictionary(fc.constantFrom("team", "Name", "cost-center"), fc.constantFrom("a", "*", "x y"), {
  minKeys: 1,
  maxKeys: 2,
});

const kubelet = record({
  maxPods: optional(fc.integer({ min: 20, max: 250 })),
  podsPerCore: optional(fc.integer({ min: 1, max: 20 })),
  systemReserved: optional(fc.constant({ cpu: "500m", memory: "1Gi" })),
  kubeReserved: optional(fc.constant({ "ephemeral-storage": "1Gi" })),
  evictionHard: optional(fc.constant({ "memory.available": "5%" })),
  cpuCFSQuota: optional(fc.boolean()),
  imageGCHighThresholdPercent: optional(fc.integer({ min: 51, max: 100 })),
  imageGCLowThresholdPercent: optional(fc.integer({ min: 0, max: 50 })),
  clusterDNS: optional(fc.constant(["10.0.0.10"])),
  registryPullQPS: optional(fc.constant(10)),
});

const soft = fc.option(
  fc.constantFrom(...Object.keys(AS_GO_PRINTS)).map((period) => ({
    evictionSoft: { "memory.available": "10%" },
    evictionSoftGracePeriod: { "memory.available": period },
  })),
  { nil: {} },
);

const nodeClass = fc
  .record({
    name: fc.constantFrom(...classNames),
    spec: record({
      subnetSelectorTerms: fc.array(fc.oneof(record({ tags }), fc.constant({ id: "subnet-0a1b" })), {
        minLength: 1,
        maxLength: 3,
      }),
      securityGroupSelectorTerms: fc.array(
        fc.oneof(record({ tags }), fc.constant({ id: "sg-0a1b" }), fc.constant({ name: "nodes" })),
        { minLength: 1, maxLength: 3 },
      ),
      capacityReservationSelectorTerms: optional(
        fc.array(
          fc.oneof(
            fc.constant({ id: "cr-0a1b" }),
            record({
              tags,
              ownerID: optional(fc.constant("123456789012")),
              instanceMatchCriteria: optional(fc.constantFrom("open", "targeted")),
            }),
          ),
          { minLength: 1, maxLength: 2 },
        ),
      ),
      associatePublicIPAddress: optional(fc.boolean()),
      detailedMonitoring: optional(fc.boolean()),
      instanceStorePolicy: optional(fc.constant("RAID0")),
      metadataOptions: optional(
        record({
          httpEndpoint: optional(onOff),
          httpProtocolIPv6: optional(onOff),
          httpPutResponseHopLimit: optional(fc.integer({ min: 1, max: 64 })),
          httpTokens: optional(fc.constantFrom("required", "optional")),
        }),
      ),
      tags: optional(tags),
      blockDeviceMappings: optional(devices),
      kubelet: optional(fc.tuple(kubelet, soft).map(([one, other]) => ({ ...one, ...other }))),
      amiFamily: optional(fc.constantFrom("Custom", "AL2023", "Bottlerocket")),
      amiSelectorTerms: fc.constantFrom(
        [{ id: "ami-0a1b" }],
        [{ alias: "al2023@latest" }],
        [{ tags: { golden: "true" } }],
      ),
      role: optional(fc.constant("nodes")),
      userData: optional(fc.constant("#!/bin/sh\n")),
      context: optional(fc.constant("fleet")),
    }),
  })
  .map(({ name, spec }) => ({ apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", metadata: { name }, spec }));

const named = <T extends Raw>(one: fc.Arbitrary<T>, minLength: number) =>
  fc.uniqueArray(one, { minLength, maxLength: 3, selector: ({ metadata }) => metadata.name });

export const rawObjects: fc.Arbitrary<Raw[]> = fc
  .tuple(named(nodePool as fc.Arbitrary<Raw>, 1), named(nodeClass as fc.Arbitrary<Raw>, 0))
  .map(([pools, classes]) => [...pools, ...classes]);
