/** Reads parameters from the environment that Argo CD sets, and reports misspelt names. */
import * as z from "zod/mini";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { mapOf } from "../schema/map-of.ts";
import { memoize } from "../schema/memoize.ts";
import { PARAMETER_NAMES, type ParameterValue } from "./plugin-parameter.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GivenParameter {
  readonly name: string;
  readonly value: ParameterValue;
  /** The name of a variable or a flag, for messages. */
  readonly from: string;
}

interface Source {
  readonly given: readonly GivenParameter[];
  readonly problems: readonly string[];
}

const JSON_VARIABLE = "ARGOCD_APP_PARAMETERS";

const parametersSchema = memoize(() =>
  z.nullable(
    z.array(
      z.object({
        name: z.string(),
        string: z.optional(z.string()),
        array: z.optional(z.array(z.string())),
        map: z.optional(mapOf(z.string())),
      }),
    ),
  ),
);

/**
 * Reads ARGOCD_APP_PARAMETERS, PARAM_* and ARGOCD_ENV_*; for a parameter that is given more than once, the first
 * counts.
 */
export function readParameters(env: Environment): Source {
  const spec = readJson(env[JSON_VARIABLE]);
  const sources = [spec, readParamVariables(env, spec.names), readUserVariables(env)];
  return {
    given: sources.flatMap(({ given }) => given),
    problems: sources.flatMap(({ problems }) => problems),
  };
}

/** The Application's spec.source.plugin.parameters; the text is `null` if there are none. */
function readJson(text = ""): Source & { readonly names: readonly string[] } {
  const given: GivenParameter[] = [];
  const problems: string[] = [];
  const list = parseList(text);
  if (list === undefined) return { given, problems: [`${JSON_VARIABLE} is not a JSON list of parameters`], names: [] };
  const names = list.map(({ name }) => name);
  for (const [index, { name, string, array, map }] of list.entries()) {
    const value = string ?? array;
    const label = `parameter ${JSON.stringify(name)} of the Application`;
    if (!PARAMETER_NAMES.includes(name)) problems.push(`${label} is not known${advice(name)}`);
    else if (names.indexOf(name) < index) problems.push(`${label} is given twice`);
    else if (map !== undefined) problems.push(`${label} takes no map`);
    else if (string !== undefined && array !== undefined) problems.push(`${label} is given as string and as array`);
    else if (value === undefined) problems.push(`${label} has no value`);
    else given.push({ name, value, from: JSON_VARIABLE });
  }
  return { given, problems, names };
}

function parseList(text: string): (z.infer<ReturnType<typeof parametersSchema>> & {}) | undefined {
  try {
    const parsed = parametersSchema().safeParse(text.trim() === "" ? null : JSON.parse(text));
    return parsed.success ? (parsed.data ?? []) : undefined;
  } catch {
    return undefined;
  }
}

/** Argo CD writes each parameter of the JSON a second time, with its name in capitals. */
function readParamVariables(env: Environment, inJson: readonly string[]): Source {
  const prefix = "PARAM_";
  const { given, problems, others } = readVariables(env, prefix);
  const known = inJson.map((name) => prefix + capitals(name));
  const unknown = others.filter((key) => !known.some((name) => key === name || key.startsWith(`${name}_`)));
  return {
    given,
    problems: [...problems, ...unknown.map((key) => `${key} is not a parameter${adviceOn(key, prefix)}`)],
  };
}

/** Variables of spec.source.plugin.env may be for other programs: only a name close to a parameter is reported. */
function readUserVariables(env: Environment): Source {
  const prefix = "ARGOCD_ENV_";
  const { given, problems, others } = readVariables(env, prefix);
  const slips = others.filter((key) => nearestWord(lowerCase(key, prefix), PARAMETER_NAMES) !== undefined);
  return { given, problems: [...problems, ...slips.map((key) => `${key} is not a parameter${adviceOn(key, prefix)}`)] };
}

function readVariables(env: Environment, prefix: string): Source & { readonly others: readonly string[] } {
  const given: GivenParameter[] = [];
  const problems: string[] = [];
  const left = new Set(Object.keys(env).filter((key) => key.startsWith(prefix) && env[key] !== undefined));
  for (const name of PARAMETER_NAMES) {
    const base = prefix + capitals(name);
    const string = left.delete(base) ? env[base] : undefined;
    // Only one parameter has items; a number after another name is an error.
    const items =
      name === "paths" ? [...left].filter((key) => /^_\d+$/.test(key.slice(base.length)) && key.startsWith(base)) : [];
    for (const item of items) left.delete(item);
    const array = items.map((_, index) => env[`${base}_${index}`]);
    const whole = array.filter((item) => item !== undefined);
    if (string !== undefined && items.length > 0) problems.push(`${base} is given as string and as array`);
    else if (whole.length < array.length)
      problems.push(`${base}_${array.indexOf(undefined)} is missing among the items`);
    else if (string !== undefined || items.length > 0)
      given.push({ name, value: string ?? whole, from: items.length > 0 ? `${base}_0` : base });
  }
  return { given, problems, others: [...left].toSorted() };
}

/** As Argo CD does it: hosted-cluster becomes HOSTED_CLUSTER. */
function capitals(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_");
}

function lowerCase(key: string, prefix: string): string {
  return key.slice(prefix.length).replace(/_\d+$/, "").toLowerCase().replaceAll("_", "-");
}

function adviceOn(key: string, prefix: string): string {
  const nearest = nearestWord(lowerCase(key, prefix), PARAMETER_NAMES);
  return nearest === undefined ? advice("") : `: did you mean ${prefix}${capitals(nearest)}?`;
}

function advice(name: string): string {
  const nearest = nearestWord(name, PARAMETER_NAMES);
  return nearest === undefined ? `: the parameters are ${PARAMETER_NAMES.join(", ")}` : `: did you mean ${nearest}?`;
}
