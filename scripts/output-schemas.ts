/** Which schema each JSON answer of a command obeys: by it schemas/ is written and the tests judge every answer. */
import * as z from "zod";
import { findingsSchema, proofSchema } from "./outputs/check.ts";
import { diffSchema } from "./outputs/diff.ts";
import { explainSchema } from "./outputs/explain.ts";
import { catalogueSchema, doctorSchema, objectsSchema, parametersSchema, versionSchema } from "./outputs/others.ts";
import { localWindowSchema, simulateSchema } from "./outputs/simulate.ts";
import { touchSchema } from "./outputs/touch.ts";
import { observeSchema, shardsSchema } from "./outputs/watch.ts";

/** By the beginning of the name of a file. */
export const OUTPUTS = {
  catalogue: catalogueSchema,
  diff: diffSchema,
  doctor: doctorSchema,
  explain: explainSchema,
  findings: findingsSchema,
  "local-window": localWindowSchema,
  objects: objectsSchema,
  observe: observeSchema,
  parameters: parametersSchema,
  proof: proofSchema,
  shards: shardsSchema,
  simulate: simulateSchema,
  touch: touchSchema,
  version: versionSchema,
} satisfies Readonly<Record<string, z.ZodType>>;

export type OutputName = keyof typeof OUTPUTS;

/** By command; a longer one with a flag or a command of its own goes before a shorter one. */
export const OUTPUT_OF: readonly (readonly [command: readonly string[], output: OutputName])[] = [
  [["check", "--prove"], "proof"],
  [["check"], "findings"],
  [["simulate", "--local-window"], "local-window"],
  [["simulate"], "simulate"],
  [["watch", "shards"], "shards"],
  [["watch"], "observe"],
  [["diff"], "diff"],
  [["doctor"], "doctor"],
  [["explain"], "explain"],
  [["catalogue"], "catalogue"],
  [["version"], "version"],
  [["render"], "objects"],
  [["guard", "--touch"], "touch"],
  [["guard"], "objects"],
  [["adopt"], "objects"],
  [["crds"], "objects"],
  [["get"], "objects"],
  [["cmp", "parameters"], "parameters"],
];

/** Undefined for arguments that ask for no JSON on standard output. @param args of anp, after the name */
export function outputOf(args: readonly string[]): OutputName | undefined {
  if (args[0] === "__complete" || args.includes("--help")) return undefined;
  if (args[0] !== "cmp" && !asksForJson(args)) return undefined;
  const known = OUTPUT_OF.find(([command]) => command.every((word) => args.some((arg) => arg.split("=")[0] === word)));
  if (known !== undefined) return known[1];
  if (args[0] === "cmp") return undefined;
  throw new Error(`anp ${args[0]} answers in JSON: give it a schema in scripts/output-schemas.ts`);
}

function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (arg, index) =>
      ["-ojson", "--output=json"].includes(arg) || (["-o", "--output"].includes(arg) && args[index + 1] === "json"),
  );
}

/**
 * Paths in schemas/. The package has that of diff alone: all together are too large for it.
 *
 * Not closed: a program that checks an answer is to take one of a later anp, which may say more.
 */
export function outputSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(OUTPUTS).map(([name, schema]) => [
      `${name === "diff" ? "" : "answers/"}${name}.schema.json`,
      opened(z.toJSONSchema(schema)),
    ]),
  );
}

function opened(schema: object): object {
  const open = (_key: string, part: unknown): unknown => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const { additionalProperties, maximum, minimum, ...rest } = part as Record<string, unknown>;
    const bounds = {
      ...(minimum === Number.MIN_SAFE_INTEGER || minimum === undefined ? {} : { minimum }),
      ...(maximum === Number.MAX_SAFE_INTEGER || maximum === undefined ? {} : { maximum }),
    };
    const isClosed = additionalProperties === false || additionalProperties === undefined;
    return { ...rest, ...bounds, ...(isClosed ? {} : { additionalProperties }) };
  };
  return JSON.parse(JSON.stringify(schema, open)) as object;
}
