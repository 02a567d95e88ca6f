/** Where something is asked for, in the short form for sentences: `pods.yaml:12`; found once for each field. */
import { type FieldPath, formatFieldPath } from "../krm/field-path.ts";
import { locateField } from "../krm/locate.ts";
import type { Resource } from "../krm/resource.ts";
import { positionAt } from "../krm/source.ts";

export interface FileLine {
  readonly file: string;
  readonly line: number;
}

const known = new WeakMap<Resource, Map<string, FileLine>>();

/** Many pods meet many pools, and finding a line parses its document. */
export function fileLineOf(resource: Resource, path: FieldPath): FileLine {
  const lines = known.get(resource) ?? new Map<string, FileLine>();
  known.set(resource, lines);
  const field = formatFieldPath(path);
  let place = lines.get(field);
  if (place === undefined) {
    const { source } = resource.document;
    place = { file: source.file, line: positionAt(source, locateField(resource, path)).line };
    lines.set(field, place);
  }
  return place;
}

export function placeText({ file, line }: FileLine): string {
  return `${file}:${String(line)}`;
}
