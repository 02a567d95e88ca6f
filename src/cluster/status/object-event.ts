/** A Kubernetes event, for `kubectl describe` and `kubectl get events`. */
import type { LiveObject } from "../api/live-object.ts";

export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

export interface ObjectEvent {
  readonly side: "management" | "guest";
  readonly regarding: Regarding;
  readonly type: "Normal" | "Warning";
  /** One of the reasons in docs/watch.md. */
  readonly reason: string;
  /** Must not contain a secret. */
  readonly note: string;
}

export function regarding({ apiVersion, kind, metadata: { name, namespace, uid } }: LiveObject): Regarding {
  return { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
}
