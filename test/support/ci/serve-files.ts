/** A local web server of files, in a thread: a test that waits for a shell cannot answer requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

type Files = Readonly<Record<string, Uint8Array>>;

export interface FileServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly end: () => Promise<unknown>;
}

/** Any folder of the address works; `status` is the answer to every request instead. */
export async function serveFiles(files: Files, status?: number): Promise<FileServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { files, status } });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return { url: `http://127.0.0.1:${port}`, end: () => worker.terminate() };
}

if (!isMainThread && workerData !== null && "files" in (workerData as object)) {
  const { files, status } = workerData as { files: Files; status: number | undefined };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const bytes = files[basename(request.url ?? "")];
    response.statusCode = status ?? (bytes === undefined ? 404 : 200);
    response.end(status === undefined ? bytes : "");
  };
  const server = createServer(answer);
  server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
}
