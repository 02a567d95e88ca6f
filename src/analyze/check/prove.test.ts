/** Which keys of a policy a wrapper could bypass, by which entry, and other bypass paths. */
import type { DescribedProof } from "./check-answer.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATALOGUE, clusterOf, entry } from "../../../test/support/instance-types.ts";
import { requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { indexesOf, without } from "../../karpenter/catalogue/type-mask.ts";
import { resolve } from "../../resolve/resolve.ts";
import { describeProof, prove } from "./prove.ts";

const FILTER = typeFilter(CATALOGUE);

function proofOf(policy: readonly string[] | undefined, config = "{requirePolicy: true}"): DescribedProof {
  const { bundle } = clusterOf({ ...(policy === undefined ? {} : { policy }), config });
  return describeProof(prove(resolve(bundle, policy === undefined ? { requirePolicy: false } : {}), FILTER)!);
}

describe("a key of the policy", () => {
  it.each([
    ["arch In amd64", "always", "holds", undefined],
    ["cpu Gte 4", "always", "holds", undefined],
    ["gpus In 1", "optional", "guarded", 6],
    ["gpus Exists", "optional", "guarded", 6],
    ["gpus Lt 4", "optional", "guarded", 6],
    ["karpenter.k8s.aws/capacity-reservation-type In default", "offering", "guarded", 0],
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

  it.each([
    ["gpus NotIn 4", "optional", "4"],
    ["gpus DoesNotExist", "optional", ""],
    ["tier NotIn silver,bronze", "custom", "bronze"],
  ] as const)("%s (%s): guarded, by a template label", (text, presence, value) => {
    const { key } = entry(text);
    expect(proofOf([text]).keys).toMatchObject([
      {
        presence,
        result: "guarded",
        escape: { label: { key, value }, effective: "DoesNotExist", types: 0, names: [] },
      },
    ]);
  });

  it.each<[string, readonly string[], string | null, boolean]>([
    ["a number that is excluded", ["tier NotIn 5", "tier Gt 4", "tier Lt 6"], "5", true],
    ["it among others", ["tier NotIn 5", "tier Gt 4", "tier Lt 8"], "5", false],
    ["an empty value", ["tier In ,gold"], null, false],
  ])("leaks: %s", (_what, policy, value, always) => {
    const { keys, result } = proofOf(policy);
    expect(result).toBe("open");
    expect(keys).toMatchObject([{ result: "leaks", nodesGet: { value, always } }]);
    expect(keys[0]).not.toHaveProperty("escape");
  });

  it.each<[string, readonly string[]]>([
    ["tier NotIn 5,7", ["open policy.yaml:2: a pod with node affinity example.com/tier Gt 4 and Lt 6"]],
    ["tier Exists", ['open policy.yaml:2: a pod with the node selector example.com/tier: ""']],
    ["tier NotIn gold", []],
    ["tier In gold", []],
    [
      "tier Gt 4",
      ["open policy.yaml:2: two pods, one with node affinity NotIn on example.com/tier and one with DoesNotExist"],
    ],
    ["tier DoesNotExist", []],
    ["gpus NotIn 5", []],
  ])("%s: how pods can bypass it", (text, ways) => {
    const proof = proofOf([text]);
    expect(proof.ways.map(({ who, file, line, what }) => `${who} ${file}:${line}: ${what}`)).toStrictEqual([
      ...ways,
      "trusted undefined:undefined: a NodeClaim made, or a status written, as system:admin",
    ]);
    expect(proof.result).toBe(ways.length === 0 ? "guarded" : "open");
  });

  const TYPE = "karpenter.k8s.aws/capacity-reservation-type";
  const GROUP = "karpenter.k8s.aws/placement-group-id";
  it.each<[readonly string[], string, string, boolean | undefined]>([
    [[`${TYPE} Exists`], "offering", "leaks", false],
    [[`${TYPE} Exists`, "capacity In reserved"], "offering", "guarded", undefined],
    [[`${TYPE} In default`], "offering", "guarded", undefined],
    [[`${TYPE} NotIn capacity-block`], "offering", "guarded", undefined],
    [[`${GROUP} In pg-1`], "class", "leaks", true],
    [[`${GROUP} Exists`], "class", "leaks", true],
    [[`${GROUP} NotIn pg-1`], "class", "guarded", undefined],
    [["karpenter.k8s.aws/placement-group-partition NotIn 2"], "class", "guarded", undefined],
  ])("%j (%s): %s", (policy, presence, result, always) => {
    const proof = proofOf(policy);
    expect(proof.result).toBe(result === "leaks" ? "open" : "guarded");
    expect([proof.keys[0]?.presence, proof.keys[0]?.result]).toStrictEqual([presence, result]);
    expect(proof.keys[0]?.nodesGet).toStrictEqual(always === undefined ? undefined : { value: null, always });
  });

  it("has all of its entries together", () => {
    const proof = proofOf(["gpus Gte 1", "gpus NotIn 4"]);
    expect(proof.keys).toStrictEqual([
      {
        key: "karpenter.k8s.aws/instance-gpu-count",
        presence: "optional",
        result: "guarded",
        escape: {
          label: { key: "karpenter.k8s.aws/instance-gpu-count", value: "4" },
          effective: "DoesNotExist",
          types: 0,
          names: [],
        },
        policy: "NotIn [4] >=1",
        places: [
          { file: "policy.yaml", line: 2 },
          { file: "policy.yaml", line: 3 },
        ],
      },
    ]);
  });
});

describe("the whole proof", () => {
  const KARPENTER = "trusted undefined:undefined";

  it.each<[string, readonly string[] | undefined, string, DescribedProof["result"], number, readonly string[]]>([
    ["holds", ["arch In amd64"], "{requirePolicy: true}", "holds", 6, [KARPENTER]],
    ["holds through anp", ["arch In amd64", "gpus Exists"], "{requirePolicy: true}", "guarded", 2, [KARPENTER]],
    ["admits nothing", ["type In m5.xlarge", "cpu Gt 4"], "{requirePolicy: true}", "holds", 0, [KARPENTER]],
    [
      "is open to forged NodeClaims if the user of Karpenter is unknown",
      ["arch In amd64"],
      "{requirePolicy: true, profile: karpenter-1.14}",
      "open",
      6,
      ["open config.yaml:4", "open config.yaml:4"],
    ],
    [
      "trusts the user that is named as Karpenter's",
      ["arch In amd64"],
      "{requirePolicy: true, profile: karpenter-1.14, admission: {karpenterUsers: [karpenter]}}",
      "holds",
      6,
      ["trusted config.yaml:4"],
    ],
    [
      "is open to objects by hand",
      ["arch In amd64"],
      "{requirePolicy: true, admission: {mode: None}}",
      "open",
      6,
      ["open config.yaml:4", KARPENTER],
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
      ["trusted config.yaml:4", KARPENTER],
    ],
    ["goes with the policy", ["arch In amd64"], "{}", "holds", 6, [KARPENTER, "trusted undefined:undefined"]],
    ["has no policy", undefined, "{}", "no-policy", 0, [KARPENTER]],
  ])("%s", (_what, policy, config, result, compatible, ways) => {
    const proof = proofOf(policy, config);
    expect([proof.result, proof.admitted.compatible]).toStrictEqual([result, compatible]);
    expect(proof.ways.map(({ who, file, line }) => `${who} ${file}:${line}`)).toStrictEqual(ways);
  });
});

describe("the assumptions", () => {
  const assumed = (policy: readonly string[] | undefined, config?: string) =>
    proofOf(policy, config).assumptions.map(({ what, file, line }) =>
      file === undefined ? what : `${what} ${file}:${line}`,
    );
  const DELETED = "no finalizer keeps a NodePool after its wrapper is removed";
  const ORPHANED = "no NodePool is deleted without its NodeClaims, and no NodeClaim loses its owner";
  const INSTALLED = "Karpenter and the definitions of its API groups stay as they are installed";
  const AUTO_NODE = "the feature gate AutoNode stays on";
  const CATALOGUE_KNOWS = "the catalogue knows which labels instance types have";
  const POLICY = "only its owners write the AutoNodePolicy default policy.yaml:1";
  const CONFIG = "only the owners of the policy write the RenderConfig config.yaml:1";
  const ADMISSION = "the admission policies and their bindings stay as they are rendered";
  const ASKED = "the hosted cluster's API server evaluates the admission policies";
  const CLAIMS = "only Karpenter changes the labels of instance types and zones on NodeClaims";

  it("are all listed, with the exempt users", () => {
    expect(assumed(["gpus Exists"], "{admission: {allowedWriters: [argocd]}}")).toStrictEqual([
      ADMISSION,
      "only the intended users and programs act as system:hosted-cluster-config, argocd, system:admin",
      ASKED,
      CLAIMS,
      DELETED,
      ORPHANED,
      INSTALLED,
      AUTO_NODE,
      "all NodePools are rendered by anp",
      CONFIG,
      POLICY,
      CATALOGUE_KNOWS,
    ]);
  });

  it("leave out what the proof does not rely on", () => {
    const config = "{admission: {mode: None, nodeClaims: None, allowedWriters: [argocd]}}";
    expect(assumed(["arch In amd64"], config)).toStrictEqual([
      "only Karpenter changes labels and annotations of NodeClaims",
      DELETED,
      ORPHANED,
      INSTALLED,
      AUTO_NODE,
      CONFIG,
      POLICY,
      CATALOGUE_KNOWS,
    ]);
    expect(
      assumed(["arch In amd64"], "{profile: karpenter-1.14, admission: {mode: None, allowedWriters: [argocd]}}"),
    ).toContain("only the intended users and programs act as system:hosted-cluster-config");
  });

  it("name the NodeClaims of earlier templates if the grace period is bounded", () => {
    const older = "no NodeClaim has karpenter.sh/nodeclaim-termination-timestamp from an earlier template";
    expect(assumed(["arch In amd64"], "{maxTerminationGracePeriod: 1h}")).toContain(older);
    expect(assumed(["arch In amd64"], "{maxExpireAfter: 1h}")).not.toContain(older);
  });

  it("are empty without a policy", () => {
    expect(assumed(undefined, "{}")).toStrictEqual([]);
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

  it("is bypassed by no wrapper if it holds, and otherwise by the entry shown", () => {
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
            if (escape?.entry === undefined) continue;
            const ofKey = policy.filter((text) => entry(text).key === key);
            const letIn = indexesOf(without(types([...ofKey, "gpus DoesNotExist"]), types(ofKey)));
            expect(escape.names).toStrictEqual(letIn.map((type) => CATALOGUE.names[type]));
          }
        },
      ),
    );
  });
});
