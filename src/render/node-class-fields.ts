/** Fields of a node class that change only their spelling, and the selector terms with their defaults (hypershift.md 2). */
import type { OpenshiftEC2NodeClassSpec } from "../model/openshift-ec2-node-class.ts";
import type { Origin, Sourced } from "./origin.ts";

type Spec = OpenshiftEC2NodeClassSpec;

/** Karpenter's names of the metadata options and the wrapper's. */
export const METADATA_OPTIONS = {
  httpEndpoint: "access",
  httpProtocolIPv6: "httpIPProtocol",
  httpPutResponseHopLimit: "httpPutResponseHopLimit",
  httpTokens: "httpTokens",
} as const;

/** Only the keys that are set: the API server gives the others its defaults. */
export function metadataOptions(given: Spec["metadataOptions"]): Record<string, unknown> | undefined {
  if (given === undefined) return undefined;
  const options: Record<keyof typeof METADATA_OPTIONS, unknown> = {
    httpEndpoint: given.access === undefined ? undefined : given.access === "HTTPEndpoint" ? "enabled" : "disabled",
    httpProtocolIPv6:
      given.httpIPProtocol === undefined ? undefined : given.httpIPProtocol === "IPv6" ? "enabled" : "disabled",
    httpPutResponseHopLimit: given.httpPutResponseHopLimit,
    httpTokens: given.httpTokens?.toLowerCase(),
  };
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

interface SelectorTerms {
  readonly value: Record<string, unknown>;
  readonly origins: readonly Origin[];
  /** What a default would have needed. */
  readonly missing: readonly string[];
}

/** Subnets and security groups default to what carries the cluster's tags. */
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
    capacityReservationSelectorTerms: spec.capacityReservationSelectorTerms?.map(
      ({ instanceMatchCriteria, ...term }) => ({
        ...term,
        ...(instanceMatchCriteria === undefined ? {} : { instanceMatchCriteria: instanceMatchCriteria.toLowerCase() }),
      }),
    ),
  };
  return {
    value,
    origins,
    missing: needed && infraID === undefined ? ["infraID (for the subnets and security groups)"] : [],
  };
}
