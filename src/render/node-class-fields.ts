/** Renders node class fields with another spelling, and selector terms with their defaults. */
import type { OpenshiftEC2NodeClassSpec } from "../model/openshift-ec2-node-class.ts";
import type { Origin, Sourced } from "../resolve/origin.ts";
import { CAPACITY_RESERVATION_TERM, METADATA_OPTIONS, toKarpenter } from "./spelled-fields.ts";

type Spec = OpenshiftEC2NodeClassSpec;

/** Only the keys that are set: the API server sets the other defaults. */
export function metadataOptions(given: Spec["metadataOptions"]): Record<string, unknown> | undefined {
  const options = toKarpenter(METADATA_OPTIONS, given ?? {});
  return Object.keys(options).length === 0 ? undefined : options;
}

interface SelectorTerms {
  readonly value: Record<string, unknown>;
  readonly origins: readonly Origin[];
  /** Inputs that a default needs but that are missing. */
  readonly missing: readonly string[];
}

/**
 * Subnets and security groups default to those with the cluster's tags. See docs/upstream/hypershift.md#ec2nodeclass.
 */
export function selectorTerms(spec: Spec, infraID: Sourced<string> | undefined): SelectorTerms {
  const origins: Origin[] = [];
  const orDefault = (field: string, given: unknown, tags: (infraID: string) => Record<string, string>): unknown => {
    if (given !== undefined || infraID === undefined) return given;
    origins.push({ output: ["spec", field], input: infraID.from, whole: true });
    return [{ tags: tags(infraID.value) }];
  };
  const needed = spec.subnetSelectorTerms === undefined || spec.securityGroupSelectorTerms === undefined;
  const value = {
    subnetSelectorTerms: orDefault("subnetSelectorTerms", spec.subnetSelectorTerms, (id) => ({
      "kubernetes.io/role/internal-elb": "1",
      [`kubernetes.io/cluster/${id}`]: "*",
    })),
    securityGroupSelectorTerms: orDefault("securityGroupSelectorTerms", spec.securityGroupSelectorTerms, (id) => ({
      "karpenter.sh/discovery": id,
    })),
    capacityReservationSelectorTerms: spec.capacityReservationSelectorTerms?.map((term) =>
      toKarpenter(CAPACITY_RESERVATION_TERM, term),
    ),
  };
  return {
    value,
    origins,
    missing: needed && infraID === undefined ? ["infraID (for the subnets and security groups)"] : [],
  };
}
