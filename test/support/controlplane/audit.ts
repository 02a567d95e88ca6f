/** The audit log of an API server for the requests of some users. */
import { readFileSync } from "node:fs";

export interface AuditedRequest {
  readonly user: string;
  readonly userAgent: string;
  /** A verb of RBAC: `get`, `list`, `watch`, `create`, `patch`, `delete`. */
  readonly verb: string;
  /** With its subresource: `nodepools/status`. */
  readonly resource: string;
  /** Empty for a collection. */
  readonly name: string;
  /** Empty for a cluster-scoped resource. */
  readonly namespace: string;
  readonly status: number;
  /** When it arrived, in milliseconds since 1970. */
  readonly received: number;
  /** When it was answered. */
  readonly time: number;
}

/** An audit policy: each request once when it is answered, and a watch when it is opened. */
export function auditPolicy(users: readonly string[]): string {
  const rule = { users };
  return JSON.stringify({
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    rules: [
      { level: "Metadata", ...rule, verbs: ["watch"], omitStages: ["RequestReceived", "ResponseComplete"] },
      { level: "Metadata", ...rule, omitStages: ["RequestReceived", "ResponseStarted"] },
    ],
  });
}

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly verb: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/** In the order of the answers. A killed server may leave an incomplete line. */
export function auditedRequests(log: string): AuditedRequest[] {
  const lines = readFileSync(log, "utf8").split("\n");
  return lines.filter((line) => line.endsWith("}")).map((line) => requestOf(JSON.parse(line) as AuditEvent));
}

function requestOf({
  user,
  userAgent = "",
  verb,
  objectRef = {},
  responseStatus,
  requestReceivedTimestamp,
  stageTimestamp,
}: AuditEvent): AuditedRequest {
  const { resource = "", subresource, name = "", namespace = "" } = objectRef;
  return {
    user: user.username,
    userAgent,
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    name,
    namespace,
    status: responseStatus?.code ?? 0,
    received: Date.parse(requestReceivedTimestamp),
    time: Date.parse(stageTimestamp),
  };
}
