/** The CustomResourceDefinitions that a watch needs, and the kinds that they serve. */
import { type CustomResource, customResourceDefinition } from "../../model/crd.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { memoize, memoizeByKey } from "../../model/memoize.ts";
import { policyResources, wrapperResources } from "../../model/own-kinds.ts";
import { DEFAULT_PROFILE, type Profile } from "../../model/profile.ts";
import type { ServedKind } from "../api/served-kind.ts";

export interface DeclaredCrd {
  readonly side: "guest" | "management";
  readonly definition: KubeObject;
  /** In the version that the watch reads. */
  readonly serves: ServedKind;
  readonly version: string;
}

const ofManagement = memoize(() => policyResources().map((resource) => declared("management", resource)));

const ofGuest = memoizeByKey((profile: Profile) =>
  wrapperResources(profile).map((resource) => declared("guest", resource)),
);

/** The CRDs of `anp crds` without Karpenter's, which HyperShift's operator installs. */
export function declaredCrds(profile: Profile | undefined, hasManagement: boolean): readonly DeclaredCrd[] {
  return [...ofGuest(profile ?? DEFAULT_PROFILE), ...(hasManagement ? ofManagement() : [])];
}

function declared(side: DeclaredCrd["side"], resource: CustomResource): DeclaredCrd {
  const { group, version, kind, plural } = resource;
  return {
    side,
    definition: customResourceDefinition(resource) as unknown as KubeObject,
    serves: { apiVersion: `${group}/${version}`, kind, plural },
    version,
  };
}
