/** The JSON Schemas of AutoNodePolicy, wrappers and Karpenter's kinds: descriptions, verdicts, files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { jsonSchemas, kindSchemas } from "../../../scripts/json-schemas.ts";
import { customResourceDefinition, descriptionKeyOf, FIELD_DESCRIPTIONS } from "../../../src/model/crds/crd.ts";
import { karpenterResources } from "../../../src/model/ec2/node-class-resource.ts";
import { jsonSchemaText } from "../../../src/model/crds/json-schema.ts";
import { policyResources, wrapperResources } from "../../../src/model/objects/own-kinds.ts";
import { PROFILES } from "../../../src/model/crds/profile.ts";
import { REPOSITORY } from "../../support/docs/page.ts";
import { goldenCases } from "../../support/golden/case.ts";

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Field {
  readonly path: readonly string[];
  readonly description: string | undefined;
}

function fieldsOf({ properties = {}, items }: Schema, path: readonly string[]): Field[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    const inner = [...path, name];
    return [{ path: inner, description: schema.description }, ...fieldsOf(schema, inner)];
  });
  return items === undefined ? own : [...own, ...fieldsOf(items, path)];
}

const schemas = Object.entries(kindSchemas() as Record<string, Schema>);
const fields = schemas.flatMap(([, schema]) => fieldsOf(schema, [schema.title!]));

it("are those in schemas/: npm run fixtures writes them", () => {
  const expected = { ...jsonSchemas(), ...kindSchemas() };
  const folder = join(REPOSITORY, "schemas");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  expect(files.toSorted()).toStrictEqual(Object.keys(expected).toSorted());
  for (const [name, schema] of Object.entries(kindSchemas()))
    expect(readFileSync(join(folder, name), "utf8"), name).toBe(jsonSchemaText(schema));
});

it("are of every kind, for each profile", () => {
  expect(schemas.map(([name]) => name)).toStrictEqual(
    PROFILES.flatMap((profile) =>
      [
        "karpenter.hypershift.openshift.io/autonodepolicy_v1beta1.json",
        "karpenter.hypershift.openshift.io/openshiftec2nodeclass_v1.json",
        "karpenter.hypershift.openshift.io/openshiftnodepool_v1beta1.json",
        "karpenter.sh/nodepool_v1.json",
        "karpenter.sh/nodeclaim_v1.json",
        "karpenter.k8s.aws/ec2nodeclass_v1.json",
      ].map((file) => `${profile}/${file}`),
    ),
  );
});

describe("descriptions", () => {
  it("are on every field", () => {
    expect(fields.filter(({ description }) => description === undefined)).toStrictEqual([]);
    expect(fields.length).toBeGreaterThan(1000);
  });

  it("are all of some field", () => {
    const used = new Set(fields.map(({ path }) => descriptionKeyOf(path)));
    expect(Object.keys(FIELD_DESCRIPTIONS).filter((key) => !used.has(key))).toStrictEqual([]);
  });

  it("are sentences", () => {
    const problems = Object.entries(FIELD_DESCRIPTIONS).filter(([, text]) => !/^[A-Za-z*][^\n]{8,140}\.$/.test(text));
    expect(problems).toStrictEqual([]);
  });

  it("are in the CRDs as well, except for metadata, which the API server does not allow there", () => {
    const resources = PROFILES.flatMap((profile) => [
      ...policyResources(),
      ...wrapperResources(profile),
      ...karpenterResources(profile),
    ]);
    const ofCrds = resources.flatMap((resource) => {
      const { spec } = customResourceDefinition(resource) as {
        spec: { versions: [{ schema: { openAPIV3Schema: Schema } }] };
      };
      return fieldsOf(spec.versions[0].schema.openAPIV3Schema, [resource.kind]);
    });
    const told = fields.map(({ path, description }) => ({
      path,
      description: path[1] === "metadata" ? undefined : description,
    }));
    expect(ofCrds).toStrictEqual(told);
  });
});

const ajv = addFormats.default(new Ajv({ strict: true, strictTypes: false, strictRequired: false }));
const validators = new Map(schemas.map(([name, schema]) => [name, ajv.compile(schema)]));

function judge(profile: string, object: { apiVersion: string; kind: string }): string[] | undefined {
  const [group, version] = object.apiVersion.split("/");
  const validate = validators.get(`${profile}/${group}/${object.kind.toLowerCase()}_${version}.json`);
  if (validate === undefined) return undefined;
  return validate(object) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const KARPENTER = "karpenter.sh/v1";
const OURS = "karpenter.hypershift.openshift.io";
const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
const pool = (spec: object, template: object = {}) => ({
  apiVersion: KARPENTER,
  kind: "NodePool",
  metadata: { name: "web", labels: { a: "b" } },
  spec: { template: { spec: { nodeClassRef, requirements: [], ...template } }, ...spec },
});
const nodeClass = (spec: object) => ({
  apiVersion: `${OURS}/v1`,
  kind: "OpenshiftEC2NodeClass",
  metadata: { name: "web" },
  spec,
});

describe("what they accept and refuse", () => {
  it.each<[string, { apiVersion: string; kind: string }, string[]]>([
    ["a pool", pool({}), []],
    ["numbers and texts of amounts", pool({ limits: { cpu: 4, memory: "10Gi" } }), []],
    ["an amount that is none", pool({ limits: { cpu: "lots" } }), [expect.stringContaining("/spec/limits/cpu") as string]],
    ["an unknown field", pool({ limit: {} }), ["/spec must NOT have additional properties"]],
    ["one at the top", { ...pool({}), sepc: {} } as never, [" must NOT have additional properties"]],
    ["a number of a volume", nodeClass({ blockDeviceMappings: [{ ebs: { volumeSizeGiB: "200" } }] }), [
      "/spec/blockDeviceMappings/0/ebs/volumeSizeGiB must be integer",
    ]],
    ["a reason twice", pool({ disruption: { consolidateAfter: "0s", budgets: [{ reasons: ["Empty", "Empty"] }] } }), [
      expect.stringContaining("/spec/disruption/budgets/0/reasons must NOT have duplicate items") as string,
    ]],
    ["any setting of the kubelet", nodeClass({ kubelet: { maxPods: 10, registryPullQPS: 5 } }), []],
    ["a wrong one that is known", nodeClass({ kubelet: { maxPods: "10" } }), ["/spec/kubelet/maxPods must be integer"]],
    ["no apiVersion of another", { ...pool({}), apiVersion: KARPENTER, kind: "NodePool", spec: undefined } as never, [
      " must have required property 'spec'",
    ]],
  ])("%s", (_what, object, expected) => {
    expect(judge("hypershift", JSON.parse(JSON.stringify(object)) as typeof object)).toStrictEqual(expected);
  });

  it("differ by profile as the CRDs do", () => {
    const balanced = pool({ disruption: { consolidateAfter: "0s", consolidationPolicy: "Balanced" } });
    expect(PROFILES.map((profile) => judge(profile, balanced)?.length)).toStrictEqual([1, 0, 0]);
  });
});

it("take all that anp renders", () => {
  let count = 0;
  for (const { name, folder, args, exit } of goldenCases()) {
    if (args[0] !== "render" || exit !== 0 || args.some((arg) => arg.startsWith("--profile") || arg === "-o")) continue;
    const text = readFileOrNothing(join(folder, "stdout.yaml"));
    for (const document of parseAllDocuments(text)) {
      const object = document.toJS() as { apiVersion: string; kind: string };
      const problems = PROFILES.map((profile) => judge(profile, object));
      if (problems[0] === undefined) continue;
      count += 1;
      // A case may render for another profile by its RenderConfig.
      expect(problems.some((all) => all?.length === 0), `${name}: ${JSON.stringify(problems)}`).toBe(true);
    }
  }
  expect(count).toBeGreaterThan(90);
});

function readFileOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
