/** Findings as a KRM function's results. */
import type { Finding } from "../../krm/findings/finding.ts";
import { packagePlaceOf } from "../../krm/resource-list/package-item.ts";
import { FUNCTION_CONFIG } from "../../krm/resource-list/read-resource-list.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { inOrder } from "./common.ts";

/**
 * By docs/upstream/hosts.md#the-krm-functions-specification. The worst first; hosts show only the beginning.
 *
 * @param resources the items of the list, which give the paths of files
 */
export function functionResults(
  findings: readonly Finding[],
  resources: readonly Resource[],
): readonly Readonly<Record<string, unknown>>[] {
  const places = new Map(
    resources.map((resource) => [
      keyOf(resource, resource.document.source.file),
      packagePlaceOf(resource.value)?.index,
    ]),
  );
  return inOrder(findings).map(({ code, severity, message, hint, resource, field, file, line }) => {
    // A reference needs a name, and hosts ignore a field without an object.
    const named = resource === undefined || resource.name === "" ? undefined : resource;
    const index = named === undefined || file === undefined ? undefined : places.get(keyOf(named, file));
    const inFile = file !== undefined && !NO_FILES.has(file);
    return {
      message: hint === undefined ? message : `${message} (${hint})`,
      severity,
      ...(named === undefined ? {} : { resourceRef: named }),
      ...(named === undefined || field === undefined ? {} : { field: { path: field } }),
      ...(inFile ? { file: { path: file, ...(index === undefined ? {} : { index }) } } : {}),
      tags: { code, ...(line === undefined || !inFile ? {} : { line: String(line) }) },
    };
  });
}

const NO_FILES: ReadonlySet<string> = new Set(["<stdin>", FUNCTION_CONFIG]);

function keyOf(
  {
    apiVersion,
    kind,
    name,
    namespace,
  }: Pick<Resource, "apiVersion" | "kind" | "name"> & { namespace?: string | undefined },
  file: string,
): string {
  return JSON.stringify([apiVersion, kind, name, namespace, file]);
}
