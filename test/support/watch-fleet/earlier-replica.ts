/** A replica as versions with worker threads were: its Leases and how it wrote them, without the work. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import { ADMIN } from "../watch/rig.ts";

/** As one of those versions left them in an API server. */
const MEMBER = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: {
    name: "anp-watch.member.vm-1c0de5a9",
    labels: {
      "anp.hypershift.openshift.io/watch": "anp-watch",
      "anp.hypershift.openshift.io/shards": "8",
      "anp.hypershift.openshift.io/shard-range": "0-7",
    },
  },
  spec: {
    holderIdentity: "vm-1c0de5a9",
    leaseDurationSeconds: 15,
    acquireTime: "2026-11-25T15:00:00.000000Z",
    renewTime: "2026-11-25T15:00:00.000000Z",
    leaseTransitions: 0,
  },
} as const;

export const EARLIER_LABELS = MEMBER.metadata.labels;
export const EARLIER = MEMBER.spec.holderIdentity;

interface Lease {
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

export interface EarlierReplica {
  /** From now on it renews its Lease. */
  readonly begin: () => Promise<void>;
  /** Takes a shard from any holder: the Lease as it was read, with another record. */
  readonly take: (shard: number) => Promise<void>;
  readonly giveBack: (shard: number) => Promise<void>;
  /** Nothing more is renewed, and nothing given back. */
  readonly crash: () => void;
}

const RENEW_MS = 2000;

export function earlierReplica(management: ControlPlane, namespace: string): EarlierReplica {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  let renewing: NodeJS.Timeout | undefined;
  const now = () => new Date().toISOString().replace("Z", "000Z");
  const write = async (name: string, labels: object, spec: object): Promise<void> => {
    const there = await management.request(ADMIN, "GET", `${leases}/${name}`);
    const made = { ...MEMBER, metadata: { name, labels }, spec: { ...MEMBER.spec, ...spec, renewTime: now() } };
    const before = there.body as unknown as Lease;
    const { status } =
      there.status === 404
        ? await management.request(ADMIN, "POST", leases, made)
        : await management.request(ADMIN, "PUT", `${leases}/${name}`, {
            ...before,
            spec: { ...before.spec, ...made.spec },
          });
    if (status >= 300) throw new Error(`${name}: ${status}`);
  };
  const renew = (): Promise<void> => write(MEMBER.metadata.name, EARLIER_LABELS, {});
  const ofShard = (shard: number, holderIdentity: string): Promise<void> =>
    write(`anp-watch.shard.${shard}`, { "anp.hypershift.openshift.io/watch": "anp-watch" }, { holderIdentity });
  return {
    begin: async () => {
      await renew();
      renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
    },
    take: (shard) => ofShard(shard, EARLIER),
    giveBack: (shard) => ofShard(shard, ""),
    crash: () => clearInterval(renewing),
  };
}
