/** A proof as plain data for reports. */
import type { DescribedKeyProof, DescribedProof } from "./check-answer.ts";
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { type FileLine, fileLineOf } from "../../krm/places/location.ts";
import type { Place } from "../../resolve/origin.ts";
import type { BypassPath } from "./bypass-paths.ts";
import type { KeyProof } from "./key-proof.ts";
import type { Proof } from "./prove.ts";

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

function resultOf(
  policy: boolean,
  keys: readonly DescribedKeyProof[],
  ways: readonly BypassPath[],
): DescribedProof["result"] {
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
