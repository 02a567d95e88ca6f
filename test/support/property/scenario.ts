/** Defines a random input, and building blocks of its generators. */
import fc from "fast-check";

export const NAMESPACE = "clusters-shop";

/** Keys by their presence on instance types; two spellings of one label may be in one list. */
export const KEYS = {
  always: [
    "kubernetes.io/arch",
    "beta.kubernetes.io/arch",
    "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/instance-type",
    "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/zone",
    "topology.ebs.csi.aws.com/zone",
    "karpenter.k8s.aws/instance-cpu",
  ],
  mayBeAbsent: [
    "karpenter.k8s.aws/instance-gpu-count",
    "karpenter.k8s.aws/instance-local-nvme",
    "node.kubernetes.io/windows-build",
    "example.com/team",
    "tier",
  ],
  /** Keys that no instance type has. */
  custom: ["example.com/team", "tier"],
} as const;

export interface Entry {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

export interface Pool {
  readonly name: string;
  readonly requirements: readonly Entry[] | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The rest of `template.spec`, copied as it is. */
  readonly template: Readonly<Record<string, unknown>>;
  /** The rest of `spec`, copied as it is. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface NodeClass {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface UserData {
  readonly nodeClass: string;
  readonly token: string;
  readonly text: string;
  readonly encoded: boolean;
}

export interface Scenario {
  readonly policy: { readonly requirements?: readonly Entry[]; readonly rootVolume?: object } | undefined;
  readonly pools: readonly Pool[];
  readonly nodeClasses: readonly NodeClass[];
  readonly userData: readonly UserData[];
  readonly hostedControlPlane: Readonly<Record<string, unknown>> | undefined;
  /** `RenderConfig.spec`. */
  readonly config: Readonly<Record<string, unknown>> & { readonly onBypass?: "Fail" | "Block" };
}

export const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** A record without undefined fields. */
export function record(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record(fields)
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)));
}

/** Values of labels and tags: few, so that sides collide. */
export const value = fc.constantFrom("1", "2", "3", "5", "05", "9223372036854775807", "a", "b", "m5.large", "");
