/** The Karpenter version that manifests are for; it decides the valid fields and values. */

/**
 * `hypershift`: the CRDs that HyperShift ships (Karpenter 1.13, edited; docs/upstream/hypershift.md#karpenters-crds).
 */
export const PROFILES = ["hypershift", "karpenter-1.14", "karpenter-1.15"] as const;

export type Profile = (typeof PROFILES)[number];

export const DEFAULT_PROFILE: Profile = "hypershift";

/** The default for Karpenter's own objects without those of HyperShift: its newest version. */
export const RAW_PROFILE: Profile = "karpenter-1.15";
