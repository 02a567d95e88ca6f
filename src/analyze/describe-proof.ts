/** A proof as plain data for reports: requirements in Karpenter's print form, places as file and line. */
import { formatRequirement } from "../karpenter/requirement.ts";
import { type FileLine, fileLineOf } from "../krm/location.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import type { KeyProof, Proof } from "./prove.ts";
import type { Way } from "./open-ways.ts";

/** One hosted cluster of `anp check --prove -o json`, schemaVersion 1. */
export interface DescribedProof {
  readonly hostedCluster: string | undefined;
  /** `no-policy`: there is nothing to hold. `open`: a way leads past the policy that nobody has been trusted with. */
  readonly result: "holds" | "guarded" | "open" | "no-policy";
  readonly keys: readonly DescribedKeyProof[];
  readonly admitted: { readonly total: number; readonly compatible: number; readonly names: readonly string[] };
  readonly ways: readonly (Omit<Way, "place"> & Partial<FileLine>)[];
}

export interface DescribedKeyProof extends Pick<KeyProof, "key" | "presence" | "result"> {
  readonly policy: string;
  readonly places: readonly FileLine[];
  readonly escape?: {
    readonly entry: NodeSelectorRequirement;
    readonly effective: string;
    readonly types: number;
    readonly names: readonly string[];
  };
}

export function describeProof({ hostedCluster, policy, ways }: Proof): DescribedProof {
  const keys = policy?.keys.map(describeKey) ?? [];
  const names = policy?.admitted.names ?? [];
  return {
    hostedCluster,
    result: resultOf(policy !== undefined, keys, ways),
    keys,
    admitted: { total: policy?.admitted.total ?? 0, compatible: names.length, names },
    ways: ways.map(({ place, ...way }) => ({
      ...way,
      ...(place === undefined ? {} : fileLineOf(place.resource, place.path)),
    })),
  };
}

function resultOf(policy: boolean, keys: readonly DescribedKeyProof[], ways: readonly Way[]): DescribedProof["result"] {
  if (!policy) return "no-policy";
  if (ways.some(({ who }) => who === "open") || keys.some(({ result }) => result === "void")) return "open";
  return keys.some(({ result }) => result === "guarded") ? "guarded" : "holds";
}

function describeKey({ key, presence, demands, policy, result, escape }: KeyProof): DescribedKeyProof {
  const places = demands.map(({ place }) => fileLineOf(place.resource, place.path));
  const base = { key, presence, result, policy: formatRequirement(policy), places };
  if (escape === undefined) return base;
  const { entry, effective, types } = escape;
  return { ...base, escape: { entry, effective, types: types.length, names: types } };
}
