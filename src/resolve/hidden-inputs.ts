/** Collects the inputs of a node class that no wrapper contains. */
import { type Finding, findingAt, findingOnInput, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { hostedControlPlaneSchema, INSTANCE_PROFILE_ANNOTATION } from "../model/objects/hosted-control-plane.ts";
import { AMI_LABELS, userDataSecretSchema } from "../model/objects/user-data-secret.ts";
import { validate } from "../model/schema/validate.ts";
import type { ResourceTags } from "../model/settings/render-config.ts";
import type { Sourced } from "./origin.ts";
import type { Settings } from "./settings.ts";

export interface HiddenInputs {
  readonly infraID: Sourced<string> | undefined;
  readonly instanceProfile: Sourced<string> | undefined;
  /** In the platform's order; keys are unique. */
  readonly resourceTags: Sourced<ResourceTags> | undefined;
  /** By the name of the node class. */
  readonly secrets: ReadonlyMap<string, NodeClassSecret>;
}

/**
 * From the hosted cluster's objects and Secrets, else from the RenderConfig. Undefined if an object with these inputs
 * is invalid.
 */
export function hiddenInputsOf(bundle: Bundle, settings: Settings): Outcome<HiddenInputs | undefined> {
  const findings: Finding[] = [];
  const platforms: PlatformInputs[] = [];
  for (const resource of [bundle.hostedControlPlane, bundle.hostedClusterObject]) {
    if (resource === undefined) continue;
    const outcome = platformInputs(resource);
    findings.push(...outcome.findings);
    if (outcome.value !== undefined) platforms.push(outcome.value);
  }
  const configured = configuredInputs(settings);
  const choose = <K extends keyof PlatformInputs>(key: K): PlatformInputs[K] | undefined => {
    const given = platforms.map((platform) => platform[key]).find((value) => value !== undefined);
    const other = configured[key];
    if (given !== undefined && other !== undefined && !same(given.value, other.value))
      findings.push(conflict(key, given, other));
    return given ?? other;
  };
  const value = {
    infraID: choose("infraID"),
    instanceProfile: choose("instanceProfile"),
    resourceTags: choose("resourceTags"),
    secrets: new Map<string, NodeClassSecret>(),
  };
  for (const [nodeClass, secret] of bundle.userDataSecrets) {
    const outcome = readUserDataSecret(secret);
    findings.push(...outcome.findings);
    if (outcome.value !== undefined) value.secrets.set(nodeClass, outcome.value);
  }
  const withheld = bundle.nodeClasses
    .map(({ name }) => name)
    .filter((name) => value.secrets.get(name)?.userData !== undefined);
  if (withheld.length > 0 && !settings.includeUserData && settings.renderNodeClasses) findings.push(leftOut(withheld));
  return { value: findings.some((finding) => finding.code === "context-invalid") ? undefined : value, findings };
}

function leftOut(nodeClasses: readonly string[]): Finding {
  const message = `the user data is left out of the EC2NodeClass${nodeClasses.length === 1 ? "" : "es"} ${nodeClasses.join(", ")}, because it contains a token`;
  const hint = "HyperShift's operator writes it in the cluster; --include-user-data writes it to the standard output";
  return findingOnInput("user-data-left-out", { message, hint });
}

interface PlatformInputs {
  readonly infraID?: Sourced<string> | undefined;
  readonly instanceProfile?: Sourced<string> | undefined;
  readonly resourceTags?: Sourced<ResourceTags> | undefined;
}

function platformInputs(resource: Resource): Outcome<PlatformInputs | undefined> {
  const code = "context-invalid";
  const { value, findings } = validate(hostedControlPlaneSchema, resource, { code, unknownField: code });
  if (value === undefined) return { value: undefined, findings };
  const { infraID, platform } = value.spec;
  const tags = platform?.aws?.resourceTags?.map(({ key, value: text, overridePolicy }) => ({
    key,
    value: text,
    ...(overridePolicy === "Allow" ? { overridePolicy: "Allow" as const } : {}),
  }));
  const profile = value.metadata.annotations?.[INSTANCE_PROFILE_ANNOTATION];
  return {
    value: {
      infraID: sourced(infraID, resource, ["spec", "infraID"]),
      resourceTags: sourced(tags, resource, ["spec", "platform", "aws", "resourceTags"]),
      // The operator takes the annotation only when it is not empty
      // (docs/upstream/hypershift.md#hosted-control-planes).
      instanceProfile: sourced(profile === "" ? undefined : profile, resource, [
        "metadata",
        "annotations",
        INSTANCE_PROFILE_ANNOTATION,
      ]),
    },
    findings,
  };
}

function configuredInputs({ config, resource }: Settings): PlatformInputs {
  const given = config.hostedCluster;
  if (given === undefined || resource === undefined) return {};
  const at = (field: string) => ["spec", "hostedCluster", field];
  return {
    infraID: sourced(given.infraID, resource, at("infraID")),
    instanceProfile: sourced(given.instanceProfile, resource, at("instanceProfile")),
    resourceTags: sourced(given.resourceTags, resource, at("resourceTags")),
  };
}

function sourced<T>(value: T | undefined, resource: Resource, path: readonly string[]): Sourced<T> | undefined {
  return value === undefined ? undefined : { value, from: { resource, path } };
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function conflict(key: string, given: Sourced<unknown>, other: Sourced<unknown>): Finding {
  const { resource, path } = other.from;
  const message = `${describeResource(resource)} and ${describeResource(given.from.resource)} give different values for ${key}`;
  const hint = `${describeResource(given.from.resource)} is used; remove the field from the RenderConfig`;
  return findingAt("hidden-inputs-conflict", resource, path, { message, hint });
}

interface NodeClassSecret {
  readonly amis: { readonly amd64?: Sourced<string> | undefined; readonly arm64?: Sourced<string> | undefined };
  readonly userData: Sourced<string> | undefined;
}

/** Undefined if the Secret is invalid. Findings never quote a value: the ignition contains a token. */
function readUserDataSecret(secret: Resource): Outcome<NodeClassSecret | undefined> {
  const outcome = validate(userDataSecretSchema, secret, { code: "context-invalid", unknownField: "context-invalid" });
  if (outcome.value === undefined) return { value: undefined, findings: outcome.findings.map(withoutValues(secret)) };
  const { metadata, data, stringData } = outcome.value;
  const ami = (arch: keyof typeof AMI_LABELS): Sourced<string> | undefined => {
    const value = metadata.labels?.[AMI_LABELS[arch]];
    const path = ["metadata", "labels", AMI_LABELS[arch]];
    return value === undefined || value === "" ? undefined : { value, from: { resource: secret, path } };
  };
  const amis = { amd64: ami("amd64"), arm64: ami("arm64") };
  if (amis.amd64 === undefined && amis.arm64 === undefined) {
    const message = `${describeResource(secret)} names no AMI, so no node can start from it`;
    const hint = `add the label ${AMI_LABELS.amd64} or ${AMI_LABELS.arm64}`;
    return {
      value: undefined,
      findings: [findingAt("secret-without-ami", secret, ["metadata", "labels"], { message, hint })],
    };
  }
  const decoded = data?.value === undefined ? undefined : decodeBase64(data.value);
  // stringData takes precedence over data on the API server.
  const text = stringData?.value ?? decoded;
  const path = stringData?.value === undefined ? ["data", "value"] : ["stringData", "value"];
  return {
    value: { amis, userData: text === undefined ? undefined : { value: text, from: { resource: secret, path } } },
    findings: [],
  };
}

function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/** Removes the hint too, which may quote the value. */
function withoutValues(secret: Resource) {
  return ({ hint: _quotes, ...finding }: Finding): Finding => ({
    ...finding,
    message: `${describeResource(secret)}: \`${finding.field ?? ""}\` cannot be used (its value is not shown, because it may be secret)`,
  });
}
