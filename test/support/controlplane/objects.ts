/** Requests of tests for objects of a control plane, as a user. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "./running.ts";
import type { Answer } from "./https-client.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { collectionPath, objectPath } from "./rest-path.ts";
import type { UserName } from "./users.ts";

export interface WriteOptions {
  dryRun?: boolean;
  /** Default: `test`. */
  fieldManager?: string;
  /** Server-side apply only: take over fields that another manager owns. */
  force?: boolean;
  /**
   * Default: `Strict` (status 400), so that a misspelt field is never dropped silently. Server-side apply always refuses
   * an undeclared field, with status 500.
   */
  fieldValidation?: "Strict" | "Warn" | "Ignore";
}

/** Server-side apply. */
export async function apply(
  controlPlane: ControlPlane,
  user: UserName,
  object: KubernetesObject,
  options: WriteOptions = {},
): Promise<Answer> {
  const path = `${await objectPath(controlPlane, object)}?${query(options)}`;
  const headers = { "content-type": "application/apply-patch+yaml" };
  return controlPlane.request(user, "PATCH", path, object, headers);
}

export async function create(
  controlPlane: ControlPlane,
  user: UserName,
  object: KubernetesObject,
  options: Omit<WriteOptions, "force"> = {},
): Promise<Answer> {
  const path = `${await collectionPath(controlPlane, object)}?${query(options)}`;
  return controlPlane.request(user, "POST", path, object);
}

/** Uses only apiVersion, kind, name and namespace of the object. */
export async function get(controlPlane: ControlPlane, user: UserName, object: KubernetesObject): Promise<Answer> {
  return controlPlane.request(user, "GET", await objectPath(controlPlane, object));
}

export async function remove(controlPlane: ControlPlane, user: UserName, object: KubernetesObject): Promise<Answer> {
  return controlPlane.request(user, "DELETE", await objectPath(controlPlane, object));
}

/** Waits until the CRDs, given as `<plural>.<group>`, are established and their objects can be listed. */
export async function waitEstablished(controlPlane: ControlPlane, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await until(`${name} established`, async () => {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
      const { body } = await controlPlane.request("system:admin", "GET", path);
      if (body.metadata?.["deletionTimestamp"] !== undefined) return false;
      const { conditions } = (body.status ?? {}) as { conditions?: null | { type: string; status: string }[] };
      // A new CRD has null there for a moment.
      if (!(conditions ?? []).some(({ type, status }) => type === "Established" && status === "True")) return false;
      const { group, names, versions } = body.spec as unknown as CrdSpec;
      const served = versions.filter((version) => version.served);
      const lists = served.map((version) =>
        controlPlane.request("system:admin", "GET", `/apis/${group}/${version.name}/${names.plural}?limit=1`),
      );
      return (await Promise.all(lists)).every(({ status }) => status === 200);
    });
  }
}

export async function waitGone(controlPlane: ControlPlane, object: KubernetesObject): Promise<void> {
  const path = await objectPath(controlPlane, object);
  const gone = async (): Promise<boolean> => (await controlPlane.request("system:admin", "GET", path)).status === 404;
  await until(`${path} gone`, gone);
}

/** Polls, because many changes of an API server take effect a little later. The limit is for what hangs, not for what is slow. */
export async function until(what: string, isTrue: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await sleep(25);
  }
}

interface CrdSpec {
  group: string;
  names: { plural: string };
  versions: { name: string; served: boolean }[];
}

function query({ dryRun = false, fieldManager = "test", force, fieldValidation = "Strict" }: WriteOptions): string {
  const parameters = new URLSearchParams({ fieldManager, fieldValidation });
  if (dryRun) parameters.set("dryRun", "All");
  if (force !== undefined) parameters.set("force", String(force));
  return parameters.toString();
}
