/** Defines the fields that anp sets itself, and how translated fields follow from their input. */

type Translate = (input: unknown, output: unknown) => unknown;

/** A field as `<Kind> <path>`, and the values that anp sets. */
const DECIDED: readonly (readonly [field: RegExp, values?: readonly unknown[]])[] = [
  [/^NodePool apiVersion$/, ["karpenter.sh/v1"]],
  [/^EC2NodeClass apiVersion$/, ["karpenter.k8s.aws/v1"]],
  [/^(NodePool|EC2NodeClass) kind$/, ["NodePool", "EC2NodeClass"]],
  [/ metadata\.labels\["app\.kubernetes\.io\/managed-by"\]$/, ["anp"]],
  [/ metadata\.annotations\["anp\.hypershift\.openshift\.io\/rendered-from"\]$/],
  // A pool without requirements, in a cluster whose policy has none.
  [/^NodePool spec\.template\.spec\.requirements$/, [[]]],
  // The blocker of `onBypass: Block`.
  [/^NodePool spec\.template\.spec\.requirements\[\d+\]\.key$/, ["node.kubernetes.io/instance-type"]],
  [/^NodePool spec\.template\.spec\.requirements\[\d+\]\.operator$/, ["In"]],
  [/^NodePool spec\.template\.spec\.requirements\[\d+\]\.values\[0\]$/, ["blocked-by-autonodepolicy"]],
  [/^NodePool spec\.template\.spec\.nodeClassRef\.group$/, ["karpenter.k8s.aws"]],
  [/^NodePool spec\.template\.spec\.nodeClassRef\.kind$/, ["EC2NodeClass"]],
  [/^NodePool spec\.template\.spec\.nodeClassRef\.name$/, ["default"]],
  [/ spec\.template\.metadata\.labels\["hypershift\.openshift\.io\/nodepool-globalps-enabled"\]$/, ["true"]],
  [/^EC2NodeClass spec\.amiFamily$/, ["Custom"]],
  [/^EC2NodeClass spec\.blockDeviceMappings\[0\]\.deviceName$/, ["/dev/xvda"]],
  // The root device with data disks, also the user's if only its name marks it.
  [/^EC2NodeClass spec\.blockDeviceMappings\[\d+\]\.rootVolume$/, [true]],
  [/^EC2NodeClass spec\.blockDeviceMappings\[0\]\.ebs\.volumeSize$/, ["75Gi"]],
  [/^EC2NodeClass spec\.blockDeviceMappings\[0\]\.ebs\.volumeType$/, ["gp3"]],
  [/^EC2NodeClass spec\.blockDeviceMappings\[0\]\.ebs\.encrypted$/, [true]],
];

export function decidedByAnp(field: string, value: unknown): boolean {
  return DECIDED.some(
    ([pattern, values]) =>
      pattern.test(field) &&
      (values === undefined || values.some((known) => JSON.stringify(known) === JSON.stringify(value))),
  );
}

const lower: Translate = (input) => String(input).toLowerCase();
/** An enum of two values as a boolean; the oldest dialect had the boolean. */
const flag =
  (yes: string): Translate =>
  (input) =>
    typeof input === "boolean" ? input : input === yes;
const word =
  (yes: string): Translate =>
  (input) =>
    input === yes ? "enabled" : "disabled";
/** The policy's root volume as a whole is the origin of its defaults. */
const whole =
  (decided: unknown): Translate =>
  (input) =>
    typeof input === "object" ? decided : input;

interface Rule {
  readonly field: RegExp;
  readonly from: RegExp;
  readonly translate: Translate;
}

const WRAPPER = /^OpenshiftEC2NodeClass$/;
const PROVIDER = /^(AutoNodePolicy|RenderConfig)$/;
const PLATFORM = /^(HostedControlPlane|RenderConfig)$/;
const devices = (rest: string): RegExp =>
  new RegExp(String.raw`^EC2NodeClass spec\.blockDeviceMappings\[\d+\]\.${rest}$`);

const RULES: readonly Rule[] = [
  {
    field: /nodeClassRef\.group$/,
    from: /^OpenshiftNodePool$/,
    translate: (input) => (input === "karpenter.hypershift.openshift.io" ? "karpenter.k8s.aws" : input),
  },
  {
    field: /nodeClassRef\.kind$/,
    from: /^OpenshiftNodePool$/,
    translate: (input) => (input === "OpenshiftEC2NodeClass" ? "EC2NodeClass" : input),
  },
  { field: /spec\.associatePublicIPAddress$/, from: WRAPPER, translate: flag("Public") },
  { field: /spec\.detailedMonitoring$/, from: WRAPPER, translate: flag("Detailed") },
  { field: /metadataOptions\.httpEndpoint$/, from: WRAPPER, translate: word("HTTPEndpoint") },
  { field: /metadataOptions\.httpProtocolIPv6$/, from: WRAPPER, translate: word("IPv6") },
  { field: /metadataOptions\.httpTokens$/, from: WRAPPER, translate: lower },
  { field: /instanceMatchCriteria$/, from: WRAPPER, translate: lower },
  { field: devices("rootVolume"), from: WRAPPER, translate: flag("RootVolume") },
  { field: devices(String.raw`ebs\.encrypted`), from: WRAPPER, translate: flag("Encrypted") },
  { field: devices(String.raw`ebs\.deleteOnTermination`), from: WRAPPER, translate: flag("Delete") },
  { field: devices(String.raw`ebs\.volumeType`), from: WRAPPER, translate: lower },
  {
    field: devices(String.raw`ebs\.volumeSize`),
    from: WRAPPER,
    translate: (input) => (input === "1Ti" ? "1024Gi" : `${String(input)}Gi`),
  },
  { field: devices("deviceName"), from: PROVIDER, translate: whole("/dev/xvda") },
  { field: devices("rootVolume"), from: PROVIDER, translate: whole(true) },
  { field: devices(String.raw`ebs\.volumeSize`), from: PROVIDER, translate: whole("75Gi") },
  {
    field: devices(String.raw`ebs\.volumeType`),
    from: PROVIDER,
    translate: (input) => (typeof input === "object" ? "gp3" : String(input).toLowerCase()),
  },
  { field: devices(String.raw`ebs\.encrypted`), from: PROVIDER, translate: whole(true) },
  {
    field: /kubelet\.evictionSoftGracePeriod/,
    from: WRAPPER,
    translate: (input) => (input === "2m" ? "2m0s" : undefined),
  },
  { field: /subnetSelectorTerms.*internal-elb"\]$/, from: PLATFORM, translate: () => "1" },
  { field: /subnetSelectorTerms.*kubernetes\.io\/cluster\/shop-7x2kq"\]$/, from: PLATFORM, translate: () => "*" },
  {
    field: /spec\.userData$/,
    from: /^Secret$/,
    translate: (input, output) => (input === Buffer.from(String(output)).toString("base64") ? output : input),
  },
];

/** How a leaf follows from its input; undefined if it is a copy. */
export function translated(field: string, kind: string): Translate | undefined {
  return RULES.find((rule) => rule.field.test(field) && rule.from.test(kind))?.translate;
}
