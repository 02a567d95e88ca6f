/** The instance types of a catalogue that apply to a cluster, its provider and its profile. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { typesOfProfile } from "../../karpenter/catalogue/openshift-resources.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { memoize, memoizeByKey } from "../../model/schema/memoize.ts";
import type { InstanceTypes } from "./remaining-types.ts";
import { unknownTypes } from "./unknown-types.ts";

export type KnownInstanceTypes = Omit<InstanceTypes, "profile">;

interface Asked {
  readonly mode: InputMode;
  readonly provider: Provider;
  readonly profile: Profile;
}

/** Shared by all clusters with the same catalogue. The pools of a hosted cluster are all of one provider. */
export function knownInstanceTypes(catalogue: Catalogue): (asked: Asked) => KnownInstanceTypes {
  const ofProfile = memoizeByKey((profile: Profile) => {
    const offered = (types: Catalogue): KnownInstanceTypes => ({
      filter: offeredTypes(typesOfProfile(types, profile)),
    });
    const hosted = memoize(() => offered(catalogue));
    const raw = memoizeByKey((provider: Provider): KnownInstanceTypes => {
      const types = provider.typesOf(catalogue);
      if (types !== undefined) return offered(types);
      // The types of this provider are unknown: one type without labels represents all.
      return { filter: typeFilter(unknownTypes(provider.labels)), typesUnknown: true };
    });
    return { hosted, raw };
  });
  return ({ mode, provider, profile }) => {
    const { hosted, raw } = ofProfile(profile);
    return mode === "raw" ? raw(provider) : hosted();
  };
}
