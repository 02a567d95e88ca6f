/** How a hosted cluster is to be rendered: flags over its RenderConfig over the defaults. */
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import type { Bundle } from "../model/bundle.ts";
import { DEFAULT_PROFILE, type Profile } from "../model/profile.ts";
import { renderConfigSchema, type RenderConfigSpec } from "../model/render-config.ts";
import type { RootVolume } from "../model/root-volume.ts";
import { validate } from "../model/validate.ts";
import type { Sourced } from "./origin.ts";

/** What the command line decides. */
export interface RenderOptions {
  readonly profile?: Profile | undefined;
  readonly requirePolicy?: boolean | undefined;
  readonly onBypass?: "Fail" | "Block" | undefined;
  /** `--feature-gates AutoNode=…`; off renders nothing. */
  readonly autoNode?: boolean | undefined;
  /** Writes the user data of the Secret into the node classes: it is a secret. */
  readonly includeUserData?: boolean | undefined;
}

export interface Settings {
  readonly config: RenderConfigSpec;
  readonly resource: Resource | undefined;
  readonly profile: Profile;
  readonly requirePolicy: boolean;
  readonly onBypass: "Fail" | "Block";
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** What the RenderConfig sets of the root volume, where no policy does; the rest is built in. */
  readonly rootVolume: Sourced<RootVolume> | undefined;
  readonly renderNodeClasses: boolean;
  readonly includeUserData: boolean;
}

/** Selected on by the global pull secret's DaemonSet (hypershift.md 4). */
const DEFAULT_NODE_LABELS = { "hypershift.openshift.io/nodepool-globalps-enabled": "true" };

/** Undefined when the RenderConfig is invalid: nothing can be rendered by rules that nobody can read. */
export function settingsOf(bundle: Bundle, options: RenderOptions): Outcome<Settings | undefined> {
  const resource = bundle.renderConfig;
  const findings: Finding[] = [];
  let config: RenderConfigSpec = {};
  if (resource !== undefined) {
    const code = "render-config-invalid";
    const outcome = validate(renderConfigSchema(), resource, { code, unknownField: code, nullIsWrong: true });
    if (outcome.value === undefined) return { value: undefined, findings: outcome.findings };
    findings.push(...outcome.findings);
    config = outcome.value.spec ?? {};
  }
  const given = config.rootVolume;
  const value: Settings = {
    config,
    resource,
    profile: options.profile ?? config.profile ?? DEFAULT_PROFILE,
    requirePolicy: options.requirePolicy ?? config.requirePolicy ?? false,
    onBypass: options.onBypass ?? config.onBypass ?? "Fail",
    nodeLabels: config.nodeLabels ?? DEFAULT_NODE_LABELS,
    rootVolume:
      given === undefined || resource === undefined
        ? undefined
        : { value: given, from: { resource, path: ["spec", "rootVolume"] } },
    renderNodeClasses: (config.ec2NodeClasses ?? "Render") === "Render",
    includeUserData: options.includeUserData ?? false,
  };
  return { value, findings };
}
