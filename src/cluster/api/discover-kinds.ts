/** Which kinds an API server serves: its groups and their versions asked, kinds out. */
import { type Answer, succeeded } from "./api-answer.ts";
import type { JsonObject } from "./http-door.ts";
import type { ServedKind } from "./served-kind.ts";

interface ApiGroup {
  readonly name: string;
  readonly preferredVersion?: { readonly groupVersion: string };
  readonly versions: readonly { readonly groupVersion: string }[];
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
}

/** Each kind once, in the preferred version of its group where that has it. The core group is not among them. */
export async function discoverKinds(
  isWanted: (group: string) => boolean,
  get: (path: string) => Promise<Answer<JsonObject>>,
): Promise<Answer<readonly ServedKind[]>> {
  const answer = await get("/apis");
  if (!answer.ok) return answer;
  const groups = (answer.value["groups"] ?? []) as readonly ApiGroup[];
  const found = new Map<string, ServedKind>();
  for (const { name, preferredVersion, versions } of groups.filter((group) => isWanted(group.name))) {
    const inOrder = new Set([preferredVersion, ...versions].flatMap((version) => version?.groupVersion ?? []));
    for (const apiVersion of inOrder) {
      const listed = await get(`/apis/${apiVersion}`);
      // One that went away meanwhile is not served.
      if (!listed.ok && listed.error.kind !== "notFound") return listed;
      const resources = listed.ok ? ((listed.value["resources"] ?? []) as readonly ApiResource[]) : [];
      for (const { name: plural, kind } of resources)
        // The others are parts, such as `nodepools/status`.
        if (!plural.includes("/") && !found.has(`${name}/${kind}`))
          found.set(`${name}/${kind}`, { apiVersion, kind, plural });
    }
  }
  return succeeded([...found.values()]);
}
