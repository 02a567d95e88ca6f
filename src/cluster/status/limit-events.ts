/** Events on Hard limits: on a pool's wrapper, or on the NodePool if the wrapper is a file. */
import { nothingAllowed } from "../../analyze/simulate/events.ts";
import { DRIFTED } from "../../karpenter/disruption/drifted-floor.ts";
import { REPLACING_REASONS } from "../../model/disruption-reasons.ts";
import { idOf } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { LimitState, NodeLimitsResult } from "../limits/node-limits.ts";
import { type ObjectEvent, regarding } from "./object-event.ts";

interface LimitFacts {
  readonly limits: NodeLimitsResult;
  readonly wrappers: readonly LiveObject[];
  /** NodePools among them. */
  readonly live: readonly LiveObject[];
}

export function limitEvents({ limits, wrappers, live }: LimitFacts): ObjectEvent[] {
  if (limits.pools.length === 0) return [];
  const byId = new Map([...live, ...wrappers].map((object) => [idOf(object), object]));
  return limits.pools.flatMap((state) => {
    const about = byId.get(`OpenshiftNodePool/${state.pool}`) ?? byId.get(`NodePool/${state.pool}`);
    if (about === undefined) return [];
    return notesOf(state).map((event) => ({ side: "guest", regarding: regarding(about), ...event }));
  });
}

function notesOf({
  limit,
  nodes,
  driftsAnyway,
  deleted,
  kept,
}: LimitState): Pick<ObjectEvent, "type" | "reason" | "note">[] {
  const held = REPLACING_REASONS.filter((reason) => !(driftsAnyway && reason === DRIFTED));
  const blocked =
    nodes === undefined || nodes === 0 || nodes < limit
      ? []
      : held.map((reason) => nothingAllowed(reason, "node hard limit"));
  return [
    // The words of the node-limits RFC (docs/design.md#the-node-limits-rfc).
    ...blocked.map((note) => ({ type: "Normal", reason: "DisruptionBlocked", note }) as const),
    ...deleted.map(({ name, why }) => {
      const note = `NodeClaim ${name} deleted: there are more nodes than the limit of ${limit} (${why})`;
      return { type: "Normal", reason: "NodeLimitExceeded", note } as const;
    }),
    ...kept.map((why) => ({ type: "Warning", reason: "NodeLimitNotKept", note: `limit of ${limit}: ${why}` }) as const),
  ];
}
