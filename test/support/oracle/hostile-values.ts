/**
 * Generates objects of Karpenter's kinds with one hostile value each: every field of a full object, with every value
 * that challenges a parser.
 */
import { type FieldPath, valueAt } from "../../../src/krm/places/field-path.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";

const taint = { key: "example.com/a", value: "b", effect: "NoSchedule" };

const pool: KubeObject = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "hostile" },
  spec: {
    template: {
      metadata: { labels: { "example.com/l": "v" }, annotations: { "example.com/n": "v" } },
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [
          { key: "example.com/c", operator: "In", values: ["a", "b"], minValues: 1 },
          { key: "karpenter.k8s.aws/instance-cpu", operator: "Gt", values: ["3"] },
        ],
        taints: [{ ...taint, timeAdded: "2026-01-01T00:00:00Z" }],
        startupTaints: [{ ...taint, effect: "NoExecute", timeAdded: "2026-01-01T00:00:00Z" }],
        expireAfter: "720h",
        terminationGracePeriod: "1h",
      },
    },
    disruption: {
      consolidateAfter: "1m",
      consolidationPolicy: "WhenEmpty",
      budgets: [{ nodes: "10%", reasons: ["Empty"], schedule: "0 0 * * *", duration: "8h" }],
    },
    limits: { cpu: "100", memory: "1Ti", nodes: "10" },
    weight: 10,
  },
};

const nodeClass: KubeObject = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "hostile" },
  spec: {
    amiFamily: "Custom",
    amiSelectorTerms: [{ id: "ami-1" }],
    subnetSelectorTerms: [{ id: "subnet-1" }],
    securityGroupSelectorTerms: [{ id: "sg-1" }],
    instanceProfile: "profile",
    associatePublicIPAddress: true,
    detailedMonitoring: true,
    instanceStorePolicy: "RAID0",
    userData: "data",
    tags: { team: "web" },
    metadataOptions: {
      httpEndpoint: "enabled",
      httpProtocolIPv6: "disabled",
      httpPutResponseHopLimit: 2,
      httpTokens: "required",
    },
    blockDeviceMappings: [
      {
        deviceName: "/dev/xvda",
        rootVolume: true,
        ebs: {
          deleteOnTermination: true,
          encrypted: true,
          iops: 3000,
          kmsKeyID: "key",
          snapshotID: "snap-1",
          throughput: 125,
          volumeSize: "75Gi",
          volumeType: "gp3",
        },
      },
    ],
    kubelet: {
      maxPods: 110,
      podsPerCore: 10,
      systemReserved: { cpu: "100m", pid: "1000" },
      kubeReserved: { memory: "1Gi" },
      evictionHard: { "memory.available": "5%", "nodefs.available": "1Gi", "pid.available": "5%" },
      evictionSoft: { "memory.available": "10%" },
      evictionSoftGracePeriod: { "memory.available": "1m" },
      evictionMaxPodGracePeriod: 60,
      imageGCHighThresholdPercent: 85,
      imageGCLowThresholdPercent: 80,
      cpuCFSQuota: true,
    },
  },
};

const QUANTITIES = [
  "1e1.5",
  "1e.5",
  "1E-1.",
  "1e5",
  "1E400",
  "1e-400",
  "1e-1000",
  "1e1000",
  "0e999999999",
  "1e4294967296",
  "1e2147483647",
  "-1e2147483647",
  "1e-2147483648",
  "1e99999999999999999999",
  "5.",
  ".5",
  "+1",
  "-1",
  "-0",
  "0",
  "0.0000000001",
  "9223372036854775807",
  "9223372036854775808",
  "9".repeat(400),
  "8Ei",
  "9Ei",
  "1000E",
  "1n",
  "1u",
  "Ti",
  "T",
  "Gi",
  "18Ti",
  "0Gi",
  "59000Gi",
  "65536Gi",
];
const DURATIONS = [
  "9999999h",
  "2562047h47m16s",
  "2562047h47m17s",
  "153722867m",
  "153722868m",
  "9223372036s",
  "9223372037s",
  "0s",
  "-1h",
  "1d",
  "1.5h",
  "Never",
  "never",
  "1h1h",
  `${"0".repeat(40)}1h`,
  "99999999999999999999h",
  "2562048h",
  "2562047h",
  "2562047h48m",
  "106751d",
  "1ns",
];
const SCHEDULES = [
  "TZ=UTC 0 0 * * *",
  "TZ= 0 0 * * *",
  "CRON_TZ=x 0 0 * * *",
  "@dailyfoo",
  "@every 1s a b c d",
  "a b c d e",
  "* * * * * *",
  "*/0 * * * *",
  "0-99999999999999999999 * * * *",
  "0 0 31 2 *",
  "0 0 ? ? ?",
  "1,,2 * * * *",
];
const TIMES = [
  "2026-01-01T00:00:00Z",
  "2026-01-01t00:00:00z",
  "2026-01-01T00:00:00.5Z",
  "2026-01-01T00:00:00,5Z",
  "2026-01-01T00:00:00x5Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00+99:99",
  "2026-01-01T00:00:00ZTfoo",
  "0000-01-01T00:00:00+01:00",
  "2026-01-01T00:00Z",
  "2026-01-01T23:59:60Z",
  "9999-12-31T23:59:59-23:59",
  "2026-01-01T00:00:00-00:01",
  "2026-01-01T00:00:00-00:00",
  "2026-01-01T00:00:00",
];
const TEXTS = ["", " ", "a", "\u0000", "\u{1f600}", '"', "\\", "null", "true", "100%", "100.00%", "0.01%", "101%", "%"];
const NUMBERS = [0, -1, 1.5, 1, 100, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 2 ** 63, 1e20, 1e308];

/** Each with the path of its value. Fields of a mapping with free keys represent all of them. */
export function hostileObjects(): { readonly object: KubeObject; readonly path: FieldPath; readonly value: unknown }[] {
  const values = [...QUANTITIES, ...DURATIONS, ...SCHEDULES, ...TIMES, ...TEXTS, ...NUMBERS, null, {}, []];
  return [pool, nodeClass].flatMap((whole) =>
    leavesOf(whole.spec, ["spec"]).flatMap((path) =>
      values.map((value) => {
        const object = structuredClone(whole);
        const parent = valueAt(object, path.slice(0, -1)) as Record<string | number, unknown>;
        parent[path.at(-1)!] = value;
        return { object, path, value };
      }),
    ),
  );
}

function leavesOf(value: unknown, path: FieldPath): FieldPath[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, below]) => leavesOf(below, [...path, key]));
}
