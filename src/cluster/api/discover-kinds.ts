/** Discovers the kinds that an API server serves. */
import * as z from "zod/mini";
import { type Answer, failed, succeeded, unreachable } from "./api-answer.ts";
import type { JsonObject } from "./http-client.ts";
import type { ServedKind } from "./served-kind.ts";

const version = z.looseObject({ groupVersion: z.string() });
const groupsSchema = z.array(
  z.looseObject({ name: z.string(), preferredVersion: z.optional(version), versions: z.array(version) }),
);
const resourcesSchema = z.array(z.looseObject({ name: z.string(), kind: z.string() }));

/** Each kind once, in the preferred version of its group if that serves it. The core group is left out. */
export async function discoverKinds(
  isWanted: (group: string) => boolean,
  get: (path: string) => Promise<Answer<JsonObject>>,
): Promise<Answer<readonly ServedKind[]>> {
  const answer = await get("/apis");
  if (!answer.ok) return answer;
  const { data: groups } = groupsSchema.safeParse(answer.value["groups"] ?? []);
  if (groups === undefined) return failed(unreachable("the server does not say which groups it serves"));
  const found = new Map<string, ServedKind>();
  for (const { name, preferredVersion, versions } of groups.filter((group) => isWanted(group.name))) {
    const inOrder = new Set([preferredVersion, ...versions].flatMap((version) => version?.groupVersion ?? []));
    for (const apiVersion of inOrder) {
      const listed = await get(`/apis/${apiVersion}`);
      // A group that was removed in the meantime is not served.
      if (!listed.ok && listed.error.kind !== "notFound") return listed;
      const { data: resources } = resourcesSchema.safeParse((listed.ok && listed.value["resources"]) || []);
      if (resources === undefined) return failed(unreachable(`the server does not say which kinds ${apiVersion} has`));
      for (const { name: plural, kind } of resources)
        // Subresources such as `nodepools/status` have a slash.
        if (!plural.includes("/") && !found.has(`${name}/${kind}`))
          found.set(`${name}/${kind}`, { apiVersion, kind, plural });
    }
  }
  return succeeded([...found.values()]);
}
