/** Pods without topology constraints over zones, if nothing says which zones there are. */
import { ZONE } from "../../model/requirements/label-keys.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { isFields } from "../../krm/values/fields.ts";

/** The same pod if it has none. */
export function withoutZones(pod: PodDemand): PodDemand {
  const { topologySpreadConstraints: spread = [], affinity } = pod.spec;
  const isZone = (value: unknown): boolean =>
    textAt(value, ["topologyKey"]) === ZONE || textAt(value, ["podAffinityTerm", "topologyKey"]) === ZONE;
  const others = (terms: unknown): unknown =>
    isFields(terms)
      ? Object.fromEntries(
          Object.entries(terms).map(([field, list]) => [
            field,
            Array.isArray(list) ? list.filter((one) => !isZone(one)) : list,
          ]),
        )
      : terms;
  const [podAffinity, podAntiAffinity] = [affinity?.podAffinity, affinity?.podAntiAffinity];
  const isAsking = [
    spread,
    ...[podAffinity, podAntiAffinity].flatMap((one) => (isFields(one) ? Object.values(one) : [])),
  ].some((list) => Array.isArray(list) && list.some(isZone));
  if (!isAsking) return pod;
  const left = { ...affinity, podAffinity: others(podAffinity), podAntiAffinity: others(podAntiAffinity) };
  return {
    ...pod,
    spec: { ...pod.spec, topologySpreadConstraints: spread.filter((one) => !isZone(one)), affinity: left },
  };
}
