/** Attacks of a namespace user, and of a NodePool author with requirements and labels. */
import type { Answer } from "../../controlplane/https-client.ts";
import { create, remove } from "../../controlplane/objects.ts";
import { classOf, END, poolOf } from "../guarded-cluster.ts";
import { type Attack, outcomeOfAll } from "./attack.ts";
import { claimOf, FRONT, KEYS, patch, POLICY, WHO } from "./guarded-clusters.ts";
import { AUTHOR, change, LIST, lists, MORE, onStored, OWN, stored, tried } from "./on-pools.ts";

export const OF_LISTS: readonly Attack[] = [
  {
    who: "namespace user",
    tries: "write NodePools, EC2NodeClasses or NodeClaims",
    api: "refused",
    by: "RBAC",
    act: async (on) => {
      const objects = [poolOf("mine", []), classOf("mine"), claimOf("mine")];
      const answers = objects.map((object) => create(on, WHO["namespace user"], object));
      return outcomeOfAll(await Promise.all(answers), /^403 .* is forbidden/);
    },
  },
  {
    who: "pool author",
    tries: "bypass the policy on a label that a node may lack, by entries, bounds or template labels",
    api: "refused",
    by: "the test of each key, in CEL",
    act: async (on) => {
      const pools = [
        poolOf("a", [{ key: KEYS.tier, operator: "In", values: ["bronze"] }]),
        poolOf("b", [{ key: KEYS.tier, operator: "DoesNotExist" }]),
        poolOf("c", [{ key: KEYS.tier, operator: "NotIn", values: ["gold", "silver"] }]),
        poolOf("d", [{ key: KEYS.gpus, operator: "DoesNotExist" }]),
        poolOf("e", [{ key: KEYS.gpus, operator: "Lt", values: ["1"] }]),
        poolOf("f", [{ key: KEYS.gpus, operator: "In", values: ["0"] }]),
        poolOf("g", [], { [KEYS.tier]: "bronze" }),
        poolOf("h", [], { [KEYS.gpus]: "0" }),
      ];
      return outcomeOfAll(await tried(on, pools), /^422 .*(would admit nodes that the policy does not|is invalid)/);
    },
  },
  {
    who: "pool author",
    tries: "change the entries above the mark, or forge other ones",
    api: "refused",
    by: "only known entries may be above the mark: the policy's, or the stored ones",
    act: async (on) => {
      const own = lists([END], [MORE, END], [...POLICY.slice(1), END], [...POLICY.toReversed(), END, ...OWN]);
      const made = await tried(on, own);
      const changed = await onStored(on, async (pool) => [
        await patch(on, AUTHOR, pool, [{ op: "remove", path: `${LIST}/0` }], { type: "json-patch" }),
        await patch(on, AUTHOR, pool, [{ op: "move", from: `${LIST}/4`, path: `${LIST}/0` }], { type: "json-patch" }),
        await patch(on, AUTHOR, pool, [{ op: "replace", path: `${LIST}/0/values`, value: ["arm64"] }], {
          type: "json-patch",
        }),
        await patch(on, AUTHOR, pool, change([MORE, ...FRONT])),
      ]);
      return outcomeOfAll([...made, ...changed], /^422 what stands above the entry/);
    },
  },
  {
    who: "pool author",
    tries: "forge the mark: twice, with values, or as a template label",
    api: "refused",
    by: "exactly one mark, without values",
    act: async (on) => {
      const pools = [
        ...lists([...FRONT, END], [END, ...FRONT], [...POLICY, { ...END, operator: "Exists" }]),
        poolOf("value", [...POLICY, { key: END.key, operator: "In", values: ["x"] }]),
        poolOf("many", [...POLICY, { ...END, minValues: 1 }]),
        poolOf("label", [], { [END.key]: "" }),
      ];
      return outcomeOfAll(await tried(on, pools), /^422 .*marks where the AutoNodePolicy's entries end/);
    },
  },
  {
    who: "pool author",
    tries: "imitate the mark: other letters, capitals, spaces",
    api: "no effect",
    by: "it is one of the pool's own entries, or an invalid label key",
    act: async (on) => {
      const keys = [
        "anp.hypershift.openshift.io/Policy-End",
        "anp.hypershift.openshift.io/policy-end ",
        "аnp.hypershift.openshift.io/policy-end",
        "anp.hypershift.openshift.io/policy‐end",
        "ANP.hypershift.openshift.io/policy-end",
        "policy-end",
      ];
      const pools = lists(...keys.map((key) => [{ key, operator: "DoesNotExist" }, ...OWN]));
      return outcomeOfAll(await tried(on, pools), /^422 .*key: Invalid value/);
    },
  },
  {
    who: "pool author",
    tries: "send a list that is too long to evaluate: ten thousand entries, a megabyte of values, endless exclusions",
    api: "refused",
    by: "the size is checked before the entries",
    act: async (on) => {
      const many = (count: number, of: (at: number) => object) => Array.from({ length: count }, (_, at) => of(at));
      const values = Array.from({ length: 40_000 }, (_, at) => `value-${at}`);
      const numbers = (first: number, count: number) => Array.from({ length: count }, (_, at) => String(first + at));
      const pools = lists(
        many(10_000, (at) => ({ key: `example.com/k${at}`, operator: "Exists" })),
        [{ key: KEYS.tier, operator: "NotIn", values }],
        many(97, (at) => ({ key: KEYS.gpus, operator: "NotIn", values: numbers(at * 500, 500) })),
        many(97, () => ({ key: KEYS.gpus, operator: "In", values: numbers(0, 500) })),
      );
      const answers: Answer[] = [];
      for (const pool of pools) answers.push(...(await tried(on, [pool])));
      return outcomeOfAll(answers, /^422 .*(at most \d+ (values|requirements)|Too many)/s);
    },
  },
  {
    who: "pool author",
    tries: "fill the list before the guard is installed, so that it has no room for a policy",
    api: "no effect",
    files: "–",
    by: "such a pool is blocked, and keeps its entries",
    act: async (on) => {
      const full = Array.from(
        { length: 98 },
        (_, at) => ({ key: `example.com/k${at % 9}`, operator: "Exists" }) as const,
      );
      const pool = poolOf("full", full);
      await on.withoutGuard(async () => {
        const { status, text } = await create(on, AUTHOR, pool);
        if (status !== 201) throw new Error(text);
      });
      const answers = [await patch(on, "system:admin", pool, {}), await stored(on, pool)];
      await remove(on, "system:admin", pool);
      return outcomeOfAll(answers);
    },
  },
];
