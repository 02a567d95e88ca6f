/** A user who may patch every object of a guest cluster, but no spec, because of the admission policies. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import type { UserName } from "../controlplane/users.ts";
import { live, type Rig, watched } from "./rig.ts";

export const THIRD_USER: UserName = "guest-admin";

/** Waits until the guards allow the third user to write; other suites test the guards of metadata. */
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

/** Removes all managedFields: the object looks as if it was never applied. */
export const WIPED: JsonPatch = [{ op: "replace", path: "/metadata/managedFields", value: [{}] }];

/** All marks of anp on an object that anp created. */
export async function marksOf(on: ControlPlane, object: KubernetesObject): Promise<JsonPatch> {
  const { metadata } = await live(on, object);
  return ["labels", "annotations", "managedFields"].map((field) => ({
    op: "add",
    path: `/metadata/${field}`,
    value: valueAt(metadata, [field]),
  }));
}
