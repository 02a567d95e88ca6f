/** Which keys of a policy a wrapper could get round, by which entry, and what leads past the wrappers (karpenter.md 1.4). */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATALOGUE, clusterOf, entry } from "../../test/analyze/market.ts";
import { requirementsOf } from "../karpenter/requirements.ts";
import { typeFilter } from "../karpenter/type-filter.ts";
import { indexesOf, without } from "../karpenter/type-mask.ts";
import { describeProof, type DescribedProof } from "./describe-proof.ts";
import { prove } from "./prove.ts";

const FILTER = typeFilter(CATALOGUE);

function proofOf(policy: readonly string[] | undefined, config = "{requirePolicy: true}"): DescribedProof {
  const { bundle } = clusterOf({ ...(policy === undefined ? {} : { policy }), config });
  return describeProof(prove(bundle, policy === undefined ? { requirePolicy: false } : {}, FILTER)!);
}

describe("a key of the policy", () => {
  it.each([
    ["arch In amd64", "always", "holds", undefined],
    ["cpu Gte 4", "always", "holds", undefined],
    ["gpus NotIn 4", "optional", "holds", undefined],
    ["gpus DoesNotExist", "optional", "holds", undefined],
    ["tier NotIn bronze", "custom", "holds", undefined],
    ["gpus In 1", "optional", "guarded", 6],
    ["gpus Exists", "optional", "guarded", 6],
    ["gpus Lt 4", "optional", "guarded", 6],
    ["tier In gold", "custom", "guarded", 0],
    ["tier Exists", "custom", "guarded", 0],
  ] as const)("%s (%s): %s", (text, presence, result, types) => {
    const [key] = proofOf([text]).keys;
    expect([key?.presence, key?.result, key?.escape?.types]).toStrictEqual([presence, result, types]);
    if (types === undefined) return;
    expect(key?.escape).toStrictEqual({
      entry: { key: entry(text).key, operator: "DoesNotExist" },
      effective: "DoesNotExist",
      types,
      names: types === 0 ? [] : CATALOGUE.names.filter((name) => !name.startsWith("g")),
    });
  });

  it("has all of its entries together", () => {
    const proof = proofOf(["gpus Gte 1", "gpus NotIn 4"]);
    expect(proof.keys).toStrictEqual([
      {
        key: "karpenter.k8s.aws/instance-gpu-count",
        presence: "optional",
        result: "holds",
        policy: "NotIn [4] >=1",
        places: [
          { file: "policy.yaml", line: 2 },
          { file: "policy.yaml", line: 3 },
        ],
      },
    ]);
  });
});

describe("the whole", () => {
  it.each<[string, readonly string[] | undefined, string, DescribedProof["result"], number, readonly string[]]>([
    ["holds", ["arch In amd64"], "{requirePolicy: true}", "holds", 6, []],
    ["holds through anp", ["arch In amd64", "gpus Exists"], "{requirePolicy: true}", "guarded", 2, []],
    ["admits nothing", ["type In m5.xlarge", "cpu Gt 4"], "{requirePolicy: true}", "holds", 0, []],
    [
      "is open to objects by hand",
      ["arch In amd64"],
      "{requirePolicy: true, admission: {mode: None}}",
      "open",
      6,
      ["open config.yaml:4"],
    ],
    [
      "is open to NodeClaims by hand",
      ["arch In amd64"],
      "{requirePolicy: true, admission: {nodeClaims: None}}",
      "open",
      6,
      ["open config.yaml:4"],
    ],
    [
      "trusts writers",
      ["arch In amd64"],
      "{requirePolicy: true, admission: {allowedWriters: [argocd]}}",
      "holds",
      6,
      ["trusted config.yaml:4"],
    ],
    ["goes with the policy", ["arch In amd64"], "{}", "holds", 6, ["trusted undefined:undefined"]],
    ["has no policy", undefined, "{}", "no-policy", 0, []],
  ])("%s", (_what, policy, config, result, compatible, ways) => {
    const proof = proofOf(policy, config);
    expect([proof.result, proof.admitted.compatible]).toStrictEqual([result, compatible]);
    expect(proof.ways.map(({ who, file, line }) => `${who} ${file}:${line}`)).toStrictEqual(ways);
  });
});

describe("any policy", () => {
  const entries = fc.constantFrom(
    "arch In amd64",
    "arch NotIn arm64",
    "cpu Gte 8",
    "gpus Exists",
    "gpus In 1,4",
    "gpus NotIn 4",
    "gpus Lt 4",
    "gpus DoesNotExist",
    "family In m5,g5",
    "zone In us-east-1a",
    "capacity In on-demand",
  );
  const wrapper = fc.constantFrom(
    "arch Exists",
    "arch DoesNotExist",
    "arch NotIn amd64",
    "cpu Lt 9",
    "cpu NotIn 8",
    "gpus DoesNotExist",
    "gpus NotIn 1",
    "gpus NotIn 99",
    "gpus Gt 0",
    "gpus In 7",
    "family NotIn m5",
    "family DoesNotExist",
    "zone NotIn us-east-1a",
    "zone Exists",
    "capacity In spot",
  );

  it("is got round by no wrapper where it holds, and by the entry that is shown where not", () => {
    fc.assert(
      fc.property(
        fc.array(entries, { minLength: 1, maxLength: 3 }),
        fc.array(wrapper, { maxLength: 3 }),
        (policy, user) => {
          const types = (texts: readonly string[]) => FILTER.compatible(requirementsOf(texts.map(entry)));
          const outside = indexesOf(without(types([...policy, ...user]), types(policy)));
          const proof = proofOf(policy);
          if (proof.result === "holds") expect(outside).toStrictEqual([]);
          for (const { escape, key } of proof.keys) {
            if (escape === undefined) continue;
            const ofKey = policy.filter((text) => entry(text).key === key);
            const letIn = indexesOf(without(types([...ofKey, "gpus DoesNotExist"]), types(ofKey)));
            expect(escape.names).toStrictEqual(letIn.map((type) => CATALOGUE.names[type]));
          }
        },
      ),
    );
  });
});
