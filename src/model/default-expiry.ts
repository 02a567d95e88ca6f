/** How long nodes of a pool live that says nothing of it. */

/** What the CRD makes of it. */
export const DEFAULT_EXPIRY = "720h";
