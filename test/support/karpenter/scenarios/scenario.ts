/** Defines a scenario: a policy, pools, pods for these pools only, and Karpenter's expected behaviour. */
import { CLUSTER } from "../../go/programs.ts";

export interface Entry {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" | "Gte" | "Lte";
  readonly values?: readonly string[];
  readonly minValues?: number;
}

export interface Scenario {
  /** Also the value of the taint that excludes pods of other scenarios. */
  readonly name: string;
  readonly policy: readonly Entry[];
  readonly pools: readonly PoolOf[];
  readonly pods: readonly PodOf[];
  /** Requests on each node of a DaemonSet that tolerates the scenario's taint. */
  readonly daemonRequests?: Readonly<Record<string, string>>;
  /** anp refuses to render such a pool; without anp it would look like this. */
  readonly bypassed?: true;
  /** Rendered with `onBypass: Block`. */
  readonly blocked?: true;
  /** Its nodes drift as soon as they are registered. */
  readonly drifts?: true;
}

export interface PoolOf {
  readonly name: string;
  readonly requirements: readonly Entry[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly weight?: number;
  /** In addition to the scenario's own. */
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

export interface PodOf {
  readonly name: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Required node affinity: one of these terms must be met. */
  readonly terms?: readonly (readonly Entry[])[];
  /** Preferred node affinity, all of equal weight. */
  readonly prefers?: readonly (readonly Entry[])[];
  /** In addition to the CPU that identifies its NodeClaim. */
  readonly requests?: Readonly<Record<string, string>>;
  /** Requests of an init container. */
  readonly initRequests?: Readonly<Record<string, string>>;
  /** In addition to its own scenario's taint. */
  readonly tolerations?: readonly object[];
  readonly gets: Expected;
}

/** The pool of the pod, and the number of instance types for it. */
type Expected = { readonly pool: string; readonly types: number } | "nothing";

/** Up to 1.14 Karpenter counts for minValues what a requirement does not allow, such as zones that the policy excludes. */
export const COUNTS_LOST_VALUES = CLUSTER.karpenter === "1.14";

export const KEYS = {
  type: "node.kubernetes.io/instance-type",
  arch: "kubernetes.io/arch",
  os: "kubernetes.io/os",
  zone: "topology.kubernetes.io/zone",
  region: "topology.kubernetes.io/region",
  capacity: "karpenter.sh/capacity-type",
  cpu: "karpenter.k8s.aws/instance-cpu",
  category: "karpenter.k8s.aws/instance-category",
  /** The only label here that most instance types lack. */
  gpus: "karpenter.k8s.aws/instance-gpu-count",
  kwokFamily: "karpenter.kwok.sh/instance-family",
  kwokCpu: "karpenter.kwok.sh/instance-cpu",
  /** No instance type has it. */
  tier: "example.com/tier",
} as const;

export const isIn = (key: string, ...values: string[]): Entry => ({ key, operator: "In", values });
export const notIn = (key: string, ...values: string[]): Entry => ({ key, operator: "NotIn", values });
export const exists = (key: string): Entry => ({ key, operator: "Exists" });
export const absent = (key: string): Entry => ({ key, operator: "DoesNotExist" });
export const gt = (key: string, bound: number): Entry => ({ key, operator: "Gt", values: [String(bound)] });
export const lt = (key: string, bound: number): Entry => ({ key, operator: "Lt", values: [String(bound)] });

/** One pool with the scenario's name and one pod without requirements. */
export function scenario(
  name: string,
  policy: readonly Entry[],
  requirements: readonly Entry[],
  types: number | "nothing",
  more: Partial<Pick<Scenario, "bypassed" | "blocked" | "drifts">> & Partial<PoolOf> = {},
): Scenario {
  const { bypassed, blocked, drifts, ...pool } = more;
  const gets = types === "nothing" ? types : { pool: name, types };
  return {
    name,
    policy,
    pools: [{ name, requirements, ...pool }],
    pods: [{ name, gets }],
    ...(bypassed && { bypassed }),
    ...(blocked && { blocked }),
    ...(drifts && { drifts }),
  };
}
