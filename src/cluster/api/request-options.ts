/** What a kubeconfig says of each request: headers, and one TLS context for all connections. */
import type { RequestOptions } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import type { KubeConfig } from "@kubernetes/client-node";

interface WithContext extends RequestOptions {
  secureContext?: SecureContext;
}

/** @param isWrittenOut it says the same for each request: no program is run for it, and no file read */
type RequestOptionsOf = (config: KubeConfig, isWrittenOut: boolean) => Promise<RequestOptions>;

/** Of one server. The client makes an agent for each request, which nobody needs, and reads keys and certificates anew. */
export function requestOptions(): RequestOptionsOf {
  const shareContext = sharedTlsContext();
  const known = new WeakMap<KubeConfig, RequestOptions>();
  return async (config, isWrittenOut) => {
    const before = known.get(config);
    if (before !== undefined) return before;
    const request: RequestOptions = { headers: {} };
    await config.applyToHTTPSOptions(request);
    const { server = "", proxyUrl } = config.getCurrentCluster() ?? {};
    // The agent of the client keeps no connection open, which costs a handshake for each request.
    if (proxyUrl === undefined) delete request.agent;
    const options = server.startsWith("http:") ? request : shareContext(request);
    if (isWrittenOut) known.set(config, options);
    return options;
  };
}

/**
 * Each connection would make its own otherwise: a tenth of a megabyte and a millisecond. Made anew when a certificate
 * or a key has changed.
 */
function sharedTlsContext(): (options: RequestOptions) => WithContext {
  let last: { readonly key: string; readonly secureContext: SecureContext } | undefined;
  return (options) => {
    const { ca, cert, key, pfx, passphrase } = options;
    const print = JSON.stringify([ca, cert, key, pfx].map(textOf).concat(passphrase ?? ""));
    last = last?.key === print ? last : { key: print, secureContext: createSecureContext(options) };
    return { ...options, secureContext: last.secureContext };
  };
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("latin1") : (JSON.stringify(value) ?? "");
}
