/** Makes docs/fields.md: meaning, default, rendered field and findings of each field. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FieldPath, parseFieldPath } from "../src/krm/places/field-path.ts";
import { parseSources } from "../src/krm/parse/parse.ts";
import type { Source } from "../src/krm/places/source.ts";
import { gatherBundles } from "../src/model/inputs/gather.ts";
import { DEFAULT_PROFILE } from "../src/model/crds/profile.ts";
import { render } from "../src/render/render.ts";
import { originOf, type RenderedObject } from "../src/resolve/origin.ts";
import { resolve } from "../src/resolve/resolve.ts";
import { type GoldenCase, goldenCases, run } from "../test/support/golden/case.ts";
import { jsonSchemas, kindSchemas } from "./json-schemas.ts";

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** By kind. */
type Schemas = ReadonlyMap<string, Schema>;
/** By kind and field, such as `OpenshiftNodePool spec.weight`. */
type Found = Map<string, Set<string>>;

const OURS = ["AutoNodePolicy", "OpenshiftNodePool", "OpenshiftEC2NodeClass", "RenderConfig", "WatchConfig"];

export async function fieldsPage(): Promise<string> {
  const schemas = schemasByKind();
  const cases = goldenCases();
  const becomes = renderedFields(cases, schemas);
  const guards = await guardedFields(cases, schemas);
  const sections = OURS.map((kind) => section(kind, schemas.get(kind)!, becomes, guards));
  return `${HEAD}\n${sections.join("\n")}`;
}

const HEAD = `# Fields

Every field of anp's own kinds, in profile \`${DEFAULT_PROFILE}\`. *Becomes* is the field of Karpenter's object that its value goes
to; where nothing stands, the field says how anp itself works. *Findings* are those that the golden cases have at the field.
Beside them a value of a wrong form is [policy-invalid](findings.md#policy-invalid),
[wrapper-invalid](findings.md#wrapper-invalid) or [render-config-invalid](findings.md#render-config-invalid), and a field that
there is not [unknown-field](findings.md#unknown-field). \`npm run fixtures\` writes the page.

${OURS.map((kind) => `- [${kind}](#${kind.toLowerCase()})`).join("\n")}

[render.md](render.md) says how they come together, [crds.md](crds.md) has the same as CRDs and JSON Schemas for editors.
`;

function schemasByKind(): Schemas {
  const kinds = Object.entries(kindSchemas()).filter(([name]) => name.startsWith(`${DEFAULT_PROFILE}/`));
  const all = [...kinds.map(([, schema]) => schema), ...Object.values(jsonSchemas())] as Schema[];
  return new Map(all.flatMap((schema) => (schema.title === undefined ? [] : [[schema.title, schema] as const])));
}

function section(kind: string, schema: Schema, becomes: Found, guards: Found): string {
  // Status is not read, and the names of findings have a page of their own.
  const rows = rowsOf(schema, "").filter(({ field }) => /^spec[.[]?/.test(field) && !field.startsWith("spec.rules."));
  const cells = (from: Found, field: string): string[] => [...(from.get(`${kind} ${field}`) ?? [])].toSorted();
  const isRendered = kind !== "WatchConfig";
  const lines = rows.map(({ field, schema: of }) => {
    const out = cells(becomes, field).map((one) => `\`${one}\``);
    const codes = cells(guards, field).map((code) => `[${code}](findings.md#${code})`);
    const cell = [`\`${field}\``, of.description ?? "", defaultOf(of), valuesOf(of)];
    if (isRendered) cell.push(out.join(", "), codes.join(", "));
    return `| ${cell.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const columns = ["field", "meaning", "default", "values", ...(isRendered ? ["becomes", "findings"] : [])];
  const head = [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`];
  return `## ${kind}\n\n${schema.description ?? ""}\n\n${[...head, ...lines].join("\n")}\n`;
}

function rowsOf({ properties = {}, items }: Schema, path: string): { field: string; schema: Schema }[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    const field = path === "" ? name : `${path}.${name}`;
    return [{ field, schema }, ...rowsOf(schema, field)];
  });
  return items === undefined ? own : [...own, ...rowsOf(items, `${path}[]`)];
}

function defaultOf({ default: value }: Schema): string {
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}

function valuesOf({ enum: values, items, type = "" }: Schema): string {
  const named = values ?? items?.enum;
  return named === undefined ? type : named.map((value) => `\`${String(value)}\``).join(", ");
}

/**
 * The field of the schema that a path leads to; keys of maps and fields of any object are not listed. Undefined if the
 * schema has other fields instead, as for an older version.
 */
function fieldAt(schema: Schema, path: FieldPath): string | undefined {
  let [at, field]: [Schema, string] = [schema, ""];
  for (const segment of path) {
    const next = typeof segment === "number" ? at.items : ownProperty(at, segment);
    if (next === undefined && at.properties !== undefined) return undefined;
    if (next === undefined) break;
    field = typeof segment === "number" ? `${field}[]` : field === "" ? segment : `${field}.${segment}`;
    at = next;
  }
  return field.replace(/\[\]$/, "");
}

function ownProperty({ properties = {} }: Schema, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function renderedFields(cases: readonly GoldenCase[], schemas: Schemas): Found {
  const found: Found = new Map();
  const folders = cases.filter(({ args }) => args[0] === "render").map(({ folder }) => join(folder, "in"));
  for (const sources of [...folders.map(sourcesIn), ...SELDOM.map((text) => [sourceOf("seldom.yaml", "", text)])])
    for (const rendered of renderedOf(sources)) {
      const { kind } = rendered.object;
      for (const path of leavesOf(rendered.object, [])) {
        const origin = originOf(rendered, path);
        const [to, from] = [schemas.get(kind), origin && schemas.get(origin.resource.kind)];
        if (to === undefined || from === undefined || path[0] !== "spec") continue;
        const [input, output] = [fieldAt(from, origin!.path), fieldAt(to, path)];
        if (input !== undefined && output !== undefined)
          add(found, `${origin!.resource.kind} ${input}`, `${kind}.${output}`);
      }
    }
  return found;
}

/** Fields that no golden case has. */
const POOL = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: web}
spec:
  template:
    spec:
      taints: [{key: example.com/a, effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}]
      startupTaints: [{key: example.com/b, value: c, effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}]
---
apiVersion: karpenter.hypershift.openshift.io/v1
kind: OpenshiftEC2NodeClass
metadata: {name: default}
spec:
  securityGroupSelectorTerms: [{tags: {a: b}}]
  capacityReservationSelectorTerms: [{tags: {a: b}}]
---
`;
const VOLUME = "rootVolume: {volumeSize: 80Gi, volumeType: gp3, encrypted: true, iops: 4000, throughput: 200}";
const SELDOM = [
  `${POOL}apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: clusters-c1}
spec:
  nodePoolDefaults:
    requirements: [{key: node.kubernetes.io/instance-type, operator: Exists, minValues: 2}]
  ec2NodeClassDefaults: {${VOLUME}}
`,
  `${POOL}apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
spec: {${VOLUME}}
`,
];

function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map(({ name, parentPath }) => sourceOf(name, parentPath, readFileSync(join(parentPath, name), "utf8")));
}

function sourceOf(file: string, folder: string, text: string): Source {
  return { file, folder, text, explicit: true, trusted: true, config: false };
}

/** Changes of an input that remove a part of it. */
function renderedOf(sources: readonly Source[]): RenderedObject[] {
  const { bundles } = gatherBundles(parseSources(sources).value, {}).value;
  return bundles.flatMap((bundle) => render(resolve(bundle, {})).value);
}

function leavesOf(value: unknown, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]));
}

/** Values of a wrong form, which any field may have. */
const OF_ANY = new Set([
  "policy-invalid",
  "render-config-invalid",
  "rendered-invalid",
  "unknown-field",
  "wrapper-invalid",
]);

async function guardedFields(cases: readonly GoldenCase[], schemas: Schemas): Promise<Found> {
  const found: Found = new Map();
  for (const { folder, args } of cases.filter(({ args: [command] }) => command === "render" || command === "check")) {
    const flags = args.slice(1).filter((arg, index, all) => arg !== "-o" && all[index - 1] !== "-o");
    const { stdout } = await run(folder, [
      "check",
      "-o",
      "json",
      ...flags.filter((arg) => !/^--(incl|prove)/.test(arg)),
    ]);
    if (stdout === "") continue;
    const { findings } = JSON.parse(stdout) as {
      findings: { code: string; field?: string; resource?: { kind: string } }[];
    };
    for (const { code, field, resource } of findings) {
      const schema = resource && schemas.get(resource.kind);
      const path = field === undefined ? undefined : parseFieldPath(field);
      const at = schema === undefined || path === undefined ? undefined : fieldAt(schema, path);
      if (at !== undefined && !OF_ANY.has(code)) add(found, `${resource!.kind} ${at}`, code);
    }
  }
  return found;
}

function add(found: Found, key: string, one: string): void {
  found.set(key, (found.get(key) ?? new Set()).add(one));
}
