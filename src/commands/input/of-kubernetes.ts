/** A kind of Kubernetes itself, as it is read of a cluster. */
import type { DumpedKind } from "../../cluster/read/live-dump.ts";

export function ofKubernetes(kind: string, plural: string, unknown: string, group = ""): DumpedKind {
  return { group, versions: ["v1"], kind, plural, unknown };
}
