/** Loaded before a program: an answer with a certain header ends it at once, as an object does that fills its memory. */
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

subscribe("http.client.response.finish", (message) => {
  const { response } = message as { readonly response: IncomingMessage };
  if ("x-test-ends-process" in response.headers) process.kill(process.pid, "SIGKILL");
});
