/** A live object as a Resource, so that rendering and findings treat it like a file. */
import type { Resource } from "../../krm/resource.ts";
import type { LiveObject } from "./live-object.ts";
import type { Collection } from "./served-kind.ts";

/** @param side names the cluster in findings: `management:autonodepolicies/default` */
export function liveResource(object: LiveObject, side: "management" | "guest", { plural }: Collection): Resource {
  const { apiVersion, kind, metadata } = object;
  const { managedFields: _bookkeeping, ...kept } = metadata;
  return {
    apiVersion,
    kind,
    name: metadata.name,
    namespace: metadata.namespace,
    value: { ...object, metadata: kept },
    document: {
      source: {
        file: `${side}:${plural}/${metadata.name}`,
        folder: side,
        text: "",
        explicit: false,
        trusted: side === "management",
        config: false,
        withoutLines: true,
      },
      start: 0,
      end: 0,
      secret: kind === "Secret",
    },
    base: [],
    // A live object governs no folder; folders of files are absolute.
    folder: side,
  };
}
