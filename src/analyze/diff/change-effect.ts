/** What changes do to nodes, from nothing to the worst. */

/**
 * `behavioural`: Karpenter acts differently, and no node is replaced for it. `new-nodes`: nodes made from now on
 * differ. `replaces-some`: nodes that no longer fit drift. `unknown`: nobody here knows what of its class another provider
 * compares. `replaces-all`: every node drifts. `removes-nodes`: nodes go. See docs/design.md#effects.
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

/** What replaces nodes or takes them away, or may do so. */
export const REPLACING: ReadonlySet<Effect> = new Set<Effect>([
  "replaces-some",
  "unknown",
  "replaces-all",
  "removes-nodes",
]);

export function worstEffect(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] ?? "none";
}
