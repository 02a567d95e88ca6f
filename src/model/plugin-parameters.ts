/** The settings that an Argo CD application gives anp, their sources, and errors. */
import { type Environment, type GivenParameter, readParameters } from "./parameter-sources.ts";
import type { GuardAction } from "./guard-action.ts";
import {
  flagPathProblem,
  PARAMETER_NAMES,
  type ParameterName,
  parameterProblem,
  type ParameterValue,
} from "./plugin-parameter.ts";
import type { Profile } from "./profile.ts";

interface PluginSettings {
  readonly paths: readonly string[];
  readonly hostedCluster?: string;
  readonly profile?: Profile;
  readonly policyDir?: string;
  /** Never false: an Application must not undo a RenderConfig that requires a policy. */
  readonly requirePolicy?: true;
  readonly allowEmpty: boolean;
  /** Replaces rendering. */
  readonly guard?: GuardAction;
}

export interface PluginParameters {
  readonly settings: PluginSettings;
  /** The effective value of each parameter that is given anywhere. */
  readonly given: ReadonlyMap<ParameterName, GivenParameter>;
  /** With a problem nothing may be rendered: the parameter might be a rule. */
  readonly problems: readonly string[];
  /** Disagreements of two sources. */
  readonly notes: readonly string[];
}

/** Argo CD announces defaults and does not send them (docs/upstream/hosts.md#argo-cd). */
export const DEFAULT_PATHS: readonly string[] = ["."];

export interface PluginSurroundings {
  readonly env: Environment;
  /** The flags that the operator has set on the command line of the plugin. */
  readonly flags: Readonly<Partial<Record<Exclude<ParameterName, "paths">, string>>>;
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
  const given = new Map(
    PARAMETER_NAMES.flatMap((name) =>
      all
        .filter((one) => one.name === name)
        .slice(0, 1)
        .map((one) => [name, one] as const),
    ),
  );
  const notes = all.flatMap((one) => disagreement(given.get(one.name)!, one));
  return { settings: settingsOf(given), given, problems, notes };
}

function fromFlags(flags: PluginSurroundings["flags"]): GivenParameter[] {
  return PARAMETER_NAMES.flatMap((name) => {
    const value = name === "paths" ? undefined : flags[name];
    return value === undefined ? [] : [{ name, value, from: `--${name}` }];
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

function settingsOf(given: PluginParameters["given"]): PluginSettings {
  const text = (name: ParameterName): string | undefined => {
    const value = given.get(name)?.value;
    return typeof value === "string" ? value : undefined;
  };
  const paths = [given.get("paths")?.value ?? []].flat();
  const hostedCluster = text("hosted-cluster");
  const profile = text("profile") as Profile | undefined;
  const policyDir = text("policy-dir");
  const guard = text("guard") as GuardAction | undefined;
  return {
    paths: paths.length === 0 ? DEFAULT_PATHS : paths,
    ...(hostedCluster === undefined ? {} : { hostedCluster }),
    ...(profile === undefined ? {} : { profile }),
    ...(policyDir === undefined ? {} : { policyDir }),
    ...(text("require-policy") === "true" ? { requirePolicy: true } : {}),
    ...(guard === undefined ? {} : { guard }),
    allowEmpty: text("allow-empty") === "true",
  };
}
