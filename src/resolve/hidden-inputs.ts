/** Collects the inputs of a node class that no wrapper contains. */
import { type Finding, findingAt, findingOnInput, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { hostedControlPlaneSchema, INSTANCE_PROFILE_ANNOTATION } from "../model/objects/hosted-control-plane.ts";
import type { ResourceTags } from "../model/settings/resource-tags.ts";
import { validate } from "../model/schema/validate.ts";
import type { Sourced } from "./origin.ts";
import type { Settings } from "./settings.ts";
import { type NodeClassSecret, readUserDataSecret } from "./user-data.ts";

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
