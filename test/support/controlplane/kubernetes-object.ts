/** An object of a request to an API server, or of its answer. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: {
    name?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    [field: string]: unknown;
  };
  spec?: Record<string, unknown>;
  status?: unknown;
  items?: KubernetesObject[];
  /** In a Status, which an API server answers to a refused request. */
  reason?: string;
  message?: string;
  [field: string]: unknown;
}
