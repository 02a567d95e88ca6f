/** Objects in files that claim HyperShift's operator as owner are compared with the render, so they bypass no policy. */
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { run } from "../../support/golden/case.ts";

const GROUP = "karpenter.hypershift.openshift.io";

type Values = Record<string, unknown>;

const POLICY = {
  apiVersion: `${GROUP}/v1beta1`,
  kind: "AutoNodePolicy",
  metadata: { name: "default", namespace: "clusters-shop" },
  spec: {
    nodePoolDefaults: {
      requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: ["m5.xlarge"] }],
    },
  },
};

const ROOT_VOLUME = { ec2NodeClassDefaults: { rootVolume: { volumeSize: "100Gi", volumeType: "gp3" } } };

const POOL = {
  apiVersion: `${GROUP}/v1beta1`,
  kind: "OpenshiftNodePool",
  metadata: { name: "web" },
  spec: { template: { spec: { requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] } } },
};

const CLASS = {
  apiVersion: `${GROUP}/v1`,
  kind: "OpenshiftEC2NodeClass",
  metadata: { name: "web" },
  spec: { subnetSelectorTerms: [{ id: "subnet-1" }], securityGroupSelectorTerms: [{ id: "sg-1" }] },
};

/** The rendered object, as the operator would have created it. */
async function made(kind: string, inputs: readonly object[]): Promise<Values> {
  const { stdout, stderr } = await run(import.meta.dirname, ["render", "-"], streamOf(inputs));
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Values);
  const object = objects.find((one) => one["kind"] === kind);
  if (object === undefined) throw new Error(stderr);
  return { ...object, metadata: ownedBy(`Openshift${kind}`, "web") };
}

function ownedBy(kind: string, name: string): Values {
  return { name: "web", ownerReferences: [{ apiVersion: `${GROUP}/v1`, kind, name, uid: "1", controller: true }] };
}

function streamOf(objects: readonly object[]): string {
  return objects.map((object) => stringify(object)).join("---\n");
}

async function codesOf(...objects: readonly object[]): Promise<string[]> {
  const { stdout } = await run(import.meta.dirname, ["check", "-", "-o", "json"], streamOf(objects));
  const { findings } = JSON.parse(stdout) as { findings: { code: string; severity: string }[] };
  return [
    ...new Set(
      findings.flatMap(({ code }) => (code === "raw-object" || code.startsWith("operator-output") ? [code] : [])),
    ),
  ];
}

/** A copy with one field set from YAML, or removed. */
function having(object: Values, path: string, yaml: string | undefined): Values {
  const copy = structuredClone(object);
  const parts = path.split(".");
  let inner = copy;
  for (const part of parts.slice(0, -1)) inner = (inner[part] ??= {}) as Values;
  if (yaml === undefined) delete inner[parts.at(-1)!];
  else inner[parts.at(-1)!] = parse(yaml);
  return copy;
}

const REQUIREMENTS = "spec.template.spec.requirements";
const INPUTS = [POLICY, POOL, CLASS];

describe("a NodePool", () => {
  it("that equals the rendered wrapper is accepted", async () => {
    expect(await codesOf(...INPUTS, await made("NodePool", INPUTS))).toStrictEqual([]);
  });

  it.each<[path: string, yaml: string | undefined]>([
    [REQUIREMENTS, "[]"],
    [REQUIREMENTS, undefined],
    [REQUIREMENTS, "[{key: kubernetes.io/arch, operator: In, values: [amd64]}]"],
    ["spec.template.metadata.labels", "{node.kubernetes.io/instance-type: p5.48xlarge}"],
    ["spec.template.metadata", undefined],
    ["spec.template.spec.nodeClassRef.name", "cheap"],
    ["spec.template.spec.nodeClassRef", "{group: eks.amazonaws.com, kind: NodeClass, name: default}"],
    ["spec.template.spec", "{}"],
    ["spec.template", undefined],
    ["spec", "{}"],
    ["spec", undefined],
    ["spec", "[]"],
    ["spec", "text"],
    ["apiVersion", "karpenter.sh/v1beta1"],
  ])("with %s: %s is a raw object", async (path, yaml) => {
    const changed = having(await made("NodePool", INPUTS), path, yaml);
    expect(await codesOf(...INPUTS, changed)).toContain("raw-object");
  });

  it.each([
    ["spec.weight", "7"],
    ["spec.limits", "{cpu: 10}"],
    ["spec.template.spec.expireAfter", "24h"],
    ["spec.template.spec.taints", "[{key: a, effect: NoSchedule}]"],
    ["spec.disruption.consolidateAfter", "1h"],
  ])("may have another %s", async (path, yaml) => {
    const changed = having(await made("NodePool", INPUTS), path, yaml);
    expect(await codesOf(...INPUTS, changed)).toStrictEqual(["operator-output-differs"]);
  });

  it("of another name, kind or group than its wrapper's is a raw object", async () => {
    const pool = await made("NodePool", INPUTS);
    for (const metadata of [
      { ...ownedBy("OpenshiftNodePool", "web"), name: "gone" },
      ownedBy("OpenshiftNodePool", "gone"),
      ownedBy("OpenshiftEC2NodeClass", "web"),
      ownedBy("OpenshiftNodepool", "web"),
      { name: "web", ownerReferences: [{ apiVersion: "example.com/v1", kind: "OpenshiftNodePool", name: "web" }] },
      { name: "web", ownerReferences: {} },
    ])
      expect(await codesOf(...INPUTS, { ...pool, metadata })).toStrictEqual(["raw-object"]);
    const ofOtherGroup = { ...pool, apiVersion: "karpenter.k8s.aws/v1" };
    expect(await codesOf(...INPUTS, ofOtherGroup)).not.toContain("operator-output-differs");
  });

  it("with a wrapper that renders to nothing is a raw object, whatever a RenderConfig says", async () => {
    const pool = await made("NodePool", INPUTS);
    const broken = having(POOL, "spec.template.spec.requirements", "[{key: a}]");
    const bypass = having(
      POOL,
      REQUIREMENTS,
      "[{key: kubernetes.io/arch, operator: In, values: [amd64], minValues: 99}]",
    );
    const config = {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      metadata: { name: "config" },
      spec: {
        hostedCluster: { namespace: "clusters-shop" },
        rules: { "rendered-invalid": "off", "operator-output-differs": "off" },
      },
    };
    for (const wrapper of [broken, bypass])
      for (const more of [[], [config]])
        expect(await codesOf(POLICY, CLASS, wrapper, ...more, pool)).toContain("raw-object");
  });

  it("is a raw object with the gate off", async () => {
    const stream = streamOf([...INPUTS, await made("NodePool", INPUTS)]);
    const { exit, stdout } = await run(
      import.meta.dirname,
      ["check", "-", "--feature-gates", "AutoNode=false", "-o", "json"],
      stream,
    );
    expect([exit, stdout.includes('"raw-object"')]).toStrictEqual([1, true]);
  });
});

describe("an EC2NodeClass", () => {
  const volume =
    "[{deviceName: /dev/xvda, rootVolume: true, ebs: {volumeSize: 120Gi, volumeType: gp3, encrypted: true}}]";
  const withRoot = [{ ...POLICY, spec: { ...POLICY.spec, ...ROOT_VOLUME } }, POOL, CLASS];

  it("may have HyperShift's root volume if the policy sets none", async () => {
    const nodeClass = await made("EC2NodeClass", INPUTS);
    expect(await codesOf(...INPUTS, nodeClass)).toStrictEqual([]);
    expect(await codesOf(...INPUTS, having(nodeClass, "spec.blockDeviceMappings", volume))).toStrictEqual([
      "operator-output-differs",
    ]);
  });

  it("has the policy's root volume, or is a raw object", async () => {
    const nodeClass = await made("EC2NodeClass", withRoot);
    expect(await codesOf(...withRoot, nodeClass)).toStrictEqual([]);
    for (const yaml of [volume, undefined, "[]"])
      expect(await codesOf(...withRoot, having(nodeClass, "spec.blockDeviceMappings", yaml))).toStrictEqual([
        "raw-object",
      ]);
  });

  it("without a wrapper is a raw object", async () => {
    const skip = {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      metadata: { name: "config" },
      spec: { hostedCluster: { namespace: "clusters-shop" }, ec2NodeClasses: "Skip" },
    };
    const nodeClass = await made("EC2NodeClass", INPUTS);
    expect(await codesOf(...INPUTS, skip, nodeClass)).toStrictEqual(["raw-object"]);
  });
});
