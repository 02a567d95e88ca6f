/** The published JSON Schemas match the models, describe every field, and judge as anp does. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { isMap, parseAllDocuments } from "yaml";
import type * as z from "zod/mini";
import { jsonSchemas } from "../../../scripts/json-schemas.ts";
import { jsonSchemaText } from "../../../src/model/crds/json-schema.ts";
import { configMapSchema } from "../../../src/model/settings/function-config.ts";
import { renderConfigSchema } from "../../../src/model/settings/render-config.ts";
import { check } from "../../../src/model/schema/validate.ts";
import { watchConfigSchema } from "../../../src/model/settings/watch-config.ts";
import { blocksOf, pages, readPage, REPOSITORY } from "../../support/docs/page.ts";

interface Judges {
  readonly file: string;
  readonly model: () => z.ZodMiniType;
}

const KINDS: Readonly<Record<string, Judges>> = {
  WatchConfig: { file: "watch-config.schema.json", model: watchConfigSchema },
  RenderConfig: { file: "render-config.schema.json", model: renderConfigSchema },
  ConfigMap: { file: "function-config.schema.json", model: configMapSchema },
};

const ajv = addFormats.default(new Ajv2020({ strict: false }));
const validators = new Map(Object.entries(jsonSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]));

function verdicts(kind: string, value: unknown): { readonly schema: boolean; readonly anp: boolean } {
  const { file, model } = KINDS[kind]!;
  return { schema: validators.get(file)!(value), anp: check(model(), value).violations.length === 0 };
}

describe.each(Object.entries(jsonSchemas()))("%s", (name, schema) => {
  test("is what the model says: npm run fixtures writes it", () => {
    expect(readFileSync(join(REPOSITORY, "schemas", name), "utf8")).toBe(jsonSchemaText(schema));
  });

  test("describes every field", () => {
    const unexplained: string[] = [];
    const walk = (at: Record<string, unknown>, path: string): void => {
      if (path !== "" && at["description"] === undefined && at["const"] === undefined) unexplained.push(path);
      for (const [key, inner] of Object.entries((at["properties"] ?? {}) as Record<string, Record<string, unknown>>))
        walk(inner, `${path}.${key}`);
      const { items } = at as { items?: Record<string, unknown> };
      if (items?.["properties"] !== undefined) walk({ ...items, description: "" }, `${path}[]`);
    };
    walk(schema as Record<string, unknown>, "");
    const own = unexplained.filter((path) => !path.startsWith(".spec.rules."));
    expect(own).toEqual([".metadata", ".spec", ".data"].filter((path) => own.includes(path)));
  });
});

function objectsIn(file: string, text: string) {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0 || !isMap(document.contents)) return [];
    const [apiVersion, kind] = ["apiVersion", "kind"].map((field) => String(document.get(field)));
    const isOurs = apiVersion === "anp.hypershift.openshift.io/v1alpha1" && Object.hasOwn(KINDS, kind ?? "");
    return isOurs ? [{ file, kind: kind!, value: document.toJS() as unknown }] : [];
  });
}

const ofDocs = pages().flatMap((page) =>
  blocksOf(readPage(page)).flatMap(({ language, lines, line }) =>
    language === "yaml" ? objectsIn(`${page}:${line}`, lines.join("\n")) : [],
  ),
);
const ofFiles = globSync("{deploy,fixtures}/**/*.{yaml,yml}", { cwd: REPOSITORY }).flatMap((file) => {
  const text = readFileSync(join(REPOSITORY, file), "utf8");
  return /kind: (WatchConfig|RenderConfig)/.test(text) ? objectsIn(file, text) : [];
});

/** Rules that a schema cannot express, and anp checks. */
// Labels that Karpenter reserves.
const ONLY_ANP_KNOWS: readonly string[] = ["fixtures/cases/hosted-cluster/config-restricted-node-label/in/config.yaml"];

describe("examples", () => {
  test.each([...ofDocs, ...ofFiles])("$file: $kind", ({ file, kind, value }) => {
    const { schema, anp } = verdicts(kind, value);
    expect(schema).toBe(ONLY_ANP_KNOWS.includes(file) || anp);
  });

  test("there are enough of them, of both kinds and both verdicts", () => {
    const all = [...ofDocs, ...ofFiles].map(({ kind, value }) => `${kind} ${verdicts(kind, value).anp}`);
    expect(all.length).toBeGreaterThan(20);
    expect([...new Set(all)].toSorted()).toEqual([
      "RenderConfig false",
      "RenderConfig true",
      "WatchConfig false",
      "WatchConfig true",
    ]);
  });
});

const CLUSTER = { name: "c1", namespace: "clusters-c1", guest: {} };
const watch = (spec: object) => ({
  apiVersion: "anp.hypershift.openshift.io/v1alpha1",
  kind: "WatchConfig",
  spec: { clusters: [{ ...CLUSTER, management: {} }], ...spec },
});
const found = (discover: object, spec: object = {}) => watch({ clusters: undefined, discover, ...spec });
const render = (spec: object) => ({ ...watch({}), kind: "RenderConfig", spec });
const functionConfig = (data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data });

describe("fields, right and wrong", () => {
  test.each<[object, boolean]>([
    [watch({}), true],
    [watch({ concurrency: 10, listen: ":8080", interval: "1h30m", nodeLimits: "Full", maxPrune: 0 }), true],
    [watch({ leaderElection: {} }), true],
    [watch({ installCrds: true, clusters: [{ ...CLUSTER, management: {}, installCrds: false }] }), true],
    [found({}), true],
    [found({ selector: "tier=gold,!paused", kubeconfigSecret: { name: "admin-kubeconfig" } }, { sharding: {} }), true],
    [found({ server: { address: "https://kube-apiserver.{namespace}.svc:6443" } }), true],
    [found({ names: { "clusters-shop": "shop" } }, { sharding: { shards: 64, range: "0-31" } }), true],
    [found({}, { workers: { count: 8, memory: "1Gi" } }), true],
    [watch({ workers: {} }), true],
    [found({ server: { address: "http://kube-apiserver" } }), false],
    [found({ secret: "x" }), false],
    [found({}, { sharding: { shards: 0 } }), false],
    [found({}, { sharding: { range: "all" } }), false],
    [found({ names: { "clusters-shop": "Shop" } }), false],
    [watch({ discover: {} }), false],
    [watch({ clusters: undefined }), false],
    [watch({ sharding: {} }), false],
    [watch({ installCrds: "true" }), false],
    [watch({ leaderElection: { namespace: "anp", name: "anp-watch", kubeconfig: "k", context: "c" } }), true],
    [watch({ listen: "[::1]:8080" }), true],
    [watch({ concurrency: 0 }), false],
    [watch({ concurrency: 1.5 }), false],
    [watch({ concurrency: "4" }), false],
    [watch({ listen: "8080" }), false],
    [watch({ listen: 8080 }), false],
    [watch({ listen: "http://x:80" }), false],
    [watch({ interval: "1 m" }), false],
    [watch({ interval: "60" }), false],
    [watch({ intervall: "1m" }), false],
    [watch({ nodeLimits: "full" }), false],
    [watch({ leaderElection: true }), false],
    [watch({ leaderElection: { namespace: "ns", id: "x" } }), false],
    [watch({ leaderElection: { namespace: "Ns" } }), false],
    [watch({ maxPrune: -1 }), false],
    [watch({ clusters: [] }), false],
    [watch({ clusters: [{ ...CLUSTER, name: "C1" }] }), false],
    [watch({ clusters: [{ ...CLUSTER, source: { paths: ["a"], live: true } }] }), false],
    [watch({ clusters: [{ ...CLUSTER, source: {} }] }), false],
    [watch({ clusters: [{ ...CLUSTER, source: { paths: ["a"] } }] }), true],
    [watch({ clusters: [{ ...CLUSTER, source: { live: true } }] }), true],
    [render({}), true],
    [render({ rules: { "policy-absent": "off" } }), true],
    [render({ rules: { "policy-invalid": "error" } }), true],
    [render({ rules: { "policy-invalid": "warning" } }), false],
    [render({ rules: { "policy-absent": "fatal" } }), false],
    [render({ rules: { "policy-missing": "off" } }), false],
    [render({ onBypass: "fail" }), false],
    [{ ...render({}), metadata: { name: "x" } }, true],
    [{ ...render({}), metadata: { namespace: "x" } }, false],
    [functionConfig({ validate: "true", dir: "out" }), true],
    [functionConfig({ validate: true }), false],
    [functionConfig({ dir: "../out" }), false],
    [functionConfig({ valid: "true" }), false],
  ])("%j: %s", (value, isRight) => {
    expect(verdicts((value as { kind: string }).kind, value)).toEqual({ schema: isRight, anp: isRight });
  });
});
