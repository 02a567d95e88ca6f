/** Makes the JSON Schemas of anp's own files in schemas/, for editors and linters. */
import * as z from "zod/mini";
import { outputSchemas } from "./output-schemas.ts";
import { FINDING_CODES } from "../src/krm/findings/finding-codes.ts";
import { karpenterResources } from "../src/model/ec2/node-class-resource.ts";
import { configMapSchema } from "../src/model/settings/function-config.ts";
import { jsonSchemaFile, jsonSchemaOf } from "../src/model/crds/json-schema.ts";
import { policyResources, wrapperResources } from "../src/model/objects/own-kinds.ts";
import { PROFILES } from "../src/model/crds/profile.ts";
import { renderConfigSchema } from "../src/model/settings/render-config.ts";
import { watchConfigSchema } from "../src/model/settings/watch-config.ts";

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  items?: Schema;
};

/** The fields that a policy has too, where CRDs describe them otherwise, and the codes of findings. */
const RENDER_CONFIG: Readonly<Record<string, Partial<Schema>>> = {
  "spec.rootVolume.volumeSize": { description: "Such as 75Gi." },
  "spec.rootVolume.volumeType": { description: "Such as gp3." },
  "spec.rootVolume.encrypted": { description: "Whether EBS encrypts it." },
  "spec.rootVolume.iops": { description: "Operations a second." },
  "spec.rootVolume.throughput": { description: "MiB a second." },
  "spec.rules": rulesByCode(),
};

/** The files of schemas/: their content by name. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    "watch-config.schema.json": schemaOf(watchConfigSchema()),
    "render-config.schema.json": schemaOf(renderConfigSchema(), RENDER_CONFIG),
    "function-config.schema.json": schemaOf(configMapSchema()),
    ...outputSchemas(),
  };
}

/** The files of schemas/ by path: for each profile the output of `anp crds --karpenter --json-schemas`. */
export function kindSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    PROFILES.flatMap((profile) =>
      [...policyResources(), ...wrapperResources(profile), ...karpenterResources(profile)].map((one) => [
        `${profile}/${one.group}/${jsonSchemaFile(one)}`,
        jsonSchemaOf(one),
      ]),
    ),
  );
}

function schemaOf(model: z.core.$ZodType, additions: Readonly<Record<string, Partial<Schema>>> = {}): object {
  const schema = z.toJSONSchema(model, { io: "input", unrepresentable: "any", reused: "inline" }) as Schema;
  const used = new Set<string>();
  const complete = (at: Schema, path: string): void => {
    // The bounds of JavaScript's safe integers are not rules of the API; formats and map types are left to the API
    // server.
    if (at["maximum"] === Number.MAX_SAFE_INTEGER) delete at["maximum"];
    delete at["x-kubernetes-map-type"];
    delete at["format"];
    for (const [name, inner] of Object.entries(at.properties ?? {}))
      complete(inner, path === "" ? name : `${path}.${name}`);
    if (at.items !== undefined) complete(at.items, `${path}[]`);
    const addition = additions[path];
    if (addition === undefined) return;
    used.add(path);
    Object.assign(at, addition);
  };
  complete(schema, "");
  const unused = Object.keys(additions).filter((path) => !used.has(path));
  if (unused.length > 0) throw new Error(`no such fields: ${unused.join(", ")}`);
  return schema;
}

/** Some codes have one severity only. */
function rulesByCode(): Partial<Schema> {
  const levels = ["error", "warning", "info", "off"];
  const entries = Object.entries(FINDING_CODES).map(
    ([code, entry]: [string, { severity: string; fixed?: true; most?: string }]) => [
      code,
      { enum: entry.fixed === true ? [entry.severity] : levels.slice(levels.indexOf(entry.most ?? "error")) },
    ],
  );
  return {
    properties: Object.fromEntries(entries) as Record<string, Schema>,
    additionalProperties: false,
    propertyNames: undefined,
  };
}
