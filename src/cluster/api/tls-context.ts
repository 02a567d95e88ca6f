/** One TLS context that all connections of a kubeconfig share. */
import type { RequestOptions } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";

interface WithContext extends RequestOptions {
  secureContext?: SecureContext;
}

/**
 * Each connection would make its own otherwise: a tenth of a megabyte and a millisecond. Made anew when a certificate
 * or a key has changed.
 */
export function sharedTlsContext(): (options: RequestOptions) => WithContext {
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
