/** Connects to a control plane that another process has started and will stop. */
import type { ControlPlane } from "./control-plane.ts";
import { HttpsClient } from "./https-client.ts";
import { kubeconfigText } from "./users.ts";

/** Plain data that can be sent to another process. */
export type ControlPlaneAccess = Pick<ControlPlane, "url" | "ca" | "users" | "pids" | "auditLog">;

export function accessOf({ url, ca, users, pids, auditLog }: ControlPlane): ControlPlaneAccess {
  return { url, ca, users, pids, auditLog };
}

export function connect(access: ControlPlaneAccess): ControlPlane {
  const { url, ca, users } = access;
  const client = new HttpsClient(url, ca);
  const refuse = (): Promise<never> => Promise.reject(new Error("others use this control plane as well"));
  return {
    ...access,
    request: (user, method, path, body, headers) => client.send(users[user].token, method, path, body, headers),
    kubeconfig: (user) => kubeconfigText(url, ca, users[user]),
    killApiServer: refuse,
    startApiServer: refuse,
    stop: async () => client.close(),
  };
}
