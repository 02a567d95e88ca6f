/** Combines the settings of a hosted cluster: flags, then its RenderConfig, then defaults. */
import type { Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { memoizeByObject } from "../model/schema/memoize.ts";
import type { Profile } from "../model/crds/profile.ts";
import {
  type GivenKarpenter,
  karpenterAmong,
  karpenterOptions,
  type KarpenterOptions,
} from "../model/settings/karpenter-options.ts";
import { renderConfigSchema, type RenderConfigSpec } from "../model/settings/render-config.ts";
import type { RootVolume } from "../model/policy/root-volume.ts";
import { type Given, settled, type Settled } from "../model/settings/settings.ts";
import { validate } from "../model/schema/validate.ts";
import type { Place, Sourced } from "./origin.ts";

/** Settings of the command line. */
export interface RenderOptions extends Given<"renderConfig"> {
  /** `--feature-gates AutoNode=…`; off renders nothing. */
  readonly autoNode?: boolean | undefined;
  /** Rules are read only from directories given by the user (`--policy-dir`). */
  readonly rulesTrusted?: boolean | undefined;
  /** Writes the user data of the Secret into the node classes; it contains a token. */
  readonly includeUserData?: boolean | undefined;
  /**
   * Whether the mode was inferred from the input: HyperShift as it ships, with raw NodePools. Nothing is rendered for a
   * cluster then, so there are no admission policies and no records.
   */
  readonly inferred?: boolean | undefined;
  /** `--karpenter-gates`. */
  readonly karpenterGates?: GivenKarpenter["featureGates"];
  /** The input, for the options in manifests of Karpenter itself; none with `rulesTrusted`. */
  readonly among?: readonly Resource[] | undefined;
}

export interface Settings extends Settled<"renderConfig"> {
  readonly config: RenderConfigSpec;
  readonly resource: Resource | undefined;
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** The RenderConfig's root volume, used without a policy's; the rest is built in. */
  readonly rootVolume: Sourced<RootVolume> | undefined;
  readonly renderNodeClasses: boolean;
  /** The users that Karpenter creates NodeClaims as. If undefined, any user may create them. */
  readonly karpenterUsers: readonly string[] | undefined;
  readonly includeUserData: boolean;
  readonly inferred: boolean;
  /** For answers about nodes. Rendering, guards and proofs do not depend on it. */
  readonly karpenter: KarpenterOptions;
}

/** The DaemonSet of the global pull secret selects this label (docs/upstream/hypershift.md#node-labels). */
const DEFAULT_NODE_LABELS = { "hypershift.openshift.io/nodepool-globalps-enabled": "true" };

/**
 * HyperShift's Karpenter uses the kubeconfig of the Secret `<infraID>-kubeconfig`; the user of other Karpenters is
 * unknown.
 */
export const KARPENTER_USERS: Readonly<Record<Profile, readonly string[] | undefined>> = {
  hypershift: ["system:admin"],
  "karpenter-1.14": undefined,
  "karpenter-1.15": undefined,
};

const readConfig = memoizeByObject((resource: Resource) => {
  const code = "render-config-invalid";
  const { value, findings } = validate(renderConfigSchema(), resource, { code, unknownField: code, nullIsWrong: true });
  return { value: value === undefined ? undefined : (value.spec ?? {}), findings };
});

/** The RenderConfig of a hosted cluster, without flags. Undefined if invalid. */
export function configOf({ renderConfig }: Pick<Bundle, "renderConfig">): Outcome<RenderConfigSpec | undefined> {
  return renderConfig === undefined ? { value: {}, findings: [] } : readConfig(renderConfig);
}

/** Undefined if the RenderConfig is invalid: nothing can be rendered by unknown rules. */
export function settingsOf(
  bundle: Pick<Bundle, "renderConfig"> & Partial<Pick<Bundle, "hostedCluster">>,
  options: RenderOptions,
): Outcome<Settings | undefined> {
  const { renderConfig: resource, hostedCluster } = bundle;
  const { value: config, findings } = configOf(bundle);
  if (config === undefined) return { value: undefined, findings };
  const given = config.rootVolume;
  const rendering = settled("renderConfig", options, config);
  const value: Settings = {
    config,
    resource,
    ...rendering,
    nodeLabels: config.nodeLabels ?? DEFAULT_NODE_LABELS,
    rootVolume:
      given === undefined || resource === undefined
        ? undefined
        : { value: given, from: { resource, path: ["spec", "rootVolume"] } },
    karpenterUsers: config.admission?.karpenterUsers ?? KARPENTER_USERS[rendering.profile],
    renderNodeClasses: (config.ec2NodeClasses ?? "Render") === "Render",
    includeUserData: options.includeUserData ?? false,
    inferred: options.inferred ?? false,
    karpenter: karpenterOf(rendering.profile, options, config.karpenter, hostedCluster),
  };
  return { value, findings };
}

/** Flags, then the RenderConfig, then Karpenter's own manifests among the inputs, then its defaults. */
export function karpenterOf(
  profile: Profile,
  { karpenterGates, among = [], rulesTrusted = false }: RenderOptions,
  config?: GivenKarpenter,
  hostedCluster?: string,
): KarpenterOptions {
  const found = rulesTrusted ? undefined : karpenterAmong(among, hostedCluster);
  return karpenterOptions(profile, [{ featureGates: karpenterGates }, config, found], among);
}

/** Where the RenderConfig sets the node label; undefined for labels of a wrapper and built-in ones. */
export function placeOfNodeLabel({ resource, config }: Settings, key: string): Place | undefined {
  const { nodeLabels } = config;
  const isSet = resource !== undefined && nodeLabels !== undefined && Object.hasOwn(nodeLabels, key);
  return isSet ? { resource, path: ["spec", "nodeLabels", key] } : undefined;
}
