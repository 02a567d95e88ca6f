/**
 * Generates random NodePools, NodeClaims and EC2NodeClasses of both versions, as in manifests, dumps and earlier
 * conversions.
 */
import fc from "fast-check";
import type { KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import type { Fields } from "../../../src/krm/values/fields.ts";

const name = fc.constantFrom("default", "web", "gpu", "batch-1");
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Fields that are lost in a version or a round trip: rare, so that most objects round-trip. */
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const record = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> =>
  fc.record(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, some(value)])));
/** As in JSON: undefined fields are omitted. */
const plain = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T> => value.map((one) => JSON.parse(JSON.stringify(one)) as T);

const duration = fc.constantFrom("0s", "30s", "5m", "1h30m", "720h", "90m", "8760h0m0s");
const durationOrNever = fc.oneof(duration, fc.constant("Never"));
const quantity = fc.constantFrom("1", "100m", "1000m", "1.5Gi", "1024Mi", "10Gi", "0.5", "1e3");
const text = fc.constantFrom("a", "team-x", "<b>&", "x y", "é\u2028", "");
const labels = fc.dictionary(fc.constantFrom("team", "example.com/tier", "app"), fc.constantFrom("a", "b", ""), {
  maxKeys: 2,
});
const quantities = fc.dictionary(fc.constantFrom("cpu", "memory", "nodes"), quantity, { maxKeys: 3 });

const taint = record({
  key: fc.constantFrom("example.com/special", "dedicated"),
  value: fc.constantFrom("a", ""),
  effect: fc.constantFrom("NoSchedule", "NoExecute", "PreferNoSchedule"),
});
const requirement = fc.record({
  key: fc.constantFrom("kubernetes.io/arch", "karpenter.sh/capacity-type", "example.com/x"),
  operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
  values: some(fc.array(fc.constantFrom("amd64", "spot", "4"), { maxLength: 2 })),
  minValues: some(fc.integer({ min: 1, max: 50 })),
});

const signals = (value: fc.Arbitrary<string>) =>
  fc.dictionary(fc.constantFrom("memory.available", "nodefs.available", "pid.available"), value, { maxKeys: 2 });
const kubelet = record({
  cpuCFSQuota: fc.boolean(),
  maxPods: fc.nat(250),
  podsPerCore: fc.nat(10),
  clusterDNS: fc.array(fc.constantFrom("10.0.0.10", "fd00::a"), { maxLength: 2 }),
  systemReserved: fc.dictionary(fc.constantFrom("memory", "cpu"), quantity, { maxKeys: 2 }),
  kubeReserved: fc.dictionary(fc.constantFrom("pid", "ephemeral-storage"), quantity, { maxKeys: 2 }),
  evictionHard: signals(fc.constantFrom("5%", "100Mi")),
  evictionSoft: signals(fc.constantFrom("10%", "<1Gi")),
  evictionSoftGracePeriod: signals(fc.constantFrom("1m", "90s", "1h", "1.5s", "100ms", "0s")),
  evictionMaxPodGracePeriod: fc.integer({ min: 0, max: 600 }),
  imageGCHighThresholdPercent: fc.nat(100),
  imageGCLowThresholdPercent: fc.nat(100),
});

const refV1beta1 = fc.record({
  kind: some(fc.constantFrom("EC2NodeClass", "AKSNodeClass", "")),
  name,
  apiVersion: some(fc.constantFrom("karpenter.k8s.aws/v1beta1", "karpenter.k8s.aws/v1", "example.com/v1", "odd", "")),
});
const refV1 = fc.record({
  group: fc.constantFrom("karpenter.k8s.aws", "example.com"),
  kind: fc.constantFrom("EC2NodeClass", "AKSNodeClass"),
  name,
});

const condition = fc.record({
  type: fc.constantFrom("Ready", "NodeClassReady", "Drifted"),
  status: fc.constantFrom("True", "False", "Unknown"),
  lastTransitionTime: fc.constant("2024-02-02T19:54:34Z"),
  severity: rarely(fc.constant("Warning")),
  reason: some(fc.constantFrom("NotReady", "")),
  message: some(text),
  observedGeneration: some(fc.nat(9)),
});
const conditions = fc.array(condition, { maxLength: 2 });

const kubeletAnnotation = fc.oneof(
  kubelet.map((value) => JSON.stringify(value)),
  fc.constantFrom('{"maxPods":42}', "null", "", "{broken", '{"evictionSoftGracePeriod":{"memory.available":"2m0s"}}'),
);
const refAnnotation = fc.oneof(
  refV1beta1.map((value) => JSON.stringify(value)),
  fc.constantFrom('{"name":"default"}', "null", "", "no json"),
);

function metadata(own: Record<string, fc.Arbitrary<string>>, version: KarpenterVersion, withPool = false) {
  const carried = version === "v1" ? own : {};
  const annotations = record({
    "karpenter.sh/nodepool-hash": fc.constant("123"),
    "karpenter.sh/stored-version-migrated": rarely(fc.constant("true")),
    "example.com/owner": text,
    ...carried,
  });
  const ownLabels = withPool ? record({ "karpenter.sh/nodepool": name, team: fc.constant("a") }) : labels;
  return fc.record({ name, labels: some(ownLabels), annotations: some(annotations) });
}

const POOL_ANNOTATIONS = {
  "compatibility.karpenter.sh/v1beta1-kubelet-conversion": kubeletAnnotation,
  "compatibility.karpenter.sh/v1beta1-nodeclass-reference": refAnnotation,
};

const budget = (version: KarpenterVersion) =>
  fc.record({
    nodes: some(fc.constantFrom("10%", "0", "5")),
    schedule: some(fc.constantFrom("0 9 * * *", "@daily")),
    duration: some(fc.constantFrom("8h", "1h30m", "90m")),
    ...(version === "v1"
      ? { reasons: rarely(fc.subarray(["Underutilized", "Empty", "Drifted"], { minLength: 1 })) }
      : {}),
  });

const DISRUPTION = {
  v1beta1: {
    consolidationPolicy: fc.constantFrom("WhenUnderutilized", "WhenEmpty"),
    consolidateAfter: rarely(durationOrNever),
    expireAfter: durationOrNever,
    budgets: fc.array(budget("v1beta1"), { maxLength: 2 }),
  },
  v1: {
    consolidationPolicy: fc.constantFrom("WhenEmptyOrUnderutilized", "WhenEmpty"),
    consolidateAfter: fc.oneof(fc.constant("0s"), durationOrNever),
    budgets: fc.array(budget("v1"), { maxLength: 2 }),
  },
} as const;

const common = { taints: fc.array(taint, { maxLength: 2 }), startupTaints: fc.array(taint, { maxLength: 1 }) };
const requirements = fc.array(requirement, { maxLength: 2 });
const requests = record({ requests: quantities });
/** Fields required by the CRDs are nearly always set: a server-side apply may omit them. */
const mostly = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 20 });

const TEMPLATE = {
  v1beta1: { ...common, kubelet, resources: rarely(requests) },
  v1: { ...common, expireAfter: durationOrNever, terminationGracePeriod: rarely(duration) },
} as const;

const ref: Readonly<Record<KarpenterVersion, fc.Arbitrary<Fields>>> = { v1beta1: refV1beta1, v1: refV1 };

export function nodePool(version: KarpenterVersion): fc.Arbitrary<Fields> {
  const spec = fc
    .tuple(
      record(TEMPLATE[version]),
      fc.record({ requirements: mostly(requirements), nodeClassRef: mostly(ref[version]) }),
    )
    .map(([optional, required]) => ({ ...optional, ...required }));
  return plain(
    fc.record({
      apiVersion: fc.constant(`karpenter.sh/${version}`),
      kind: fc.constant("NodePool"),
      metadata: metadata(POOL_ANNOTATIONS, version),
      spec: fc.record({
        template: fc.record({ metadata: some(record({ labels, annotations: labels })), spec }),
        disruption: some(record(DISRUPTION[version])),
        limits: some(quantities),
        weight: some(fc.integer({ min: 1, max: 100 })),
      }),
      status: some(record({ resources: quantities, conditions })),
    }),
  );
}

export function nodeClaim(version: KarpenterVersion): fc.Arbitrary<Fields> {
  const own = version === "v1" ? TEMPLATE.v1 : { ...common, kubelet };
  return plain(
    fc.record({
      apiVersion: fc.constant(`karpenter.sh/${version}`),
      kind: fc.constant("NodeClaim"),
      metadata: metadata(POOL_ANNOTATIONS, version, true),
      spec: fc
        .tuple(
          record({ ...own, resources: requests }),
          fc.record({ requirements: mostly(requirements), nodeClassRef: mostly(ref[version]) }),
        )
        .map(([optional, required]) => ({ ...optional, ...required })),
      status: some(
        record({
          nodeName: fc.constant("ip-10-0-0-1"),
          providerID: fc.constant("aws:///us-west-2b/i-053c"),
          imageID: fc.constant("ami-0b1e"),
          capacity: quantities,
          allocatable: quantities,
          conditions,
        }),
      ),
    }),
  );
}

const tags = fc.dictionary(fc.constantFrom("karpenter.sh/discovery", "Name"), fc.constantFrom("c1", "*"), {
  maxKeys: 2,
});
const term = record({ id: fc.constantFrom("subnet-1", "sg-2"), tags });
const amiTerm = record({ id: fc.constant("ami-1"), name: fc.constant("mine-*"), owner: fc.constant("self"), tags });
const mapping = record({
  deviceName: fc.constant("/dev/xvda"),
  rootVolume: fc.boolean(),
  ebs: record({
    volumeSize: fc.constantFrom("100Gi", "20480Mi", "20G"),
    volumeType: fc.constantFrom("gp3", "io1"),
    encrypted: fc.boolean(),
    deleteOnTermination: fc.boolean(),
    iops: fc.integer({ min: 100, max: 9000 }),
    throughput: fc.integer({ min: 125, max: 1000 }),
    kmsKeyID: fc.constant("key"),
    snapshotID: fc.constant("snap-1"),
  }),
});
const metadataOptions = record({
  httpEndpoint: fc.constantFrom("enabled", "disabled"),
  httpProtocolIPv6: fc.constantFrom("enabled", "disabled"),
  httpPutResponseHopLimit: fc.integer({ min: 1, max: 64 }),
  httpTokens: fc.constantFrom("required", "optional"),
});

const ALIAS_VERSION = { "compatibility.karpenter.k8s.aws/v1-alias-version": fc.constantFrom("v20240807", "latest") };
const UBUNTU = {
  "compatibility.karpenter.k8s.aws/v1beta1-ubuntu": fc.constantFrom(
    "amiFamily",
    "amiFamily,blockDeviceMappings",
    "amiFamily,incompatible",
    "amiFamily,blockDeviceMappings,incompatible",
  ),
};
const alias = fc.constantFrom("al2@latest", "al2023@v20240807", "bottlerocket@1.20.3", "windows2022@latest");
const IMAGES = {
  v1beta1: fc.record({
    amiFamily: mostly(
      fc.constantFrom("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Ubuntu", "Custom"),
    ),
    amiSelectorTerms: some(fc.array(amiTerm, { maxLength: 2 })),
  }),
  v1: fc.oneof(
    fc.record({ amiSelectorTerms: alias.map((one) => [{ alias: one }]), amiFamily: some(fc.constant("Custom")) }),
    fc.record({
      amiFamily: some(fc.constantFrom("AL2", "AL2023", "Bottlerocket", "Windows2019", "Custom")),
      amiSelectorTerms: mostly(fc.array(amiTerm, { maxLength: 2 })),
    }),
  ),
} as const;

export function ec2NodeClass(version: KarpenterVersion): fc.Arbitrary<Fields> {
  const optional = record({
    ...(version === "v1" ? { kubelet } : {}),
    associatePublicIPAddress: fc.boolean(),
    userData: fc.constant("#!/bin/sh\n"),
    role: fc.constant("KarpenterNodeRole"),
    instanceProfile: fc.constant("profile"),
    tags,
    blockDeviceMappings: fc.array(mapping, { maxLength: 2 }),
    instanceStorePolicy: fc.constant("RAID0"),
    detailedMonitoring: fc.boolean(),
    metadataOptions,
    context: fc.constant("ctx"),
  });
  const required = fc.record({
    subnetSelectorTerms: mostly(fc.array(term, { maxLength: 2 })),
    securityGroupSelectorTerms: mostly(fc.array(term, { maxLength: 2 })),
  });
  const status = record({
    subnets: fc.array(fc.constant({ id: "subnet-1", zone: "us-west-2a", zoneID: "usw2-az1" }), { maxLength: 1 }),
    securityGroups: fc.array(fc.constant({ id: "sg-1" }), { maxLength: 1 }),
    amis: fc.array(fc.constant({ id: "ami-1", requirements: [] }), { maxLength: 1 }),
    instanceProfile: fc.constant("profile"),
    conditions,
  });
  return plain(
    fc.record({
      apiVersion: fc.constant(`karpenter.k8s.aws/${version}`),
      kind: fc.constant("EC2NodeClass"),
      metadata: fc
        .tuple(
          metadata(UBUNTU, version),
          fc.option(record(version === "v1beta1" ? ALIAS_VERSION : {}), { nil: undefined }),
        )
        .map(([own, more]) => (more === undefined ? own : { ...own, annotations: { ...own.annotations, ...more } })),
      spec: fc
        .tuple(optional, required, IMAGES[version])
        .map(([fields, selectors, images]) => ({ ...fields, ...selectors, ...images })),
      status: some(status),
    }),
  );
}
