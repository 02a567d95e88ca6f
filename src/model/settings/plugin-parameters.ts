/** The settings that an Argo CD application gives anp, their sources, and errors. */
import { type Environment, type GivenParameter, readParameters } from "./parameter-sources.ts";
import {
  DEFAULT_PATHS,
  flagPathProblem,
  PARAMETER_NAMES,
  parameterProblem,
  PARAMETERS,
  type ParameterValue,
} from "./plugin-parameter.ts";
import { type Given, given, kebab, type Setting } from "./settings.ts";

/** No flag is false: an Application must not undo a RenderConfig that requires a policy. */
interface PluginSettings extends Given<"parameter"> {
  readonly paths: readonly string[];
}

export interface PluginParameters {
  readonly settings: PluginSettings;
  /** The effective value of each parameter that is given anywhere. */
  readonly given: ReadonlyMap<string, GivenParameter>;
  /** With a problem nothing may be rendered: the parameter might be a rule. */
  readonly problems: readonly string[];
  /** Disagreements of two sources. */
  readonly notes: readonly string[];
}

export interface PluginSurroundings {
  readonly env: Environment;
  /** The flags that the operator has set on the command line of the plugin. */
  readonly flags: Given<"parameter">;
  /** How many folders above its own an Application may name. */
  readonly depth: number;
}

/** In order of precedence: the operator's flags, ARGOCD_APP_PARAMETERS, PARAM_*, ARGOCD_ENV_*. */
export function pluginParameters({ env, flags, depth }: PluginSurroundings): PluginParameters {
  const read = readParameters(env);
  const problems = [...read.problems];
  // Argo CD sends each parameter in two forms.
  const once = read.given.filter((one, index) => read.given.findIndex((other) => isEqual(one, other)) === index);
  const valid = once.filter(({ name, value, from }) => {
    const problem = parameterProblem(name, value, depth);
    if (problem !== undefined) problems.push(`${name} (${from}): ${problem}`);
    return problem === undefined;
  });
  const fixed = fromFlags(flags).filter(({ name, value, from }) => {
    const problem = name === "policy-dir" ? flagPathProblem(String(value)) : undefined;
    if (problem !== undefined) problems.push(`${from}: ${problem}`);
    return problem === undefined;
  });
  const all = [...fixed, ...valid];
  const effective = new Map(
    PARAMETER_NAMES.flatMap((name) =>
      all
        .filter((one) => one.name === name)
        .slice(0, 1)
        .map((one) => [name, one] as const),
    ),
  );
  const notes = all.flatMap((one) => disagreement(effective.get(one.name)!, one));
  return { settings: settingsOf(effective), given: effective, problems, notes };
}

function fromFlags(flags: PluginSurroundings["flags"]): GivenParameter[] {
  return Object.entries(flags).map(([setting, value]) => {
    const name = kebab(setting);
    return { name, value: String(value), from: `--${name}` };
  });
}

function isEqual(one: GivenParameter, other: GivenParameter): boolean {
  return one.name === other.name && shownValue(one.value) === shownValue(other.value);
}

function disagreement(counts: GivenParameter, other: GivenParameter): string[] {
  if (isEqual(counts, other)) return [];
  return [
    `${counts.name} is ${shownValue(counts.value)} (${counts.from}), and not ${shownValue(other.value)} (${other.from})`,
  ];
}

/** A single path is equal as string and as array. */
export function shownValue(value: ParameterValue): string {
  return [value].flat().join(", ");
}

function settingsOf(values: PluginParameters["given"]): PluginSettings {
  const paths = [values.get("paths")?.value ?? []].flat();
  const settings = Object.entries<Setting>(PARAMETERS).map(([name, { placeholder }]) => {
    const value = values.get(kebab(name))?.value;
    return [name, placeholder === undefined ? value === "true" || undefined : value];
  });
  return {
    ...given("parameter", Object.fromEntries(settings) as object),
    paths: paths.length === 0 ? DEFAULT_PATHS : paths,
  };
}
