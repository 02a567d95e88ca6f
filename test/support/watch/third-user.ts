/** What somebody may do who may patch every object of a guest cluster, and whom its admission policies keep from changing a spec. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import { valueAt } from "../../../src/krm/field-path.ts";
import { toYaml } from "../../../src/krm/write.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import type { UserName } from "../controlplane/users.ts";
import { live, type Rig, watched } from "./rig.ts";

export const THIRD_USER: UserName = "guest-admin";

/** Where the guards let the third user write: what they see of metadata is shown elsewhere. */
export function openWatch(rig: Rig, over: Partial<WatchedCluster> = {}): WatchedCluster {
  const config = join(rig.folder, "open.yaml");
  const spec = { admission: { allowedWriters: [THIRD_USER] } };
  writeFileSync(config, toYaml({ apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig", spec }));
  return watched(rig, { source: { paths: [], policyDir: undefined, config }, ...over });
}

type JsonPatch = readonly {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: unknown;
}[];

/** @returns the status code */
export async function rewrite(on: ControlPlane, object: KubernetesObject, patch: JsonPatch): Promise<number> {
  const headers = { "content-type": "application/json-patch+json" };
  const { status } = await on.request(
    THIRD_USER,
    "PATCH",
    await objectPath(on, object),
    JSON.stringify(patch),
    headers,
  );
  return status;
}

/** Who wiped them leaves an object that nobody has applied. */
export const WIPED: JsonPatch = [{ op: "replace", path: "/metadata/managedFields", value: [{}] }];

/** All by which an object says that anp made it, of one that anp has made. */
export async function marksOf(on: ControlPlane, object: KubernetesObject): Promise<JsonPatch> {
  const { metadata } = await live(on, object);
  return ["labels", "annotations", "managedFields"].map((field) => ({
    op: "add",
    path: `/metadata/${field}`,
    value: valueAt(metadata, [field]),
  }));
}
