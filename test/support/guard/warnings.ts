/** Applies an object by server-side apply and reads the warnings in the response headers. */
import { request } from "node:https";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import type { UserName } from "../controlplane/users.ts";

export async function warningsOf(
  controlPlane: ControlPlane,
  user: UserName,
  object: KubernetesObject,
): Promise<string[]> {
  const path = `${await objectPath(controlPlane, object)}?fieldManager=test&force=true`;
  const { token } = controlPlane.users[user];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/apply-patch+yaml" };
  const options = { method: "PATCH", headers, ca: controlPlane.ca };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, controlPlane.url), options, (response) => {
      response.resume();
      const given = response.headers["warning"] ?? "";
      // `299 - "text"`, several separated by commas.
      const words = [...given.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
      response.on("end", () =>
        response.statusCode! < 300 ? resolve(words) : reject(new Error(String(response.statusCode))),
      );
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(object));
  });
}
