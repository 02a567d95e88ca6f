/** A proof as plain data for reports. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { type FileLine, fileLineOf } from "../../krm/location.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import type { Place } from "../../resolve/origin.ts";
import type { Way } from "./open-ways.ts";
import type { Assumption } from "./proof-assumptions.ts";
import type { KeyProof, Proof } from "./prove.ts";
import type { RunningNodes, RunningPool } from "./running-nodes.ts";

/** One hosted cluster of `anp check --prove -o json`, schemaVersion 1. */
export interface DescribedProof {
  readonly hostedCluster: string | undefined;
  /** That it was asked about, where a RenderConfig names one. */
  readonly catalogue?: { readonly source: string; readonly date: string };
  /** `no-policy`: there is nothing to hold. `open`: a way leads past the policy that nobody has been trusted with. */
  readonly result: "holds" | "guarded" | "open" | "no-policy";
  readonly keys: readonly DescribedKeyProof[];
  readonly admitted: { readonly total: number; readonly compatible: number; readonly names: readonly string[] };
  /** How long nodes that run already may stay although they no longer fit; left out where there is no policy. */
  readonly running?: {
    /** What any wrapper may say, so that its nodes stay for ever; null where bounds of the RenderConfig let none. */
    readonly witness: NonNullable<RunningNodes["witness"]> | null;
    /** Those that the RenderConfig sets; left out where it sets none. */
    readonly bounds?: readonly (Omit<RunningNodes["bounds"][number], "place"> & Partial<FileLine>)[];
    /** Of the pool that keeps its nodes longest; null where there are no pools. */
    readonly until: RunningNodes["until"] | null;
    readonly pools: readonly (Omit<RunningPool, "place"> & Partial<FileLine>)[];
  };
  readonly ways: readonly (Omit<Way, "place"> & Partial<FileLine>)[];
  /** None where there is no policy. */
  readonly assumptions: readonly (Omit<Assumption, "place"> & Partial<FileLine>)[];
}

export interface DescribedKeyProof extends Pick<KeyProof, "key" | "presence" | "result"> {
  readonly policy: string;
  readonly places: readonly FileLine[];
  readonly escape?: {
    readonly entry?: NodeSelectorRequirement;
    readonly label?: { readonly key: string; readonly value: string };
    readonly effective: string;
    readonly types: number;
    readonly names: readonly string[];
  };
  /** Of `leaks`: the label that nodes get, null for none, and whether all of them do. */
  readonly nodesGet?: { readonly value: string | null; readonly always: boolean };
}

/** Requirements are in Karpenter's print form, places are file and line. */
export function describeProof({ hostedCluster, policy, running, ways, assumptions }: Proof): DescribedProof {
  const keys = policy?.keys.map(describeKey) ?? [];
  const names = policy?.admitted.names ?? [];
  return {
    hostedCluster,
    result: resultOf(policy !== undefined, keys, ways),
    keys,
    admitted: { total: policy?.admitted.total ?? 0, compatible: names.length, names },
    ...(running === undefined
      ? {}
      : {
          running: {
            witness: running.witness ?? null,
            ...(running.bounds.length === 0 ? {} : { bounds: running.bounds.map(describePlace) }),
            until: running.until ?? null,
            pools: running.pools.map(describePlace),
          },
        }),
    ways: ways.map(describePlace),
    assumptions: assumptions.map(describePlace),
  };
}

function describePlace<T extends { readonly place: Place | undefined }>({
  place,
  ...rest
}: T): Omit<T, "place"> & Partial<FileLine> {
  return { ...rest, ...(place === undefined ? {} : fileLineOf(place.resource, place.path)) };
}

function resultOf(policy: boolean, keys: readonly DescribedKeyProof[], ways: readonly Way[]): DescribedProof["result"] {
  if (!policy) return "no-policy";
  if (ways.some(({ who }) => who === "open") || keys.some(isOpen)) return "open";
  return keys.some(({ result }) => result === "guarded") ? "guarded" : "holds";
}

function isOpen({ result }: DescribedKeyProof): boolean {
  return result === "void" || result === "leaks";
}

function describeKey({ key, presence, demands, policy, result, escape, misfit }: KeyProof): DescribedKeyProof {
  const places = demands.map(({ place }) => fileLineOf(place.resource, place.path));
  const base = { key, presence, result, policy: formatRequirement(policy), places };
  if (misfit !== undefined) return { ...base, nodesGet: { value: misfit.value ?? null, always: misfit.always } };
  if (escape === undefined) return base;
  const { types, ...written } = escape;
  return { ...base, escape: { ...written, types: types.length, names: types } };
}
