/** Actions of a pool author in every attack: dry-run creation, and writes to a stored pool. */
import type { Answer } from "../../controlplane/https-client.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { create, remove } from "../../controlplane/objects.ts";
import { objectPath } from "../../controlplane/rest-path.ts";
import { classOf, type Entries, poolOf } from "../guarded-cluster.ts";
import { claimOf, type Guarded, patch, WHO } from "./guarded-clusters.ts";

export const AUTHOR = WHO["pool author"];
export const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["large"] }];
export const MORE = { key: "example.com/more", operator: "Exists" } as const;
export const LIST = "/spec/template/spec/requirements";

export const tried = (on: Guarded, pools: readonly KubernetesObject[]): Promise<Answer[]> =>
  Promise.all(pools.map((pool) => create(on, AUTHOR, pool, { dryRun: true, fieldValidation: "Ignore" })));

export const lists = (...all: readonly unknown[]): KubernetesObject[] =>
  all.map((list, at) => poolOf(`list-${at}`, list));

/** A stored pool, and a write to it. */
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

/** What is stored now, regardless of the response. */
export async function stored(on: Guarded, pool: KubernetesObject): Promise<Answer> {
  return on.request("system:admin", "GET", await objectPath(on, pool));
}

/** Objects that Karpenter launches from, as an attacker would write them: an object and its status. */
export const EVIL_STATUSES: readonly (readonly [KubernetesObject, object])[] = [
  [classOf("launched"), { amis: [{ id: "ami-evil", requirements: [] }], instanceProfile: "admin" }],
  [claimOf("launched"), { providerID: "aws:///us-east-1a/i-0evil" }],
  [poolOf("launched", OWN), { nodes: 3 }],
];

/** A NodeClaim with a pool as label and owner, with a fixed and a generated name. */
export function claimsByHand(pool: string): KubernetesObject[] {
  const { name: _, ...metadata } = claimOf(pool).metadata!;
  return [claimOf(pool), { ...claimOf(pool), metadata: { ...metadata, generateName: `${pool}-` } }];
}
