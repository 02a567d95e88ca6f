/** How far a watch goes to keep Hard node limits, as people choose it. */

/**
 * - `Disruption`: replaces no more nodes at once than the limit has room for
 * - `Full`: and deletes the NodeClaims above it
 * - `Off`: limits are Karpenter's business alone
 */
export type NodeLimitsMode = "Disruption" | "Full" | "Off";
