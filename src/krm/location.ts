/** Where a field stands, in the short form for messages: `policy.yaml:9`, or `policy.yaml spec.x` where lines mean nothing. */
import { type FieldPath, formatFieldPath } from "./field-path.ts";
import { locateField } from "./locate.ts";
import type { Resource } from "./resource.ts";
import { positionAt } from "./source.ts";

export function locationOf(resource: Resource, path: FieldPath): string {
  const { source } = resource.document;
  if (source.withoutLines === true) return `${source.file} ${formatFieldPath(path)}`;
  return `${source.file}:${positionAt(source, locateField(resource, path)).line}`;
}
