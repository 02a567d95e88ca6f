/** Computes the expected spec of a raw object after adopting and rendering, independent of anp's code. */

type Fields = Record<string, unknown>;

export interface Raw {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Fields;
}

/** Inputs that HyperShift provides, as in the tests' RenderConfig. */
const AMI = "ami-0fedcba9876543210";
const INSTANCE_PROFILE = "shop-nodes";

export const RENDER_CONFIG = {
  apiVersion: "anp.hypershift.openshift.io/v1alpha1",
  kind: "RenderConfig",
  metadata: { name: "render" },
  spec: {
    hostedCluster: {
      namespace: "clusters-shop",
      infraID: "shop-7x2kq",
      amis: { amd64: AMI },
      instanceProfile: INSTANCE_PROFILE,
    },
  },
};

export function expectedSpec({ kind, spec }: Raw): Fields {
  return kind === "NodePool" ? expectedPool(spec) : expectedClass(spec);
}

/** The pool itself with the forced node label. */
function expectedPool(spec: Fields): Fields {
  const { template, ...rest } = spec as Fields & { template: { metadata?: Fields; spec: Fields } };
  const labels = {
    ...(template.metadata?.["labels"] as Fields),
    "hypershift.openshift.io/nodepool-globalps-enabled": "true",
  };
  return { ...rest, template: { metadata: { ...template.metadata, labels }, spec: template.spec } };
}

const KEPT = [
  "associatePublicIPAddress",
  "detailedMonitoring",
  "subnetSelectorTerms",
  "securityGroupSelectorTerms",
  "capacityReservationSelectorTerms",
  "instanceStorePolicy",
];

const KUBELET = [
  "maxPods",
  "podsPerCore",
  "systemReserved",
  "kubeReserved",
  "evictionHard",
  "evictionSoft",
  "evictionMaxPodGracePeriod",
  "imageGCHighThresholdPercent",
  "imageGCLowThresholdPercent",
  "cpuCFSQuota",
];

function expectedClass(spec: Fields): Fields {
  const kubelet = expectedKubelet((spec["kubelet"] ?? {}) as Fields);
  const orNothing = (field: string) => (Object.keys(spec[field] ?? {}).length === 0 ? {} : { [field]: spec[field] });
  return {
    amiFamily: "Custom",
    amiSelectorTerms: [{ id: AMI }],
    instanceProfile: INSTANCE_PROFILE,
    ...Object.fromEntries(KEPT.filter((field) => spec[field] !== undefined).map((field) => [field, spec[field]])),
    ...orNothing("tags"),
    ...orNothing("metadataOptions"),
    ...(Object.keys(kubelet).length === 0 ? {} : { kubelet }),
    blockDeviceMappings: expectedDevices((spec["blockDeviceMappings"] ?? []) as Mapping[]),
  };
}

function expectedKubelet(given: Fields): Fields {
  const kubelet = Object.fromEntries(
    KUBELET.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
  );
  const periods = given["evictionSoftGracePeriod"];
  if (periods === undefined) return kubelet;
  const printed = Object.entries(periods as Record<string, string>).map(([signal, text]) => [
    signal,
    AS_GO_PRINTS[text],
  ]);
  return { ...kubelet, evictionSoftGracePeriod: Object.fromEntries(printed) as Fields };
}

export const AS_GO_PRINTS: Readonly<Record<string, string>> = {
  "2m": "2m0s",
  "1h": "1h0m0s",
  "1m30s": "1m30s",
  "90s": "1m30s",
};

interface Mapping {
  readonly deviceName: string;
  readonly rootVolume?: boolean;
  readonly ebs: Fields;
}

/** Sizes in GiB, one root volume: the built-in one by default. */
function expectedDevices(given: readonly Mapping[]): Fields[] {
  const isRoot = ({ deviceName, rootVolume }: Mapping) =>
    rootVolume === true || ["/dev/xvda", "xvda", "/dev/sda1", "sda1"].includes(deviceName);
  const roots = given.filter(isRoot);
  const devices = given.map((mapping) => {
    const { volumeInitializationRate: _lost, ...ebs } = mapping.ebs;
    const { volumeSize } = ebs as { volumeSize?: string };
    const flagged =
      mapping.rootVolume === true ||
      (isRoot(mapping) && roots.length === 1 && given.length > 1 && mapping.rootVolume === undefined);
    return {
      deviceName: mapping.deviceName,
      ...(flagged ? { rootVolume: true } : {}),
      ebs: { ...ebs, ...(volumeSize === undefined ? {} : { volumeSize: inGiB(volumeSize) }) },
    };
  });
  if (roots.length > 0) return devices;
  const builtIn = { volumeSize: "75Gi", volumeType: "gp3", encrypted: true };
  return [{ deviceName: "/dev/xvda", ...(given.length > 0 ? { rootVolume: true } : {}), ebs: builtIn }, ...devices];
}

function inGiB(text: string): string {
  const [, number, unit] = /^(\d+)(\D+)$/.exec(text)!;
  const bytes = Number(number) * { Gi: 2 ** 30, Ti: 2 ** 40, G: 1e9, T: 1e12 }[unit as "Gi" | "Ti" | "G" | "T"];
  return `${Math.ceil(bytes / 2 ** 30)}Gi`;
}
