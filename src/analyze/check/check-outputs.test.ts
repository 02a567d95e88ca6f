/** Objects with anp's marks, compared with what anp renders now. */
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { formatObjects } from "../../krm/yaml/write.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { gatherBundles } from "../../model/inputs/gather.ts";
import { renderAll } from "../../render/render-all.ts";
import { checkOutputs } from "./check-outputs.ts";
import { resolveInTurn } from "../../resolve/resolve.ts";

type Files = Readonly<Record<string, string>>;

/** Anything, for edits. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests write any field
type Any = any;

const GROUP = "karpenter.hypershift.openshift.io";
const policy = (namespace: string) => `
apiVersion: ${GROUP}/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: ${namespace}}
spec: {nodePoolDefaults: {requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}}
`;
const pool = (name: string) => `
apiVersion: ${GROUP}/v1beta1
kind: OpenshiftNodePool
metadata: {name: ${name}}
spec:
  template:
    spec:
      nodeClassRef: {group: ${GROUP}, kind: OpenshiftEC2NodeClass, name: web}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]
      taints: [{key: a, effect: NoSchedule}, {key: b, effect: NoSchedule}]
`;
const NODE_CLASS = `
apiVersion: ${GROUP}/v1
kind: OpenshiftEC2NodeClass
metadata: {name: web}
spec: {tags: {team: a}, metadataOptions: {httpTokens: Optional}}
`;
const CONTROL_PLANE = `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedControlPlane
metadata:
  name: shop
  namespace: clusters-shop
  annotations: {hypershift.openshift.io/aws-karpenter-default-instance-profile: nodes}
spec: {infraID: shop-1, platform: {aws: {resourceTags: [{key: owner, value: us}]}}}
`;
const userData = (value: string) => `
apiVersion: v1
kind: Secret
metadata:
  name: user-data
  namespace: clusters-shop
  labels: {hypershift.openshift.io/managed-by-karpenter: "true", hypershift.openshift.io/ami: ami-1}
  annotations: {hypershift.openshift.io/nodePool: clusters-shop/web-karpenter}
stringData: {value: ${value}}
`;

const SHOP: Files = { "policy.yaml": policy("clusters-shop"), "pool.yaml": pool("web"), "class.yaml": NODE_CLASS };

function gather(files: Files) {
  const sources = Object.entries(files).map(([file, text]) => {
    const folder = file.includes("/") ? `/${file.slice(0, file.lastIndexOf("/"))}` : "/";
    return { file, folder, text, explicit: true, trusted: true, config: false };
  });
  const parsed = parseSources(sources);
  const gathered = gatherBundles(parsed.value, {});
  const found = [...parsed.findings, ...gathered.findings];
  return { gathered: gathered.value, errors: found.filter(({ severity }) => severity === "error") };
}

function rendered(files: Files, options = {}): Any[] {
  const clusters = renderAll(gather(files).gathered.bundles, options, resolveInTurn).value;
  return clusters.flatMap(({ objects }) => objects.map(({ object }) => structuredClone(object)));
}

function told(files: Files, options = {}): string[] {
  const { gathered, errors } = gather(files);
  expect(errors).toStrictEqual([]);
  const findings = checkOutputs(gathered, renderAll(gathered.bundles, options, resolveInTurn).value);
  expect(new Set(findings.map(({ code }) => code)).size).toBeLessThan(2);
  return findings.map(({ message }) => message);
}

/** The findings about the rendered objects of the files after an edit, beside the files. */
function afterEdit(edit: (object: Any, all: Any[]) => void, files: Files = SHOP, now: Files = files): string[] {
  const objects = rendered(files);
  for (const object of objects) edit(object, objects);
  return told({ ...now, "output.yaml": formatObjects(objects, "yaml") });
}

const on = (kind: string, edit: (object: Any) => void) => (object: Any) => {
  if (
    object.kind === kind &&
    !["ec2nodeclass", "nodeclaim", "status"].some((name) => object.metadata.name.includes(name))
  )
    edit(object);
};

describe("output is in order", () => {
  it("as it was rendered", () => {
    expect(rendered(SHOP).map(({ kind }) => kind)).toHaveLength(10);
    expect(afterEdit(() => undefined)).toStrictEqual([]);
  });

  it.each<[string, (object: Any) => void]>([
    ["with the fields of a server", (o) => Object.assign(o, { status: { nodes: 1 } })],
    [
      "with Karpenter's annotations and labels of users",
      (o) => {
        o.metadata.annotations["karpenter.sh/nodepool-hash"] = "1";
        o.metadata.labels["team"] = "a";
        Object.assign(o.metadata, { uid: "1", resourceVersion: "2", generation: 3, managedFields: [] });
      },
    ],
    [
      "with the defaults of a NodePool",
      on("NodePool", (o) => {
        o.spec.template.spec.expireAfter = "720h";
        o.spec.disruption = {
          budgets: [{ nodes: "10%" }],
          consolidateAfter: "0s",
          consolidationPolicy: "WhenEmptyOrUnderutilized",
        };
      }),
    ],
    [
      "with the defaults of metadataOptions",
      on("EC2NodeClass", (o) =>
        Object.assign(o.spec.metadataOptions, {
          httpEndpoint: "enabled",
          httpProtocolIPv6: "disabled",
          httpPutResponseHopLimit: 1,
        }),
      ),
    ],
    [
      "with the defaults of an admission policy",
      on("ValidatingAdmissionPolicy", (o) => {
        Object.assign(o.spec.matchConstraints, {
          matchPolicy: "Equivalent",
          namespaceSelector: {},
          objectSelector: {},
        });
        o.spec.matchConstraints.resourceRules[0].scope = "*";
      }),
    ],
    [
      "with taints in another order",
      on("NodePool", (o) => (o.spec.template.spec.taints = o.spec.template.spec.taints.toReversed())),
    ],
  ])("%s", (_what, edit) => {
    expect(afterEdit(edit)).toStrictEqual([]);
  });

  it("with hidden inputs that this run does not have", () => {
    const whole = { ...SHOP, "hcp.yaml": CONTROL_PLANE, "secret.yaml": userData("token") };
    const edit = on("EC2NodeClass", (o) => {
      expect(Object.keys(o.spec)).toStrictEqual(
        expect.arrayContaining(["amiSelectorTerms", "instanceProfile", "subnetSelectorTerms"]),
      );
      o.spec.userData = "token";
    });
    expect(afterEdit(edit, whole)).toStrictEqual([]);
    expect(afterEdit(edit, whole, SHOP)).toStrictEqual([]);
  });

  it("of a wrapper with errors of its own, because its output is unknown", () => {
    const broken = { ...SHOP, "pool.yaml": pool("web").replace("operator: In", "operator: In2") };
    expect(afterEdit(() => undefined, SHOP, broken)).toStrictEqual([]);
  });

  it("if nothing is rendered at all", () => {
    const objects = rendered(SHOP);
    expect(told({ ...SHOP, "o.yaml": formatObjects(objects, "yaml") }, { autoNode: false })).toStrictEqual([]);
  });
});

describe("output is stale", () => {
  const STALE = "differs from what";

  it.each<[string, (object: Any, all: Any[]) => void, string[]]>([
    [
      "with another requirement",
      on("NodePool", (o) => (o.spec.template.spec.requirements[0].values = ["arm64"])),
      [`NodePool web ${STALE} OpenshiftNodePool web renders to: spec.template.spec.requirements[0].values`],
    ],
    [
      "with a default's field that has another value",
      on("NodePool", (o) => (o.spec.template.spec.expireAfter = "Never")),
      [`NodePool web ${STALE} OpenshiftNodePool web renders to: spec.template.spec.expireAfter`],
    ],
    [
      "without a spec",
      on("NodePool", (o) => delete o.spec),
      [`NodePool web ${STALE} OpenshiftNodePool web renders to: spec`],
    ],
    [
      "with a condition that exempts a user",
      on("ValidatingAdmissionPolicy", (o) => o.spec.matchConditions.push({ name: "x", expression: "false" })),
      [
        `ValidatingAdmissionPolicy karpenter.nodepool.hypershift.io ${STALE} AutoNodePolicy default renders to: spec.matchConditions[1]`,
      ],
    ],
    [
      "with a selector that leaves objects out",
      on("ValidatingAdmissionPolicy", (o) => (o.spec.matchConstraints.objectSelector = { matchLabels: { a: "b" } })),
      [
        `ValidatingAdmissionPolicy karpenter.nodepool.hypershift.io ${STALE} AutoNodePolicy default renders to: spec.matchConstraints.objectSelector.matchLabels`,
      ],
    ],
    [
      "with a binding that only warns",
      on("ValidatingAdmissionPolicyBinding", (o) => (o.spec.validationActions = ["Warn"])),
      [
        `ValidatingAdmissionPolicyBinding karpenter-binding.nodepool.hypershift.io ${STALE} AutoNodePolicy default renders to: spec.validationActions`,
      ],
    ],
    [
      "of another version",
      on("NodePool", (o) => (o.apiVersion = "karpenter.sh/v1beta1")),
      ["NodePool web has the apiVersion karpenter.sh/v1beta1, but anp renders karpenter.sh/v1"],
    ],
    [
      "of a wrapper that is not there",
      on("NodePool", (o) => {
        o.metadata.name = "gone";
        o.metadata.annotations["anp.hypershift.openshift.io/rendered-from"] = "OpenshiftNodePool/gone";
      }),
      ["NodePool gone is marked as rendered from OpenshiftNodePool gone, but nothing with its name is rendered now"],
    ],
    [
      "that names the wrapper of another object",
      on("NodePool", (o) => (o.metadata.name = "copy")),
      ["NodePool copy is marked as rendered from OpenshiftNodePool web, but nothing with its name is rendered now"],
    ],
    [
      "that names another wrapper",
      on(
        "NodePool",
        (o) => (o.metadata.annotations["anp.hypershift.openshift.io/rendered-from"] = "OpenshiftNodePool/x"),
      ),
      ["NodePool web is marked as rendered from OpenshiftNodePool x, but is rendered from OpenshiftNodePool web"],
    ],
    [
      "with an owner that claims it",
      on("NodePool", (o) => {
        const owner = { apiVersion: `${GROUP}/v1beta1`, kind: "OpenshiftNodePool", name: "web", controller: true };
        o.metadata.ownerReferences = [owner];
        o.spec.weight = 7;
      }),
      [`NodePool web ${STALE} OpenshiftNodePool web renders to: spec.weight`],
    ],
    [
      "beside the one that is in order",
      (o, all) => {
        if (o.kind === "NodePool" && all.length === 10)
          all.push({ ...structuredClone(o), spec: { ...o.spec, weight: 7 } });
      },
      [`NodePool web ${STALE} OpenshiftNodePool web renders to: spec.weight`],
    ],
  ])("%s", (_what, edit, expected) => {
    expect(afterEdit(edit)).toStrictEqual(expected);
  });

  it("if its kind is no longer rendered", () => {
    const skip = `apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nspec: {ec2NodeClasses: Skip}\n`;
    expect(afterEdit(() => undefined, SHOP, { ...SHOP, "config.yaml": skip })).toStrictEqual([
      "EC2NodeClass web is marked as rendered from OpenshiftEC2NodeClass web, but nothing with its name is rendered now",
    ]);
  });

  it("by a tag that the wrapper has, and hidden inputs that this run has", () => {
    const whole = { ...SHOP, "hcp.yaml": CONTROL_PLANE, "secret.yaml": userData("token") };
    const edit = on("EC2NodeClass", (o) => {
      o.spec.amiSelectorTerms = [{ id: "ami-2" }];
      o.spec.userData = "another";
      delete o.spec.tags.team;
    });
    const words = "EC2NodeClass web differs from what OpenshiftEC2NodeClass web renders to:";
    expect(afterEdit(edit, whole)).toStrictEqual([
      `${words} spec.amiSelectorTerms[0], spec.amiSelectorTerms[0], spec.tags.team and 1 more`,
    ]);
    expect(afterEdit(edit, whole, SHOP)).toStrictEqual([`${words} spec.tags.team`]);
  });

  it("and quotes nothing of a document with user data", () => {
    const object = rendered(SHOP).find(({ kind }) => kind === "EC2NodeClass");
    object.spec = { ...object.spec, detailedMonitoring: true, userData: "SECRET" };
    const { gathered } = gather({ ...SHOP, "output.json": JSON.stringify(object) });
    const findings = checkOutputs(gathered, renderAll(gathered.bundles, {}, resolveInTurn).value);
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain("SECRET");
  });
});

describe("several hosted clusters", () => {
  const FLEET: Files = {
    "blog/policy.yaml": policy("clusters-blog").replace("amd64", "arm64"),
    "blog/pool.yaml": pool("web"),
    "shop/policy.yaml": policy("clusters-shop"),
    "shop/pool.yaml": pool("web"),
  };
  const ofShop = formatObjects(
    rendered(FLEET).filter(({ kind, spec }) => kind === "NodePool" && JSON.stringify(spec).includes("amd64")),
    "yaml",
  );
  const words =
    "NodePool web differs from what OpenshiftNodePool web renders to: spec.template.spec.requirements[0].values";

  it.each<[string, string[]]>([
    ["shop/rendered/pool.yaml", []],
    ["rendered/clusters-shop/pool.yaml", []],
    ["anywhere/pool.yaml", []],
    ["blog/rendered/pool.yaml", [words]],
    ["rendered/clusters-blog/pool.yaml", [words]],
    // The folder of a cluster decides, and not the name of a folder in it.
    ["blog/clusters-shop/pool.yaml", [words]],
  ])("each has its own output: %s", (file, expected) => {
    expect(told({ ...FLEET, [file]: ofShop })).toStrictEqual(expected);
  });

  it("an object that no cluster renders is stale", () => {
    const object = parse(ofShop);
    object.spec.weight = 7;
    expect(told({ ...FLEET, "anywhere/pool.yaml": stringify(object) })).toStrictEqual([
      "NodePool web is in no hosted cluster's folder, and no hosted cluster renders it: clusters-blog, clusters-shop",
    ]);
  });
});
