/** The place of a field as file and line, or in the short form for sentences: `policy.yaml:9`. */
import { type FieldPath, formatFieldPath } from "./field-path.ts";
import { locateField } from "./locate.ts";
import type { Resource } from "./resource.ts";
import { originOf, positionAt } from "./source.ts";

export interface FileLine {
  readonly file: string;
  /** 0 if lines mean nothing: in a text that a host wrote anew, or of a live object. */
  readonly line: number;
}

interface PlaceInFile {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

const known = new WeakMap<Resource, Map<string, FileLine>>();

/** Cached for each field: finding a line may parse its document, and many pools refer to the same entry of a policy. */
export function fileLineOf(resource: Resource, path: FieldPath): FileLine {
  const lines = known.get(resource) ?? new Map<string, FileLine>();
  known.set(resource, lines);
  const field = formatFieldPath(path);
  let place = lines.get(field);
  if (place === undefined) {
    const written = resource.document.source;
    if (written.withoutLines === true) place = { file: written.file, line: 0 };
    else {
      const { source, offset } = originOf(written, locateField(resource, path));
      place = { file: source.file, line: positionAt(source, offset).line };
    }
    lines.set(field, place);
  }
  return place;
}

/** `policy.yaml:9:3`, as far as it is known; empty if nothing is known. */
export function placeText({ file, line = 0, column }: Partial<Readonly<PlaceInFile>>): string {
  if (line === 0) return file ?? "";
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** `policy.yaml:9`, or `policy.yaml spec.x` if lines mean nothing. */
export function locationOf(resource: Resource, path: FieldPath): string {
  const { file, line } = fileLineOf(resource, path);
  return line === 0 ? `${file} ${formatFieldPath(path)}` : `${file}:${line}`;
}
