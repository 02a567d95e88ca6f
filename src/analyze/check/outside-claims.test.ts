/** NodeClaims under a policy: those of Karpenter are judged like pools, others are refused. */
import { describe, expect, it } from "vitest";
import { CATALOGUE, entry } from "../../../test/support/instance-types.ts";
import { testSource } from "../../../test/support/source.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { sortRawObjects } from "../../model/objects/raw-objects.ts";
import { readPolicy } from "../../resolve/policy.ts";
import { resolveRaw } from "../../resolve/resolve-raw.ts";
import { settingsOf } from "../../resolve/settings.ts";
import { explainClusters } from "../explain/explain.ts";
import { checkClusters } from "./check.ts";
import { outsidePolicy } from "./outside-claims.ts";

const objects = (...values: readonly object[]): Resource[] =>
  parseSources(values.map((value, index) => testSource(JSON.stringify(value), { file: `${index}.json` }))).value;

const policyOf = (entries: readonly string[]) =>
  readPolicy(
    objects({
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
      kind: "AutoNodePolicy",
      metadata: { name: "default", namespace: "clusters-shop" },
      spec: { nodePoolDefaults: { requirements: entries.map(entry) } },
    })[0]!,
  ).value!;

const REF = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
const OWNER = { apiVersion: "karpenter.sh/v1", kind: "NodePool", name: "web", uid: "w" };
const METADATA = { name: "web-x", uid: "u", labels: { "karpenter.sh/nodepool": "web" }, ownerReferences: [OWNER] };

const claimOf = (entries: readonly string[], metadata: object = METADATA, spec: object = {}): object => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata,
  spec: { nodeClassRef: REF, requirements: entries.map(entry), ...spec },
});

const poolOf = (entries: readonly string[]): object => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: { template: { spec: { nodeClassRef: REF, requirements: entries.map(entry) } } },
});

const OF_POLICY = ["outside-policy", "outside-bounds", "node-claim-by-hand"];

/** The findings about the objects under the policy, without those about all pools. */
function judged(values: readonly object[], policy: readonly string[], config?: string): Finding[] {
  const { value } = sortRawObjects(objects(...values));
  const { nodeClaims } = value;
  const renderConfig =
    config === undefined
      ? undefined
      : parseSources([
          testSource(`apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nspec: ${config}\n`),
        ]).value[0];
  const guarding = renderConfig === undefined ? undefined : settingsOf({ renderConfig }, {}).value;
  const options = { policy: policyOf(policy), guarding, nodeClaims, pricesFor: () => undefined };
  const found = checkClusters(resolveRaw(value).value, CATALOGUE, options);
  return found.filter(({ code }) => OF_POLICY.includes(code));
}

const codes = (found: readonly Finding[]): string[] => found.map(({ code }) => code);

describe("a NodeClaim that looks like one of Karpenter", () => {
  const ENTRIES = ["In", "NotIn", "Exists", "DoesNotExist", "Gte", "Lte"] as const;
  const KEYS: Readonly<Record<string, readonly [string, string]>> = {
    arch: ["amd64", "arm64"],
    gpus: ["1", "4"],
    tier: ["gold", "silver"],
    cpu: ["4", "16"],
  };
  const formsOf = (key: string): string[] =>
    ENTRIES.flatMap((operator) => {
      const [one, other] = KEYS[key]!;
      if (operator === "Exists" || operator === "DoesNotExist") return [`${key} ${operator}`];
      if (operator === "In" || operator === "NotIn")
        return [one, other, `${one},${other}`].map((values) => `${key} ${operator} ${values}`);
      return key === "arch" || key === "tier" ? [] : [one, other].map((value) => `${key} ${operator} ${value}`);
    });
  const cases = Object.keys(KEYS).flatMap((key) =>
    formsOf(key).map((policy) => ({ policy, own: [[], ...formsOf(key).map((one) => [one])] })),
  );

  it.each(cases)("is outside $policy exactly if a pool with its entries is", ({ policy, own }) => {
    const all = [[], ["type In m5.xlarge,m7g.xlarge"], ["type In g4dn.xlarge"]].flatMap((more) =>
      own.map((one) => [...one, ...more]),
    );
    const outside = (found: readonly Finding[]) => new Set(found.map(({ resource }) => resource?.name));
    const named = (index: number) => ({ ...METADATA, name: `x-${index}` });
    const claims = judged(
      all.map((entries, index) => claimOf(entries, named(index))),
      [policy],
    );
    const pools = objects(...all.map((entries, index) => ({ ...poolOf(entries), metadata: { name: `x-${index}` } })));
    const explained = explainClusters(resolveRaw(sortRawObjects(pools).value).value, CATALOGUE);
    const ofPools = explained.flatMap((cluster) => outsidePolicy(cluster, policyOf([policy])));
    const said = (found: ReadonlySet<string | undefined>) =>
      all.map((entries, index) => [...entries, found.has(`x-${index}`)].join("; "));
    expect(said(outside(claims))).toStrictEqual(said(outside(ofPools)));
  });

  it("is launched by its requirements, and not by labels that an instance type determines", () => {
    const labels = { ...METADATA.labels, "kubernetes.io/arch": "amd64" };
    const claim = claimOf(["arch In arm64", "type In m7g.xlarge"], { ...METADATA, labels });
    expect(codes(judged([claim], ["arch In amd64"]))).toStrictEqual(["outside-policy"]);
  });

  it("gives its node its own labels", () => {
    const withTier = (tier: string) =>
      claimOf(["tier In gold"], { ...METADATA, labels: { ...METADATA.labels, "example.com/tier": tier } });
    expect(codes(judged([withTier("gold"), withTier("silver")], ["tier In gold"]))).toStrictEqual(["outside-policy"]);
  });

  it("is compared with the bounds on lifetimes, also if it has none", () => {
    const bounds = "{maxExpireAfter: 168h, maxTerminationGracePeriod: 1h, minDriftedBudget: '1'}";
    const found = judged(
      [
        claimOf([], METADATA, { expireAfter: "168h", terminationGracePeriod: "30m" }),
        claimOf([], METADATA, { expireAfter: "Never", terminationGracePeriod: "2h" }),
        claimOf([], METADATA),
      ],
      [],
      bounds,
    );
    expect(found.map(({ file, field }) => `${file} ${String(field)}`)).toStrictEqual([
      "1.json spec.expireAfter",
      "1.json spec.terminationGracePeriod",
      "2.json spec.expireAfter",
      "2.json spec.terminationGracePeriod",
    ]);
  });

  it("is judged in v1beta1 as in v1, and by the known types of its provider", () => {
    const older = { ...claimOf(["arch In arm64"]), apiVersion: "karpenter.sh/v1beta1" };
    const ref = { nodeClassRef: { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "default" } };
    const [inside, beyond] = ["amd64", "arm64"].map((arch) => claimOf([`arch In ${arch}`], METADATA, ref));
    expect(judged([older, inside!, beyond!], ["arch In amd64"]).map(({ file }) => file)).toStrictEqual([
      "0.json",
      "2.json",
    ]);
  });
});

it.each<[string, object]>([
  ["without uid", { name: "x", labels: METADATA.labels, ownerReferences: [OWNER] }],
  ["with an empty uid", { ...METADATA, uid: "" }],
  ["with a uid that is no text", { ...METADATA, uid: [[]] }],
  ["without the label of a pool", { ...METADATA, labels: {} }],
  ["of another pool than its owner", { ...METADATA, labels: { "karpenter.sh/nodepool": "other" } }],
  ["without owner", { ...METADATA, ownerReferences: [] }],
  ["with owners that are no list", { ...METADATA, ownerReferences: OWNER }],
  ["of an owner of another group", { ...METADATA, ownerReferences: [{ ...OWNER, apiVersion: "example.com/v1" }] }],
  ["of an owner of another kind", { ...METADATA, ownerReferences: [{ ...OWNER, kind: "NodeClass" }] }],
  [
    "of an owner and a pool without names",
    { ...METADATA, labels: {}, ownerReferences: [{ ...OWNER, name: undefined }] },
  ],
  ["with a name to make up", { generateName: "web-" }],
  ["without metadata", {}],
])("a NodeClaim %s is not Karpenter's", (_what, metadata) => {
  expect(codes(judged([claimOf([], metadata)], []))).toStrictEqual(["node-claim-by-hand"]);
});

it.each<[string, unknown]>([
  ["a text", "arch"],
  ["with a number", [1]],
  ["with an unknown operator", [{ key: "a", operator: "Within" }]],
  ["with values that are no texts", [{ key: "a", operator: "In", values: [1] }]],
])("requirements that no API server stores are not Karpenter's: %s", (_what, requirements) => {
  expect(codes(judged([claimOf([], METADATA, { requirements })], []))).toStrictEqual(["node-claim-by-hand"]);
});
