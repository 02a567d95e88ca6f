/** Where a field stands, in the short form for messages: `policy.yaml:9`. */
import type { FieldPath } from "./field-path.ts";
import { locateField } from "./locate.ts";
import type { Resource } from "./resource.ts";
import { positionAt } from "./source.ts";

export function locationOf(resource: Resource, path: FieldPath): string {
  const { source } = resource.document;
  return `${source.file}:${positionAt(source, locateField(resource, path)).line}`;
}
