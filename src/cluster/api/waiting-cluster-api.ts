/** A cluster whose kubeconfig cannot be used yet: each request tries to open it again. */
import { type Answer, failed, succeeded, unreachable, ClusterError } from "./api-answer.ts";
import type { ClusterApi } from "./cluster-api.ts";

/**
 * Until then each answer is `unavailable`, with the reason.
 *
 * @param open throws a ClusterError if the kubeconfig cannot be used
 * @param server shown to users until the kubeconfig is read
 */
export function waitingClusterApi(open: () => ClusterApi, server: string): ClusterApi {
  let opened: ClusterApi | undefined;
  /** The API, or the reason why it cannot be opened. */
  const tryToOpen = (): ClusterApi | string => {
    try {
      return (opened ??= open());
    } catch (error) {
      if (error instanceof ClusterError) return error.message;
      throw error;
    }
  };
  const ask = async <T>(request: (api: ClusterApi) => Promise<Answer<T>>): Promise<Answer<T>> => {
    const api = tryToOpen();
    return typeof api === "string" ? failed(unreachable(api)) : request(api);
  };
  return {
    get server() {
      return opened?.server ?? server;
    },
    requests: () => opened?.requests() ?? {},
    list: (...given) => ask((api) => api.list(...given)),
    discover: (...given) => ask((api) => api.discover(...given)),
    get: (...given) => ask((api) => api.get(...given)),
    apply: (...given) => ask((api) => api.apply(...given)),
    replaceSpec: (...given) => ask((api) => api.replaceSpec(...given)),
    replaceManagedFields: (...given) => ask((api) => api.replaceManagedFields(...given)),
    remove: (...given) => ask((api) => api.remove(...given)),
    patchStatus: (...given) => ask((api) => api.patchStatus(...given)),
    replace: (...given) => ask((api) => api.replace(...given)),
    create: (...given) => ask((api) => api.create(...given)),
    patch: (...given) => ask((api) => api.patch(...given)),
    whoAmI: () => ask((api) => api.whoAmI()),
    answers: async (withinMs) => {
      const answer = await ask(async (api) => succeeded(await api.answers(withinMs)));
      return answer.ok && answer.value;
    },
    isReady: async () => {
      const answer = await ask(async (api) => succeeded(await api.isReady()));
      return answer.ok && answer.value;
    },
    watch: async function* (...given) {
      const api = tryToOpen();
      if (typeof api === "string") yield failed(unreachable(api));
      else yield* api.watch(...given);
    },
    close: () => opened?.close(),
  };
}
