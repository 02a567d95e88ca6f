/** Loaded before anp (`--import`): writes each request that it sends into the file `ANP_RECORD`. */
import { appendFileSync } from "node:fs";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { RequestOptions } from "node:https";
import { type Recorded } from "./recorded.ts";

const file = process.env["ANP_RECORD"];
const { request } = https;

if (file !== undefined) {
  https.request = ((url: string, options: RequestOptions, answered: () => void) => {
    const sent = request(url, options, answered);
    const end = sent.end.bind(sent);
    sent.end = ((content?: string) => {
      const { authorization: _secret, ...headers } = options.headers as Record<string, string>;
      const { origin, pathname, search } = new URL(url);
      const line: Recorded = {
        at: Date.now(),
        server: origin,
        method: options.method!,
        path: pathname + search,
        headers,
        content,
      };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      return end(content);
    }) as typeof sent.end;
    return sent;
  }) as typeof https.request;
  syncBuiltinESMExports();
}
