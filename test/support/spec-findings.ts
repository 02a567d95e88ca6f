/** A `spec` in YAML against a model: its findings as lines, `line:column field words → hint`, for tables of cases. */
import type { z } from "zod/mini";
import { parseSources } from "../../src/krm/parse/parse.ts";
import type { Resource } from "../../src/krm/places/resource.ts";
import { validate } from "../../src/model/schema/validate.ts";

/** `spec` is flow style on line 5, or block style from line 6 on. */
export function specFindings(schema: z.ZodMiniType, spec: string): string[] {
  const resource = nodeClass(spec);
  const { value, findings } = validate(schema, resource, {
    code: "wrapper-invalid",
    unknownField: "unknown-field",
    path: ["spec"],
  });
  const valid = findings.every((finding) => finding.code === "unknown-field");
  if (valid !== (value !== undefined)) throw new Error("a value is given where there is no error, and only there");
  return findings.map(({ code, line, column, field, message, hint }) => {
    const start = `OpenshiftEC2NodeClass web: \`${field}\` `;
    const words = message.startsWith(start) ? message.slice(start.length) : `!${message}`;
    const mark = code === "unknown-field" ? " (unknown)" : "";
    return `${line}:${column} ${field}${mark} ${words}${hint === undefined ? "" : ` → ${hint}`}`;
  });
}

/** An OpenshiftEC2NodeClass named web, read from text. */
export function nodeClass(spec: string): Resource {
  const block = spec.includes("\n") ? `\n  ${spec.trim().replaceAll("\n", "\n  ")}` : ` ${spec}`;
  const head =
    "apiVersion: karpenter.hypershift.openshift.io/v1\nkind: OpenshiftEC2NodeClass\nmetadata:\n  name: web\n";
  const text = `${head}spec:${block}\n`;
  const { value, findings } = parseSources([
    { file: "class.yaml", folder: "", text, explicit: true, trusted: true, config: false },
  ]);
  const [resource] = value;
  if (resource === undefined) throw new Error(JSON.stringify(findings));
  return resource;
}
