/** A control plane that runs, as its helpers see it. */
import type { Answer, Body, Method } from "./https-client.ts";
import type { User, UserName } from "./users.ts";

export interface ControlPlane {
  url: string;
  /** The CA certificate, as PEM text. */
  ca: string;
  users: Record<UserName, User>;
  readonly pids: { etcd: number; apiServer: number };
  /** The file of the audit log. */
  auditLog: string;
  /** An object is sent as JSON, a string as it is, with its content-type in the headers. */
  request(user: UserName, method: Method, path: string, body?: Body, headers?: Record<string, string>): Promise<Answer>;
  /** YAML text. */
  kubeconfig(user: UserName): string;
  /** Kills it, as a power loss does. Port, certificate and data stay. */
  killApiServer(): Promise<void>;
  /** Restarts a killed one, and waits until it is ready. */
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}
