/** Sends requests to one API server and parses the answers. */
import { Agent, request } from "node:https";
import type { KubernetesObject } from "./kubernetes-object.ts";

export interface Answer {
  status: number;
  /** The JSON of the answer; an empty object if it is not JSON. */
  body: KubernetesObject;
  text: string;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Body = string | object;

export class HttpsClient {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, ca: string) {
    this.#url = url;
    // An API server closes a connection that was idle for 90 seconds: this side is to be the first.
    this.#agent = new Agent({ ca, keepAlive: true, timeout: 30_000 });
  }

  /** An object is sent as JSON; a string is sent as it is and needs a content-type in the headers. */
  async send(
    token: string,
    method: Method,
    path: string,
    body?: Body,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const send = () => this.#sendOnce(token, method, path, body, headers);
    return send().catch((error: Error) => {
      // Like Go's client, retry idempotent requests: the server may close an idle connection just as a request is sent.
      const isAgain = method === "GET" || headers["content-type"] === "application/apply-patch+yaml";
      if (isAgain && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNRESET") return send();
      throw error;
    });
  }

  async #sendOnce(
    token: string,
    method: Method,
    path: string,
    body: Body | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const content = typeof body === "object" ? JSON.stringify(body) : body;
    const contentType = typeof body === "object" ? { "content-type": defaultType(method) } : {};
    const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
    return new Promise((resolve, reject) => {
      const options = {
        method,
        agent: this.#agent,
        headers: { authorization: `Bearer ${token}`, ...contentType, ...length, ...headers },
      };
      const fail = (error: Error): void => reject(new Error(`${method} ${path}: ${error.message}`, { cause: error }));
      const sent = request(new URL(path, this.#url), options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJson = response.headers["content-type"]?.includes("json") ?? false;
          const parsed = (isJson ? JSON.parse(text) : {}) as KubernetesObject;
          resolve({ status: response.statusCode ?? 0, body: parsed, text });
        });
      });
      sent.on("error", fail);
      sent.end(content);
    });
  }

  /** A stopping API server waits for open connections. */
  close(): void {
    this.#agent.destroy();
  }
}

function defaultType(method: Method): string {
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}
