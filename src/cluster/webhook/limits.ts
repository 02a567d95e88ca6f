/** What a client of the webhook may take, so that none can take everything. */

export interface Limits {
  readonly bodyBytes: number;
  /** Of all requests that are being answered, by what they say they are. */
  readonly bodiesBytes: number;
  readonly connections: number;
  /** For the handshake, and for the head of a request. */
  readonly headMs: number;
  /** For a request as a whole. */
  readonly requestMs: number;
  readonly drainMs: number;
}

const MEBIBYTE = 2 ** 20;

/** An API server waits 30 seconds for an answer; its requests are as large as the list that somebody reads. */
export const LIMITS: Limits = {
  bodyBytes: 64 * MEBIBYTE,
  bodiesBytes: 256 * MEBIBYTE,
  connections: 256,
  headMs: 10_000,
  requestMs: 25_000,
  drainMs: 10_000,
};
