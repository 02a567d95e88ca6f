/** What a pool author does in every attack: pools made in a dry run, and one that is stored and written to. */
import type { Answer } from "../../controlplane/https-client.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { create, remove } from "../../controlplane/objects.ts";
import { objectPath } from "../../controlplane/rest-path.ts";
import { type Entries, poolOf } from "../guarded-cluster.ts";
import { type Guarded, patch, WHO } from "./guarded-clusters.ts";

export const AUTHOR = WHO["pool author"];
export const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["large"] }];
export const MORE = { key: "example.com/more", operator: "Exists" } as const;
export const LIST = "/spec/template/spec/requirements";

export const tried = (on: Guarded, pools: readonly KubernetesObject[]): Promise<Answer[]> =>
  Promise.all(pools.map((pool) => create(on, AUTHOR, pool, { dryRun: true, fieldValidation: "Ignore" })));

export const lists = (...all: readonly unknown[]): KubernetesObject[] =>
  all.map((list, at) => poolOf(`list-${at}`, list));

/** A pool that is there, and what is written to it. */
export async function onStored(on: Guarded, act: (pool: KubernetesObject) => Promise<Answer[]>): Promise<Answer[]> {
  const pool = poolOf("victim", OWN);
  const { status } = await create(on, AUTHOR, pool);
  if (status !== 201) throw new Error(`victim: ${status}`);
  try {
    return await act(pool);
  } finally {
    await patch(on, "system:admin", pool, { metadata: { finalizers: null } });
    await remove(on, "system:admin", pool);
  }
}

export const change = (list: unknown): object => ({ spec: { template: { spec: { requirements: list } } } });

/** Stored there now, whatever was answered. */
export async function stored(on: Guarded, pool: KubernetesObject): Promise<Answer> {
  return on.request("system:admin", "GET", await objectPath(on, pool));
}
