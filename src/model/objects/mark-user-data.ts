/** Marks documents with a node class's user data as secret, so that no finding quotes them. */
import type { Resource, SourceDocument } from "../../krm/places/resource.ts";

/** The whole document is marked, because a single line may hold all its objects. */
export function markUserData(resources: readonly Resource[]): readonly Resource[] {
  const secret = new Map<SourceDocument, SourceDocument>();
  for (const { value, document } of resources) {
    const spec = value["spec"] as { userData?: unknown } | null | undefined;
    if (spec?.userData !== undefined) secret.set(document, { ...document, secret: true });
  }
  if (secret.size === 0) return resources;
  return resources.map((resource) => ({ ...resource, document: secret.get(resource.document) ?? resource.document }));
}
