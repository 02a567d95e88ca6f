/** OpenshiftEC2NodeClass to EC2NodeClass: the wrapper, the policy's root volume and the hidden inputs (DESIGN.md 3.3, hypershift.md 2). */
import { type Finding, findingAt, hasErrors, type Outcome } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { marks } from "../model/marks.ts";
import { renderBlockDevices } from "./block-devices.ts";
import { renderKubelet } from "./kubelet.ts";
import { METADATA_OPTIONS, metadataOptions, selectorTerms } from "./node-class-fields.ts";
import type { Origin, RenderedObject, Sourced } from "./origin.ts";
import { type NodeClassWrapper, readNodeClass } from "./read-node-class.ts";
import type { RenderContext } from "./render-context.ts";
import { renderTags } from "./tags.ts";

/** Undefined when the wrapper is invalid. */
export function renderEC2NodeClass(wrapper: Resource, context: RenderContext): Outcome<RenderedObject | undefined> {
  const read = readNodeClass(wrapper);
  if (read.value === undefined) return { value: undefined, findings: read.findings };
  const { spec } = read.value;
  const hidden = hiddenFields(wrapper, context);
  const devices = renderBlockDevices(read.value, context);
  const tags = renderTags(read.value, context.hidden.resourceTags);
  const kubelet = renderKubelet(read.value);
  const terms = selectorTerms(spec, context.hidden.infraID);
  const parts = [devices, tags, kubelet];
  const rendered = {
    amiFamily: "Custom",
    ...hidden.value,
    associatePublicIPAddress: choose(spec.ipAddressAssociation, "Public"),
    ...terms.value,
    tags: tags.value.tags,
    blockDeviceMappings: devices.value.mappings,
    instanceStorePolicy: spec.instanceStorePolicy,
    detailedMonitoring: choose(spec.monitoring, "Detailed"),
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
  if (missing.length > 0) findings.push(missingInputs(wrapper, missing));
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

/** An enum of two to the boolean Karpenter wants; unset stays unset. */
function choose(value: string | undefined, yes: string): boolean | undefined {
  return value === undefined ? undefined : value === yes;
}

/** Karpenter's field names where they are not the wrapper's own. */
const RENAMED: Readonly<Record<string, string>> = {
  associatePublicIPAddress: "ipAddressAssociation",
  detailedMonitoring: "monitoring",
};

const COPIED = [
  "associatePublicIPAddress",
  "detailedMonitoring",
  "subnetSelectorTerms",
  "securityGroupSelectorTerms",
  "capacityReservationSelectorTerms",
  "instanceStorePolicy",
  "metadataOptions",
  "kubelet",
] as const;

function fieldOrigins(wrapper: NodeClassWrapper): Origin[] {
  const copied = COPIED.map((field) => ({
    output: ["spec", field],
    input: wrapper.placeOf([RENAMED[field] ?? field]),
  }));
  const options = Object.entries(METADATA_OPTIONS).map(([field, given]) => ({
    output: ["spec", "metadataOptions", field],
    input: wrapper.placeOf(["metadataOptions", given]),
  }));
  return [...copied, ...options];
}

interface HiddenFields {
  readonly value: Record<string, unknown>;
  readonly origins: readonly Origin[];
  readonly missing: readonly string[];
}

/** AMIs, user data and instance profile, in the order amd64, arm64. */
function hiddenFields(wrapper: Resource, { hidden, settings }: RenderContext): HiddenFields {
  const secret = hidden.secrets.get(wrapper.name);
  const configured = settings.config.hostedCluster?.amis;
  const origins: Origin[] = [];
  const missing: string[] = [];
  const ami = (arch: "amd64" | "arm64"): Sourced<string> | undefined => {
    if (secret !== undefined) return secret.amis[arch];
    const value = configured?.[arch];
    if (value === undefined || settings.resource === undefined) return undefined;
    return { value, from: { resource: settings.resource, path: ["spec", "hostedCluster", "amis", arch] } };
  };
  const amis = [ami("amd64"), ami("arm64")].filter((found) => found !== undefined);
  amis.forEach(({ from }, index) =>
    origins.push({ output: ["spec", "amiSelectorTerms", index], input: from, whole: true }),
  );
  if (amis.length === 0) missing.push("AMIs");
  const userData = secret?.userData;
  if (userData === undefined) missing.push("userData");
  else if (settings.includeUserData) origins.push({ output: ["spec", "userData"], input: userData.from, whole: true });
  const profile = hidden.instanceProfile;
  if (profile !== undefined) origins.push({ output: ["spec", "instanceProfile"], input: profile.from, whole: true });
  const value = {
    amiSelectorTerms: amis.length === 0 ? undefined : amis.map((found) => ({ id: found.value })),
    userData: settings.includeUserData ? userData?.value : undefined,
    instanceProfile: profile?.value,
  };
  return { value, origins, missing };
}

function missingInputs(wrapper: Resource, missing: readonly string[]): Finding {
  const message = `${describeResource(wrapper)}: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not among the inputs and left out`;
  const hint =
    "add the HostedControlPlane and the user-data Secret, or set RenderConfig.spec.hostedCluster (infraID, amis)";
  return findingAt("hidden-inputs-missing", wrapper, ["metadata", "name"], { message, hint });
}
