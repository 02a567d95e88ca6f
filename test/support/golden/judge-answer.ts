/** Checks a JSON answer against the schema of its command, without unknown fields. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as z from "zod";
import { type OutputName, outputOf, OUTPUTS } from "../../../scripts/output-schemas.ts";
import { memoizeByKey } from "../../../src/model/schema/memoize.ts";

const ajv = addFormats.default(new Ajv2020({ strict: false }));

const validatorOf = memoizeByKey((name: OutputName): ValidateFunction => ajv.compile(z.toJSONSchema(OUTPUTS[name])));

/** Does nothing for arguments without JSON, or for an empty answer: then findings say why. */
export function problemsOfAnswer(args: readonly string[], stdout: string): readonly string[] {
  const name = outputOf(args);
  if (name === undefined || stdout === "") return [];
  const validate = validatorOf(name);
  if (validate(JSON.parse(stdout))) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${name}: ${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** @throws for an answer that does not match its schema, or that has no schema */
export function judgeAnswer(args: readonly string[], stdout: string): void {
  const problems = problemsOfAnswer(args, stdout);
  if (problems.length > 0) throw new Error(`anp ${args.join(" ")} does not obey its schema:\n${problems.join("\n")}`);
}
