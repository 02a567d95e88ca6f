/** Limits on the resources that clients of the webhook can use. */

export interface Limits {
  readonly bodyBytes: number;
  /** For all requests in flight together, by their content-length. */
  readonly bodiesBytes: number;
  /** JSON values in a body, which determine the memory. */
  readonly bodyValues: number;
  /** For all requests in flight together. */
  readonly bodiesValues: number;
  /** Entries of one object or list. No object of Kubernetes has more, and no review has more objects. */
  readonly width: number;
  readonly depth: number;
  /** In a body with an integer that is too long for JavaScript's numbers. No object of Karpenter needs one. */
  readonly exactValues: number;
  readonly connections: number;
  /** For the TLS handshake, and for the headers of a request. */
  readonly headMs: number;
  /** For a request as a whole. */
  readonly requestMs: number;
  readonly drainMs: number;
}

const MEBIBYTE = 2 ** 20;

/**
 * An API server waits 30 seconds for an answer. A request is as large as the list that a client reads, and it has up to
 * ten thousand objects (k8s.io/apiserver, storage/etcd3, maxLimit).
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
