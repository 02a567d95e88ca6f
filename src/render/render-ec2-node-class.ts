/** Renders an OpenshiftEC2NodeClass as EC2NodeClass, with root volume and hidden inputs. */
import { type Finding, findingAt, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { KUBELET_SETTINGS } from "../model/ec2/kubelet.ts";
import type { OpenshiftEC2NodeClassSpec } from "../model/node-classes/openshift-ec2-node-class.ts";
import { marks } from "../model/objects/marks.ts";
import { formatGoDuration, parseGoDuration } from "../model/values/go-duration.ts";
import { amisOf, type ResolvedInputs } from "../resolve/inputs.ts";
import type { Origin, RenderedObject, Sourced } from "../resolve/origin.ts";
import type { NodeClassWrapper } from "../resolve/read-node-class.ts";
import type { ReadWrapper } from "../resolve/resolved-cluster.ts";
import { renderBlockDevices } from "./block-devices.ts";
import { CAPACITY_RESERVATION_TERM, METADATA_OPTIONS, MONITORING, PUBLIC_IP, toKarpenter } from "./spelled-fields.ts";
import { renderTags } from "./tags.ts";

/** Undefined if the wrapper is invalid. See docs/design.md#ec2nodeclasses. */
export function renderEC2NodeClass(
  read: ReadWrapper<NodeClassWrapper>,
  inputs: ResolvedInputs,
): Outcome<RenderedObject | undefined> {
  const { wrapper } = read;
  if (read.value === undefined) return { value: undefined, findings: read.findings };
  const { spec } = read.value;
  const hidden = hiddenFields(wrapper, inputs);
  const devices = renderBlockDevices(read.value, inputs);
  const tags = renderTags(read.value, inputs.hidden.resourceTags);
  const kubelet = renderKubelet(read.value);
  const terms = selectorTerms(spec, inputs.hidden.infraID);
  const parts = [devices, tags, kubelet];
  const rendered = {
    amiFamily: "Custom",
    ...hidden.value,
    ...toKarpenter([PUBLIC_IP], spec),
    ...terms.value,
    tags: tags.value.tags,
    blockDeviceMappings: devices.value.mappings,
    instanceStorePolicy: spec.instanceStorePolicy,
    ...toKarpenter([MONITORING], spec),
    metadataOptions: metadataOptions(spec.metadataOptions),
    kubelet: kubelet.value,
  };
  const { name } = wrapper;
  const object = {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name, ...marks(wrapper.kind, name) },
    spec: Object.fromEntries(Object.entries(rendered).filter(([, value]) => value !== undefined)),
  };
  const missing = [...terms.missing, ...hidden.missing];
  const findings: Finding[] = [...read.findings, ...parts.flatMap((part) => part.findings)];
  if (missing.length > 0 && !inputs.settings.inferred) findings.push(missingInputs(wrapper, missing));
  const origins: Origin[] = [
    { output: ["metadata", "name"], input: { resource: wrapper, path: ["metadata", "name"] } },
    ...fieldOrigins(read.value),
    ...terms.origins,
    ...hidden.origins,
    ...devices.value.origins,
    ...tags.value.origins,
  ];
  return { value: hasErrors(findings) ? undefined : { object, wrapper, origins }, findings };
}

const COPIED = [
  "subnetSelectorTerms",
  "securityGroupSelectorTerms",
  "capacityReservationSelectorTerms",
  "instanceStorePolicy",
  "metadataOptions",
  "kubelet",
] as const;

function fieldOrigins(wrapper: NodeClassWrapper): Origin[] {
  const copied = COPIED.map((field) => ({ output: ["spec", field], input: wrapper.placeOf([field]) }));
  const spelled = [PUBLIC_IP, MONITORING].map((field) => ({
    output: ["spec", field.karpenter],
    input: wrapper.placeOf([field.wrapper]),
  }));
  const options = METADATA_OPTIONS.map((field) => ({
    output: ["spec", "metadataOptions", field.karpenter],
    input: wrapper.placeOf(["metadataOptions", field.wrapper]),
  }));
  return [...copied, ...spelled, ...options];
}

interface HiddenFields {
  readonly value: Record<string, unknown>;
  readonly origins: readonly Origin[];
  readonly missing: readonly string[];
}

/** AMIs, user data and instance profile, in the order amd64, arm64. */
function hiddenFields(wrapper: Resource, { hidden, settings }: ResolvedInputs): HiddenFields {
  const origins: Origin[] = [];
  const missing: string[] = [];
  const amis = amisOf(wrapper.name, { hidden, settings });
  amis.forEach(({ ami: { from } }, index) =>
    origins.push({ output: ["spec", "amiSelectorTerms", index], input: from, whole: true }),
  );
  if (amis.length === 0) missing.push("AMIs");
  const userData = hidden.secrets.get(wrapper.name)?.userData;
  if (userData === undefined) missing.push("userData");
  else if (settings.includeUserData) origins.push({ output: ["spec", "userData"], input: userData.from, whole: true });
  const profile = hidden.instanceProfile;
  if (profile !== undefined) origins.push({ output: ["spec", "instanceProfile"], input: profile.from, whole: true });
  const value = {
    amiSelectorTerms: amis.length === 0 ? undefined : amis.map(({ ami }) => ({ id: ami.value })),
    userData: settings.includeUserData ? userData?.value : undefined,
    instanceProfile: profile?.value,
  };
  return { value, origins, missing };
}

function missingInputs(wrapper: Resource, missing: readonly string[]): Finding {
  const message = `${describeResource(wrapper)}: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not among the inputs and omitted`;
  const hint =
    "add the HostedControlPlane and the user-data Secret, or set RenderConfig.spec.hostedCluster (infraID, amis)";
  return findingAt("hidden-inputs-missing", wrapper, ["metadata", "name"], { message, hint });
}

type Spec = OpenshiftEC2NodeClassSpec;

/** Only the keys that are set: the API server sets the other defaults. */
function metadataOptions(given: Spec["metadataOptions"]): Record<string, unknown> | undefined {
  const options = toKarpenter(METADATA_OPTIONS, given ?? {});
  return Object.keys(options).length === 0 ? undefined : options;
}

interface SelectorTerms {
  readonly value: Record<string, unknown>;
  readonly origins: readonly Origin[];
  /** Inputs that a default needs but that are missing. */
  readonly missing: readonly string[];
}

/**
 * Subnets and security groups default to those with the cluster's tags. See docs/upstream/hypershift.md#ec2nodeclass.
 */
function selectorTerms(spec: Spec, infraID: Sourced<string> | undefined): SelectorTerms {
  const origins: Origin[] = [];
  const orDefault = (field: string, given: unknown, tags: (infraID: string) => Record<string, string>): unknown => {
    if (given !== undefined || infraID === undefined) return given;
    origins.push({ output: ["spec", field], input: infraID.from, whole: true });
    return [{ tags: tags(infraID.value) }];
  };
  const needed = spec.subnetSelectorTerms === undefined || spec.securityGroupSelectorTerms === undefined;
  const value = {
    subnetSelectorTerms: orDefault("subnetSelectorTerms", spec.subnetSelectorTerms, (id) => ({
      "kubernetes.io/role/internal-elb": "1",
      [`kubernetes.io/cluster/${id}`]: "*",
    })),
    securityGroupSelectorTerms: orDefault("securityGroupSelectorTerms", spec.securityGroupSelectorTerms, (id) => ({
      "karpenter.sh/discovery": id,
    })),
    capacityReservationSelectorTerms: spec.capacityReservationSelectorTerms?.map((term) =>
      toKarpenter(CAPACITY_RESERVATION_TERM, term),
    ),
  };
  return {
    value,
    origins,
    missing: needed && infraID === undefined ? ["infraID (for the subnets and security groups)"] : [],
  };
}

/** The wrapper has no field for the cluster's DNS servers. */
const TYPED = KUBELET_SETTINGS.filter((field) => field !== "clusterDNS");

/**
 * Undefined unless a typed field is set. Karpenter gets the typed fields, HyperShift's own KubeletConfig the others
 * (docs/upstream/hypershift.md#kubelet-settings).
 */
function renderKubelet(nodeClass: NodeClassWrapper): Outcome<Record<string, unknown> | undefined> {
  const given = nodeClass.spec.kubelet;
  if (given === undefined) return { value: undefined, findings: [] };
  const findings: Finding[] = [];
  const value: Record<string, unknown> = {};
  for (const field of TYPED) {
    if (given[field] === undefined) continue;
    value[field] = field === "evictionSoftGracePeriod" ? gracePeriods(nodeClass, given[field], findings) : given[field];
  }
  const others = Object.keys(given).filter((field) => !(TYPED as readonly string[]).includes(field));
  for (const field of others) {
    const { resource, path } = nodeClass.placeOf(["kubelet", field]);
    const message = `${describeResource(resource)}: kubelet.${field} is not part of Karpenter's EC2NodeClass; HyperShift sets it with a KubeletConfig`;
    findings.push(findingAt("kubelet-field-not-rendered", resource, path, { message }));
  }
  return { value: Object.keys(value).length === 0 ? undefined : value, findings };
}

/** Formatted as in Go, as HyperShift's operator does. */
function gracePeriods(
  nodeClass: NodeClassWrapper,
  given: Readonly<Record<string, string>>,
  findings: Finding[],
): Record<string, string> {
  const value: Record<string, string> = {};
  for (const [signal, text] of Object.entries(given)) {
    const duration = parseGoDuration(text);
    if (duration !== undefined) {
      value[signal] = formatGoDuration(duration);
      continue;
    }
    const { resource, path } = nodeClass.placeOf(["kubelet", "evictionSoftGracePeriod", signal]);
    const message = `${describeResource(resource)}: the grace period "${text}" of ${signal} is not a duration; HyperShift drops it, and Karpenter then refuses the class`;
    findings.push(findingAt("kubelet-duration-invalid", resource, path, { message, hint: "write it as 90s or 1m30s" }));
  }
  return value;
}
