/** What Argo CD's parameter form shows for the hosted clusters of an input. */
import { GUARD_ACTIONS } from "./guard-action.ts";
import { DEFAULT_PATHS } from "./plugin-parameters.ts";
import type { ParameterName } from "./plugin-parameter.ts";
import { DEFAULT_PROFILE, PROFILES } from "./profile.ts";

/** As in Argo CD's reposerver/repository/repository.proto, ParameterAnnouncement. */
interface Announcement {
  readonly name: ParameterName;
  readonly title: string;
  readonly tooltip: string;
  readonly required: boolean;
  readonly itemType: "string" | "boolean";
  readonly collectionType: "string" | "array";
  readonly string?: string;
  readonly array?: readonly string[];
}

/** @param hostedClusters all that the input names, whichever is selected */
export function announceParameters(hostedClusters: readonly string[]): readonly Announcement[] {
  const [only, ...others] = hostedClusters;
  const several = others.length > 0;
  return [
    announce("paths", "Paths", "Files and folders to read, relative to the application's folder.", {
      collectionType: "array",
      array: DEFAULT_PATHS,
    }),
    announce("hosted-cluster", "Hosted cluster", hostedClusterTooltip(hostedClusters), {
      required: several,
      ...(only === undefined || several ? {} : { string: only }),
    }),
    announce("profile", "Karpenter profile", PROFILE_TOOLTIP),
    announce("policy-dir", "Policy directory", POLICY_DIR_TOOLTIP),
    announce("require-policy", "Require a policy", "A missing AutoNodePolicy is an error.", FLAG),
    announce("allow-empty", "Allow no wrappers", ALLOW_EMPTY_TOOLTIP, FLAG),
    announce("guard", "Guard", GUARD_TOOLTIP),
  ];
}

const FLAG = { itemType: "boolean", string: "false" } as const;

const PROFILE_TOOLTIP = `The Karpenter to render for: ${PROFILES.join(", ")}. When left out, the RenderConfig's, else ${DEFAULT_PROFILE}.`;

const POLICY_DIR_TOOLTIP =
  "The only folder that policies and other rules are read from, so that authors of wrappers cannot add a rule.";

const ALLOW_EMPTY_TOOLTIP =
  "Render even if no wrapper was read: with automatic pruning Argo CD then removes every node pool.";

const GUARD_TOOLTIP = `For Karpenter's own NodePools: their manifests, and the guard of the AutoNodePolicy: ${GUARD_ACTIONS.join(", ")}.`;

function hostedClusterTooltip(names: readonly string[]): string {
  return `The hosted control plane's namespace to render for. The input names ${names.join(", ") || "none"}.`;
}

function announce(name: ParameterName, title: string, tooltip: string, more: Partial<Announcement> = {}): Announcement {
  return { name, title, tooltip, required: false, itemType: "string", collectionType: "string", ...more };
}
