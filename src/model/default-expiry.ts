/** How long nodes live if their pool sets no expiry. */

/** The CRD's default. */
export const DEFAULT_EXPIRY = "720h";
