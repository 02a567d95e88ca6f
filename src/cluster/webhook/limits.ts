/** What a client of the webhook may take, so that none can take everything. */

export interface Limits {
  readonly bodyBytes: number;
  /** Of all requests that are being answered, by what they say they are. */
  readonly bodiesBytes: number;
  /** JSON values in a body: what memory follows. */
  readonly bodyValues: number;
  /** Of all requests that are being answered. */
  readonly bodiesValues: number;
  /** Entries of one object or list: no object of Kubernetes is so large, and a review lists no more objects. */
  readonly width: number;
  readonly depth: number;
  /** In a body with an integer that JavaScript's numbers do not hold, which no object of Karpenter needs. */
  readonly exactValues: number;
  readonly connections: number;
  /** For the handshake, and for the head of a request. */
  readonly headMs: number;
  /** For a request as a whole. */
  readonly requestMs: number;
  readonly drainMs: number;
}

const MEBIBYTE = 2 ** 20;

/**
 * An API server waits 30 seconds for an answer; its requests are as large as the list that somebody reads, and it reads
 * ten thousand objects at a time (k8s.io/apiserver, storage/etcd3, maxLimit).
 */
export const LIMITS: Limits = {
  bodyBytes: 64 * MEBIBYTE,
  bodiesBytes: 96 * MEBIBYTE,
  bodyValues: 3_000_000,
  bodiesValues: 4_000_000,
  width: 10_000,
  depth: 100,
  exactValues: 50_000,
  connections: 256,
  headMs: 10_000,
  requestMs: 25_000,
  drainMs: 10_000,
};
