/** The schema of each command's JSON answer, for schemas/ and for the tests, which check every answer. */
import * as z from "zod";
import { findingsSchema, proofSchema, upgradeSchema } from "../src/analyze/check/check-answer.ts";
import { diffSchema } from "../src/analyze/diff/diff-answer.ts";
import { eventSchema, explainSchema } from "../src/analyze/check/explain-answer.ts";
import { doctorSchema } from "../src/analyze/list/doctor-answer.ts";
import { catalogueSchema, objectsSchema, parametersSchema, versionSchema } from "../src/commands/cli/other-answers.ts";
import { movesSchema } from "../src/analyze/consolidate/moves-answer.ts";
import { planSchema } from "../src/analyze/plan/plan-answer.ts";
import { rolloutPlanSchema, rolloutStatusSchema } from "../src/analyze/rollout/rollout-answer.ts";
import { localWindowSchema, simulateSchema } from "../src/analyze/simulate/simulate-answer.ts";
import { whySchema } from "../src/analyze/why/why-answer.ts";
import { touchSchema } from "../src/commands/guard/touch-answer.ts";
import { openSchema } from "../src/model/schema/open-schema.ts";

/** By the beginning of the file's name. */
export const OUTPUTS = {
  catalogue: catalogueSchema,
  diff: diffSchema,
  doctor: doctorSchema,
  event: eventSchema,
  explain: explainSchema,
  findings: findingsSchema,
  "local-window": localWindowSchema,
  moves: movesSchema,
  objects: objectsSchema,
  parameters: parametersSchema,
  plan: planSchema,
  proof: proofSchema,
  "rollout-plan": rolloutPlanSchema,
  "rollout-status": rolloutStatusSchema,
  simulate: simulateSchema,
  touch: touchSchema,
  upgrade: upgradeSchema,
  version: versionSchema,
  why: whySchema,
} satisfies Readonly<Record<string, z.ZodType>>;

export type OutputName = keyof typeof OUTPUTS;

/** By command; an entry with a flag or subcommand comes before the shorter one. */
export const OUTPUT_OF: readonly (readonly [command: readonly string[], output: OutputName])[] = [
  [["check", "--prove"], "proof"],
  [["check"], "findings"],
  [["simulate", "--local-window"], "local-window"],
  [["simulate", "--allow-window"], "local-window"],
  [["simulate"], "simulate"],
  [["rollout", "plan"], "rollout-plan"],
  [["rollout", "status"], "rollout-status"],
  [["plan", "--consolidate"], "moves"],
  [["plan", "--remove"], "moves"],
  [["plan"], "plan"],
  [["why"], "why"],
  [["diff"], "diff"],
  [["upgrade"], "upgrade"],
  [["doctor"], "doctor"],
  [["explain", "--event"], "event"],
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

/** Undefined for arguments without JSON on standard output. @param args of anp, after the name */
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
 * Paths in schemas/. The package only has that of diff: all together are too large for it. The schemas are open: a
 * program that checks an answer must accept later versions of anp with more fields.
 */
export function outputSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(OUTPUTS).map(([name, schema]) => [schemaFile(name), openSchema(z.toJSONSchema(schema))]),
  );
}

/** The package has the schema of diff alone, because all together are too large for it. */
export function schemaFile(output: string): string {
  return `${output === "diff" ? "" : "answers/"}${output}.schema.json`;
}
