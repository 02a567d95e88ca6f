/** The effects of a change on nodes, in the order of their severity. */

/**
 * `behavioural`: Karpenter acts differently, and replaces no node. `new-nodes`: nodes created from now on differ.
 * `replaces-some`: nodes that no longer fit drift. `unknown`: it is not known which fields of its class another
 * provider compares. `replaces-all`: every node drifts. `removes-nodes`: nodes are deleted. See docs/design.md#effects.
 */
export const EFFECTS = [
  "none",
  "behavioural",
  "new-nodes",
  "replaces-some",
  "unknown",
  "replaces-all",
  "removes-nodes",
] as const;

export type Effect = (typeof EFFECTS)[number];

/** The effects that replace or delete nodes, or may do so. */
export const REPLACING: ReadonlySet<Effect> = new Set<Effect>([
  "replaces-some",
  "unknown",
  "replaces-all",
  "removes-nodes",
]);

export function worstEffect(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] ?? "none";
}
