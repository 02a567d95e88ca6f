/** Writes objects with their status to a control plane, as its administrator. */
import { expect } from "vitest";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";

export type LiveObject = KubernetesObject & { readonly status?: unknown };

/** An API server accepts a status only in a request of its own. */
export async function putObjects(cluster: ControlPlane, objects: readonly LiveObject[]): Promise<void> {
  for (const { status, ...object } of objects) {
    const made = await create(cluster, "system:admin", object);
    expect(made.status, made.text).toBe(201);
    if (status === undefined) continue;
    const path = `${await objectPath(cluster, object)}/status`;
    const written = await cluster.request("system:admin", "PUT", path, { ...made.body, status });
    expect(written.status, written.text).toBe(200);
  }
}
