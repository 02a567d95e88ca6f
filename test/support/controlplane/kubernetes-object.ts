/** The shape shared by what a test sends to an API server and what it answers. */
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
  /** Of a Status, which an API server answers to what it refuses. */
  reason?: string;
  message?: string;
  [field: string]: unknown;
}
