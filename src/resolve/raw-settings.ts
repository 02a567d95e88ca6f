/** Defines inputs for raw Karpenter objects: no RenderConfig, and nothing is rendered. */
import type { Bundle } from "../model/bundle.ts";
import { type Profile, RAW_PROFILE } from "../model/profile.ts";
import type { RawObjects } from "../model/raw-objects.ts";
import type { ResolvedInputs } from "./inputs.ts";
import { NO_POLICY } from "./policy.ts";
import { decideRootVolume } from "./root-volume.ts";
import type { Settings } from "./settings.ts";

export function rawInputs(profile: Profile = RAW_PROFILE): ResolvedInputs {
  const settings: Settings = {
    config: {},
    resource: undefined,
    profile,
    requirePolicy: false,
    onBypass: "Fail",
    nodeLabels: {},
    rootVolume: undefined,
    renderNodeClasses: false,
    karpenterUsers: undefined,
    includeUserData: false,
  };
  const hidden = { infraID: undefined, instanceProfile: undefined, resourceTags: undefined, secrets: new Map() };
  return { settings, policy: NO_POLICY, hidden, rootVolume: decideRootVolume({ policy: NO_POLICY, settings }) };
}

export function rawBundle({ nodePools, nodeClasses }: Pick<RawObjects, "nodePools" | "nodeClasses">): Bundle {
  return {
    hostedCluster: undefined,
    policy: undefined,
    renderConfig: undefined,
    hostedControlPlane: undefined,
    hostedClusterObject: undefined,
    userDataSecrets: new Map(),
    nodePools,
    nodeClasses,
    earlierOutput: [],
    operatorOutput: [],
    findings: [],
  };
}
