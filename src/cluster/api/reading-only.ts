/** A cluster that is only looked at: questions go on, and whatever would write is refused here. */
import { failed } from "./api-answer.ts";
import type { ClusterApi } from "./cluster-api.ts";

/** Whatever is asked of it by mistake, no server gets to hear of it. */
export function readingOnly(api: ClusterApi): ClusterApi {
  const refuse = () =>
    Promise.resolve(
      failed({
        kind: "forbidden",
        status: undefined,
        reason: "",
        message: "who only observes writes nothing",
      } as const),
    );
  return {
    ...api,
    get server() {
      return api.server;
    },
    apply: refuse,
    replaceSpec: refuse,
    replaceManagedFields: refuse,
    remove: refuse,
    patchStatus: refuse,
    replace: refuse,
    create: refuse,
    patch: refuse,
    whoAmI: refuse,
  };
}
