/** The settings that an Argo CD application asks anp for, where each is from, and slips. */
import { type Environment, type GivenParameter, readParameters } from "./parameter-sources.ts";
import type { GuardWish } from "./guard-wish.ts";
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
  /** Never false: that a RenderConfig asks for a policy is not for an application to take back. */
  readonly requirePolicy?: true;
  readonly allowEmpty: boolean;
  /** Instead of rendering. */
  readonly guard?: GuardWish;
}

export interface PluginParameters {
  readonly settings: PluginSettings;
  /** What counts, for each parameter that is given anywhere. */
  readonly given: ReadonlyMap<ParameterName, GivenParameter>;
  /** With one of them nothing may be rendered: what was meant might be a rule. */
  readonly problems: readonly string[];
  /** Where two places disagree. */
  readonly notes: readonly string[];
}

/** Argo CD announces defaults and does not send them (docs/upstream/hosts.md#argo-cd). */
export const DEFAULT_PATHS: readonly string[] = ["."];

export interface PluginSurroundings {
  readonly env: Environment;
  /** What the operator has fixed on the command line of the plugin. */
  readonly flags: Readonly<Partial<Record<Exclude<ParameterName, "paths">, string>>>;
  /** How many folders above the application's an Application may name. */
  readonly depth: number;
}

/** The operator's flags, then ARGOCD_APP_PARAMETERS, then PARAM_*, then ARGOCD_ENV_*. */
export function pluginParameters({ env, flags, depth }: PluginSurroundings): PluginParameters {
  const read = readParameters(env);
  const problems = [...read.problems];
  // Argo CD says the same in two forms.
  const once = read.given.filter((one, index) => read.given.findIndex((other) => saysTheSame(one, other)) === index);
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

function saysTheSame(one: GivenParameter, other: GivenParameter): boolean {
  return one.name === other.name && shownValue(one.value) === shownValue(other.value);
}

function disagreement(counts: GivenParameter, other: GivenParameter): string[] {
  if (saysTheSame(counts, other)) return [];
  return [
    `${counts.name} is ${shownValue(counts.value)} (${counts.from}), and not ${shownValue(other.value)} (${other.from})`,
  ];
}

/** A single path is the same, as string and as array. */
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
  const guard = text("guard") as GuardWish | undefined;
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
