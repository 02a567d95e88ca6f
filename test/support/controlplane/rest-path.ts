/** The URL path of an object on an API server, by discovery. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "./running.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

interface ApiResource {
  name: string;
  kind: string;
  namespaced: boolean;
}

const PATIENCE_MS = 10_000;

const known = new WeakMap<ControlPlane, Map<string, ApiResource>>();

/** The path of one object. */
export async function objectPath(controlPlane: ControlPlane, object: KubernetesObject): Promise<string> {
  const name = object.metadata?.name;
  if (name === undefined) throw new Error(`${object.kind} has no name`);
  return `${await collectionPath(controlPlane, object)}/${encodeURIComponent(name)}`;
}

/** The path of the collection, in the namespace of the object. */
export async function collectionPath(controlPlane: ControlPlane, object: KubernetesObject): Promise<string> {
  const { apiVersion = "", kind = "", metadata } = object;
  const resource = await findResource(controlPlane, apiVersion, kind);
  const namespace = resource.namespaced ? `/namespaces/${metadata?.namespace ?? "default"}` : "";
  return `${groupPath(apiVersion)}${namespace}/${resource.name}`;
}

async function findResource(controlPlane: ControlPlane, apiVersion: string, kind: string): Promise<ApiResource> {
  const cache = known.get(controlPlane) ?? new Map<string, ApiResource>();
  known.set(controlPlane, cache);
  const key = `${apiVersion}/${kind}`;
  const deadline = Date.now() + PATIENCE_MS;
  // A new CRD is in discovery a little later.
  while (!cache.has(key) && Date.now() < deadline) {
    const { body } = await controlPlane.request("system:admin", "GET", groupPath(apiVersion));
    const resources = (body["resources"] ?? []) as ApiResource[];
    const found = resources.find((resource) => resource.kind === kind && !resource.name.includes("/"));
    if (found === undefined) await sleep(50);
    else cache.set(key, found);
  }
  const resource = cache.get(key);
  if (resource === undefined) throw new Error(`${controlPlane.url} serves no ${kind} of ${apiVersion}`);
  return resource;
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
