/** Attacks of a tenant with all verbs on Karpenter's two API groups, beyond those of a pool author. */
import type { Answer } from "../../controlplane/https-client.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { create, remove } from "../../controlplane/objects.ts";
import { collectionPath, objectPath } from "../../controlplane/rest-path.ts";
import { classOf, outcomeOf, poolOf } from "../guarded-cluster.ts";
import { type Attack, outcomeOfAll } from "./attack.ts";
import { claimOf, type Guarded, KEYS, patch, WHO } from "./guarded-clusters.ts";
import { claimsByHand, EVIL_STATUSES, OWN } from "./on-pools.ts";

const TENANT = WHO.tenant;

/** Objects as Karpenter or a policy creates them, and a tenant's changes. */
async function withStored<Result>(
  on: Guarded,
  objects: readonly KubernetesObject[],
  act: () => Promise<Result>,
): Promise<Result> {
  for (const object of objects) {
    const { status, text } = await create(on, WHO.Karpenter, object);
    if (status !== 201) throw new Error(text);
  }
  try {
    return await act();
  } finally {
    for (const object of objects) {
      await patch(on, WHO.Karpenter, object, { metadata: { finalizers: null } });
      await remove(on, WHO.Karpenter, object);
    }
  }
}

function mustSucceed(answers: readonly Answer[]): void {
  for (const answer of answers) if (answer.status >= 300) throw new Error(`${answer.status} ${outcomeOf(answer)}`);
}

const OVERLAY: KubernetesObject = {
  apiVersion: "karpenter.sh/v1alpha1",
  kind: "NodeOverlay",
  metadata: { name: "mine" },
  spec: {
    requirements: [{ key: KEYS.arch, operator: "In", values: ["arm64"] }],
    priceAdjustment: "-99%",
    capacity: { "example.com/gpu": "8" },
  },
};

export const OF_TENANTS: readonly Attack[] = [
  {
    who: "tenant",
    tries: "create a NodeClaim, with a pool as label and owner",
    api: "refused",
    by: "Karpenter's user",
    act: async (on) => {
      const answers = [];
      for (const claim of claimsByHand("mine")) answers.push(await create(on, TENANT, claim, { dryRun: true }));
      return outcomeOfAll(answers, /^422 NodeClaims are Karpenter's alone to make/);
    },
  },
  {
    who: "tenant",
    tries: "change a NodeClaim's spec, or Karpenter's labels and annotations there",
    api: "refused",
    by: "the CRD, and the keys that only Karpenter may write",
    act: (on) =>
      withStored(on, [claimOf("changed")], async () => {
        const change = (of: object): Promise<Answer> => patch(on, TENANT, claimOf("changed"), of);
        const answers = [
          await change({ spec: { expireAfter: "Never" } }),
          await change({ spec: { terminationGracePeriod: "9999h" } }),
          await change({ spec: { requirements: [] } }),
          await change({ metadata: { labels: { "karpenter.sh/nodepool": "other" } } }),
          await change({ metadata: { labels: { "karpenter.sh/capacity-type": null } } }),
          await change({ metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } }),
        ];
        // A missing field cannot be removed.
        return outcomeOfAll(
          answers.filter(({ status, body }) => status >= 300 || body.metadata?.["generation"] !== 1),
          /^422 .*(spec is immutable|are Karpenter's to write)/s,
        );
      }),
  },
  {
    who: "tenant",
    tries: "write status fields that Karpenter launches from",
    api: "refused",
    by: "Karpenter's user",
    act: (on) => {
      const objects = EVIL_STATUSES.map(([object]) => object);
      return withStored(on, objects, async () => {
        const answers: Answer[] = [];
        for (const [object, status] of EVIL_STATUSES)
          answers.push(await patch(on, TENANT, object, { status }, { sub: "/status" }));
        return outcomeOfAll(answers, /^422 The status of .* is Karpenter's alone to write/);
      });
    },
  },
  {
    who: "tenant",
    tries: "apply another list by force as the field manager of Karpenter or anp",
    api: "refused",
    by: "the test of each key: field managers do not matter",
    act: (on) =>
      withStored(on, [poolOf("applied", OWN)], async () => {
        const pool = poolOf("applied", [{ key: KEYS.gpus, operator: "DoesNotExist" }]);
        const path = await objectPath(on, pool);
        const headers = { "content-type": "application/apply-patch+yaml" };
        const answers: Answer[] = [];
        for (const manager of ["karpenter", "anp"])
          answers.push(
            await on.request(
              TENANT,
              "PATCH",
              `${path}?fieldManager=${manager}&force=true`,
              JSON.stringify(pool),
              headers,
            ),
          );
        return outcomeOfAll(answers, /^422 .*would admit nodes that the policy does not/);
      }),
  },
  {
    who: "tenant",
    tries: "delete all pools, classes and NodeClaims, and create pools again",
    api: "no effect",
    by: "new objects have the same rules",
    act: (on) =>
      withStored(on, [classOf("all"), poolOf("all", OWN), claimOf("all")], async () => {
        const answers: Answer[] = [];
        for (const object of [poolOf("all", []), classOf("all"), claimOf("all")])
          answers.push(await on.request(TENANT, "DELETE", await collectionPath(on, object)));
        mustSucceed(answers);
        return outcomeOfAll([await create(on, TENANT, poolOf("all", OWN), { dryRun: true })]);
      }),
  },
  {
    who: "tenant",
    tries: "delete a pool and keep its NodeClaims: orphaned, or with their owner removed",
    api: "succeeds",
    by: "their own `expireAfter`; a later policy does not apply to them",
    act: (on) =>
      withStored(on, [poolOf("left", OWN), claimOf("left")], async () => {
        const path = await objectPath(on, poolOf("left", []));
        mustSucceed([
          await patch(on, TENANT, claimOf("left"), { metadata: { ownerReferences: null } }),
          await on.request(TENANT, "DELETE", `${path}?propagationPolicy=Orphan`),
        ]);
        const left = await on.request(TENANT, "GET", await objectPath(on, claimOf("left")));
        return left.body.metadata?.["deletionTimestamp"] === undefined ? "succeeds" : "no effect";
      }),
  },
  {
    who: "tenant",
    tries: "remove the finalizers from a NodeClaim and delete it, so that its instance is left behind",
    api: "no effect",
    by: "Karpenter's garbage collection terminates instances without a NodeClaim, without a drain",
    act: (on) => {
      const claim = claimOf("left");
      const metadata = { ...claim.metadata!, finalizers: ["karpenter.sh/termination"] };
      return withStored(on, [{ ...claim, metadata }], async () => {
        mustSucceed([
          await remove(on, TENANT, claim),
          await patch(on, TENANT, claim, { metadata: { finalizers: null } }),
        ]);
        const { status } = await on.request(TENANT, "GET", await objectPath(on, claim));
        return status === 404 ? "no effect" : "refused";
      });
    },
  },
  {
    who: "tenant",
    tries: "create a NodeOverlay: another price, or capacity that does not exist",
    api: "no effect",
    by: "an overlay changes which admitted type is launched, and its price, if that feature gate is on",
    act: async (on) => {
      mustSucceed([await create(on, TENANT, OVERLAY, { dryRun: true })]);
      const types = structuredClone(OVERLAY);
      (types.spec as { capacity: object }).capacity = { cpu: "1" };
      const refused = await create(on, TENANT, types, { dryRun: true });
      if (refused.status !== 422) throw new Error(outcomeOf(refused));
      return "no effect";
    },
  },
];
