/** Runs `anp webhook` until the signal. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/api-answer.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { shutdownSignal } from "../waiting/pause.ts";
import { formatLogEntry, type LogEntry, type LogFormat } from "../objects/log-entry.ts";
import { answerReview, poolReader } from "./answer-review.ts";
import {
  CertificateError,
  certificateFacts,
  type CertificateFiles,
  followCertificate,
  readKeyPair,
} from "./certificate.ts";
import { LIMITS, type Limits, type ListenAddress, webhookServer } from "./webhook-server.ts";
import { responder } from "./respond.ts";
import { rateLimitedLog } from "./rate-limited-log.ts";

export interface WebhookSpec {
  readonly listen: ListenAddress;
  readonly certificate: CertificateFiles;
  /** The cluster with the NodePools of the NodeClaims; undefined: no pools are read. */
  readonly cluster: KubeAccessOptions | undefined;
}

export interface WebhookOptions {
  readonly logFormat: LogFormat;
  readonly write: (text: string) => void;
  /** Ends it, as SIGTERM does. */
  readonly signal?: AbortSignal;
  readonly limits?: Limits;
}

/** Why it did not start, in one line. */
export interface WebhookOutcome {
  readonly problem?: string;
  readonly ofCertificate?: boolean;
}

/** Shorter than an API server waits for the webhook. */
const POOLS_MS = 10_000;

/** Until SIGTERM or SIGINT. */
export async function runWebhook(spec: WebhookSpec, options: WebhookOptions): Promise<WebhookOutcome> {
  const ending = shutdownSignal();
  let api: ClusterApi | undefined;
  try {
    api = spec.cluster === undefined ? undefined : httpClusterApi({ ...spec.cluster, timeoutMs: POOLS_MS });
    const signal = AbortSignal.any([ending.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    await serve(spec, api, { ...options, signal });
    return {};
  } catch (error) {
    if (error instanceof CertificateError) return { problem: error.message, ofCertificate: true };
    if (error instanceof ClusterError) return { problem: error.message };
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall === "listen" || syscall === "getaddrinfo")
      return { problem: `cannot listen on ${addressText(spec.listen)}: ${code ?? "unknown"}` };
    throw error;
  } finally {
    api?.close();
    ending.release();
  }
}

async function serve(
  { listen, certificate }: WebhookSpec,
  api: ClusterApi | undefined,
  { signal, limits = LIMITS, logFormat, write }: WebhookOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const log = (entry: LogEntry): void => write(formatLogEntry(entry, new Date().toISOString(), logFormat));
  const pair = await readKeyPair(certificate.cert, certificate.key);
  const readPools = api === undefined ? undefined : poolReader(api, () => performance.now());
  const rateLimited = rateLimitedLog(log);
  const respond = responder({
    answer: (text, measured) => answerReview(text, readPools, measured),
    limits,
    isClosing: () => signal.aborted,
    log: rateLimited,
  });
  const server = await webhookServer({
    listen,
    pair,
    limits,
    respond,
    log,
    onRefused: (reason) => rateLimited.write({ level: "warn", msg: "refused", fields: { reason } }),
  });
  log({
    level: "info",
    msg: "serving",
    fields: { address: server.address, pools: api?.server, ...certificateFacts(pair) },
  });
  if (api === undefined) log(NO_POOLS);
  await followCertificate(certificate, pair, { use: server.use, log, signal });
  log({ level: "info", msg: "ending", fields: {} });
  await server.close();
  rateLimited.close();
}

const NO_POOLS: LogEntry = {
  level: "warn",
  msg: "no cluster",
  fields: { reason: "a NodeClaim of v1beta1 gets expireAfter: Never in v1, because its NodePool is not read" },
};

function addressText({ host, port }: ListenAddress): string {
  return `${host ?? ""}:${port}`;
}
