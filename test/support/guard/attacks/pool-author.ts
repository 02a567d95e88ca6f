/** Attacks of a user with write access to NodePools and EC2NodeClasses: by lists, and by related objects. */
import { TERMINATION_TIMESTAMP } from "../../../../src/model/requirements/reserved-keys.ts";
import type { Answer } from "../../controlplane/https-client.ts";
import { create, remove } from "../../controlplane/objects.ts";
import { collectionPath, objectPath } from "../../controlplane/rest-path.ts";
import { classOf, END, poolOf } from "../guarded-cluster.ts";
import { type Attack, outcomeOfAll } from "./attack.ts";
import { claimOf, FRONT, KEYS, patch } from "./guarded-clusters.ts";
import { OF_LISTS } from "./lists.ts";
import { AUTHOR, change, LIST, lists, MORE, onStored, OWN, stored, tried } from "./on-pools.ts";

const OF_OBJECTS: readonly Attack[] = [
  {
    who: "pool author",
    tries: "write the list through /status or /scale, in another version, as YAML, or twice in one request",
    api: "no effect",
    by: "the API server ignores the spec in both, and decodes first",
    act: async (on) => {
      const through = await onStored(on, async (pool) => {
        for (const sub of ["/status", "/scale"]) await patch(on, AUTHOR, pool, change([MORE]), { sub });
        return [await stored(on, pool)];
      });
      const path = `${await collectionPath(on, poolOf("x", []))}?dryRun=All`;
      const post = (text: string, type: string, at = path): Promise<Answer> =>
        on.request(AUTHOR, "POST", at, text, { "content-type": type });
      const text = JSON.stringify(poolOf("twice", OWN));
      const twice = text.replace('"requirements":', '"requirements":[],"requirements":');
      const others = ["v1beta1", "v1alpha5"].map((version) =>
        post(text, "application/json", path.replace("/v1/", `/${version}/`)),
      );
      const answers = [post(twice, "application/json"), post(text, "application/yaml"), ...others];
      return outcomeOfAll([...through, ...(await Promise.all(answers))], /^404 /);
    },
  },
  {
    who: "pool author",
    tries: "apply nothing as another manager, replace, or remove the whole template or list",
    api: "no effect",
    by: "the mutation: an absent list is an empty one",
    act: async (on) =>
      outcomeOfAll(
        await onStored(on, async (pool) => {
          const remove = (path: string) => patch(on, AUTHOR, pool, [{ op: "remove", path }], { type: "json-patch" });
          const path = await objectPath(on, pool);
          const { body } = await stored(on, pool);
          const bare = { ...body, spec: poolOf("x", []).spec! };
          const headers = { "content-type": "application/apply-patch+yaml" };
          const { apiVersion, kind, metadata } = pool;
          const nothing = JSON.stringify({ apiVersion, kind, metadata });
          const answers = [
            await on.request(AUTHOR, "PATCH", `${path}?fieldManager=second&force=true`, nothing, headers),
            await on.request(AUTHOR, "PUT", path, bare),
            await remove(LIST),
            await patch(on, AUTHOR, pool, change(null)),
            await remove("/spec/template"),
          ];
          return [...answers, await stored(on, pool)];
        }),
        /^(403|422|500) .*(template|nodeClassRef|no such key)/s,
      ),
  },
  {
    who: "pool author",
    tries: "forge ownership: owners, finalizers, anp's labels and annotations, a generated name",
    api: "no effect",
    by: "metadata of an object exempts no user",
    act: async (on) => {
      const metadata = {
        generateName: "mine-",
        labels: { "app.kubernetes.io/managed-by": "anp" },
        annotations: {
          "anp.hypershift.openshift.io/guard-of": "AutoNodePolicy",
          "anp.hypershift.openshift.io/rendered-from": "OpenshiftNodePool/default/mine",
          "karpenter.sh/nodepool-hash": "1",
        },
        finalizers: ["example.com/wait"],
        ownerReferences: [
          {
            apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
            kind: "OpenshiftNodePool",
            name: "mine",
            uid: "1",
          },
        ],
        deletionTimestamp: "2026-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 0,
      };
      const claims = { ...poolOf("mine", OWN), metadata: metadata as never };
      return outcomeOfAll(await tried(on, [claims]));
    },
  },
  {
    who: "pool author",
    tries: "forge marks and labels before the guard is installed, so that the pool seems to have the policy",
    api: "no effect",
    files: "–",
    by: "a forged list gets the policy; a label with the mark's key blocks the pool",
    act: async (on) => {
      const front = [MORE, { ...END, operator: "Exists" }] as const;
      const pools = [
        ...lists([...FRONT, ...OWN, END], [...front, ...OWN], [MORE, END, ...OWN], [...FRONT, ...OWN]),
        poolOf("label", OWN, { [END.key]: "x" }),
      ];
      await on.withoutGuard(async () => {
        for (const pool of pools) {
          const { status, text } = await create(on, AUTHOR, pool);
          if (status !== 201) throw new Error(text);
        }
      });
      const answers: Answer[] = [];
      for (const pool of pools) {
        answers.push(await patch(on, "system:admin", pool, {}), await stored(on, pool));
        await remove(on, "system:admin", pool);
      }
      return outcomeOfAll(answers);
    },
  },
  {
    who: "pool author",
    tries: "widen a terminating pool that a finalizer of the author blocks",
    api: "refused",
    by: "a terminating pool has the same rules",
    act: async (on) =>
      outcomeOfAll(
        await onStored(on, async (pool) => {
          await patch(on, AUTHOR, pool, { metadata: { finalizers: ["example.com/wait"] } });
          await remove(on, AUTHOR, pool);
          const labels = { spec: { template: { metadata: { labels: { [KEYS.tier]: "bronze" } } } } };
          const none = [{ key: KEYS.gpus, operator: "DoesNotExist" }];
          return [await patch(on, AUTHOR, pool, change(none)), await patch(on, AUTHOR, pool, labels)];
        }),
        /^422 .*would admit nodes that the policy does not/,
      ),
  },
  {
    who: "pool author",
    tries: "name the class of another provider, now or later",
    api: "refused",
    by: "the reference's group",
    act: async (on) => {
      const made = await tried(on, [
        poolOf("other", OWN, {}, "karpenter.kwok.sh"),
        poolOf("none", OWN, {}, "example.com"),
      ]);
      const group = {
        spec: { template: { spec: { nodeClassRef: { group: "karpenter.kwok.sh", kind: "KWOKNodeClass" } } } },
      };
      const changed = await onStored(on, async (pool) => [await patch(on, AUTHOR, pool, group)]);
      return outcomeOfAll([...made, ...changed], /^422 .*(the AutoNodePolicy is for Karpenter on AWS|immutable)/s);
    },
  },
  {
    who: "pool author",
    tries: "set another root volume in an EC2NodeClass, and forge the guard's annotations",
    api: "no effect",
    by: "the mutation replaces every root device",
    act: async (on) => {
      const small = { volumeSize: "1Gi", encrypted: false };
      const named = ["/dev/xvda", "xvda", "/dev/sda1", "sda1", undefined].map((deviceName) =>
        classOf("mine", [{ ...(deviceName && { deviceName }), rootVolume: true, ebs: small }]),
      );
      const forged = structuredClone(named[0]!);
      forged.metadata!.annotations = {
        "anp.hypershift.openshift.io/root-volume-put": "encrypted false, volumeSize 1Gi",
      };
      const flagged = classOf("mine", [{ deviceName: "/dev/xvdz", rootVolume: true, ebs: small }]);
      const custom = { amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-0a1b" }] };
      const unknown = classOf("mine", [{ deviceName: "/dev/sda", ebs: small }], custom);
      return outcomeOfAll(
        await tried(on, [...named, forged, flagged, unknown]),
        /^422 .*the root device of this class's images is unknown/s,
      );
    },
  },
  {
    who: "pool author",
    tries: "set annotations or labels in the template that Karpenter writes itself, such as the end of a drain",
    api: "refused",
    by: "the list of allowed template keys",
    act: async (on) => {
      const keys = [TERMINATION_TIMESTAMP, "karpenter.k8s.aws/tagged", "later.karpenter.sh/x"];
      const metadata = [
        ...keys.map((key) => ({ annotations: { [key]: "9999-01-01T00:00:00Z" } })),
        { labels: { "karpenter.k8s.aws/ec2nodeclass": "mine" } },
      ];
      const made = metadata.map((one, at) => {
        const pool = poolOf(`key-${at}`, OWN);
        const { template } = pool.spec as { template: object };
        return { ...pool, spec: { template: { ...template, metadata: one } } };
      });
      const changed = await onStored(on, (pool) =>
        Promise.all(metadata.map((one) => patch(on, AUTHOR, pool, { spec: { template: { metadata: one } } }))),
      );
      return outcomeOfAll([...(await tried(on, made)), ...changed], /^422 .* are Karpenter's own/s);
    },
  },
  {
    who: "pool author",
    tries: "create a NodeClaim",
    api: "refused",
    by: "RBAC",
    act: async (on) => outcomeOfAll([await create(on, AUTHOR, claimOf("mine"))], /^403 .* is forbidden/),
  },
];

export const OF_POOL_AUTHORS: readonly Attack[] = [...OF_LISTS, ...OF_OBJECTS];
