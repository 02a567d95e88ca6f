/** Finds the policy that a RenderConfig extends, among those of `--policy-dir` that were read. */
import { type Finding, findingAt, type Outcome } from "../../krm/findings/finding.ts";
import { isFields } from "../../krm/values/fields.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { POLICY_NAME } from "../policy/auto-node-policy.ts";
import { roleOf } from "../objects/role.ts";
import { pathFrom } from "./folders.ts";

export const EXTENDS = ["spec", "extends"];

/** Longer paths are refused before they are compared with any other. */
export const MAX_EXTENDS = 1024;

/**
 * `spec.extends` as written, of any type; undefined if there is none. A cluster whose RenderConfig has it is never one
 * without a policy.
 */
export function extendsOf(config: Resource | undefined): unknown {
  return valueAt(config?.value, EXTENDS);
}

export interface ExtendedPolicies {
  /** By RenderConfig: the base, or why there is none. RenderConfigs that extend nothing are left out. */
  readonly of: ReadonlyMap<Resource, Outcome<Resource | undefined>>;
  /** Every policy that a RenderConfig names, also one that it may not extend. */
  readonly named: ReadonlySet<Resource>;
  /** Whether a RenderConfig extends a policy that it may not, or that is missing. */
  readonly isBroken: boolean;
}

/**
 * Opens no file: authors of manifests choose the paths, and rules come only from `--policy-dir`.
 * @param configs RenderConfigs of trusted places
 * @param given everything that was read
 */
export function extendedPolicies(configs: readonly Resource[], given: readonly Resource[]): ExtendedPolicies {
  const extending = configs.filter((config) => extendsOf(config) !== undefined);
  if (extending.length === 0) return { of: new Map(), named: new Set(), isBroken: false };
  const files = Map.groupBy(given, ({ document }) => document.source.place);
  const found = extending.map((config) => [config, chooseBase(config, files)] as const);
  return {
    of: new Map(found.map(([config, { base, problem }]) => [config, outcomeOf(config, base, problem)])),
    named: new Set(found.flatMap(([, { named }]) => named)),
    isBroken: found.some(([, { base }]) => base === undefined),
  };
}

/** The base as the policy of a hosted cluster. Its places stay those of its own file. */
export function policyOfBase(base: Resource, namespace: string): Resource {
  const { metadata } = base.value;
  return {
    ...base,
    namespace,
    value: { ...base.value, metadata: { ...(isFields(metadata) ? metadata : {}), namespace } },
  };
}

/** The error if a RenderConfig extends a policy where an option names the policy. */
export function extendsBesideOption(config: Resource | undefined): Finding[] {
  if (config === undefined || extendsOf(config) === undefined) return [];
  const message = "names a policy, and so does the command line";
  return [refused(config, { message, hint: "take it out of this RenderConfig" })];
}

interface Problem {
  /** What is wrong with `spec.extends`. */
  readonly message: string;
  readonly hint: string;
}

interface Choice {
  readonly base?: Resource;
  readonly problem?: Problem | undefined;
  readonly named: readonly Resource[];
}

type Files = ReadonlyMap<string | undefined, readonly Resource[]>;

function chooseBase(config: Resource, files: Files): Choice {
  const path = extendsOf(config);
  const { config: isOption, ofPolicyDir, tree } = config.document.source;
  const without = (problem: Problem | undefined, named: readonly Resource[] = []): Choice => ({ problem, named });
  if (!isOption && ofPolicyDir !== true) return without(APART);
  // The schema of the RenderConfig refuses it.
  if (typeof path !== "string" || path === "" || path.length > MAX_EXTENDS) return without(undefined);
  if (path.startsWith("/")) return without(ABSOLUTE);
  const place = pathFrom(config.folder, path);
  const there = files.get(place) ?? [];
  const named = there.filter((one) => roleOf(one) === "policy");
  const [base] = there;
  if (base === undefined) return without(missing(path, place, files));
  if (there.length > 1) return without(several(path, there.length), named);
  const [only] = named;
  if (only === undefined || only.base.length > 0 || only.inside !== undefined)
    return without(noPolicy(path, base), named);
  const namespace = valueAt(only.value, ["metadata", "namespace"]);
  if (namespace !== undefined) return without(ofCluster(path), named);
  if (only.name !== POLICY_NAME) return without(otherName(path, only), named);
  if (!isOption && tree !== only.document.source.tree) return without(otherTree(path), named);
  return { base: only, named };
}

function outcomeOf(config: Resource, base: Resource | undefined, problem: Problem | undefined) {
  return { value: base, findings: problem === undefined ? [] : [refused(config, problem)] };
}

function refused(config: Resource, { message, hint }: Problem): Finding {
  const words = `${describeResource(config)}: \`spec.extends\` ${message}; nothing is rendered`;
  return findingAt("policy-invalid", config, EXTENDS, { message: words, hint });
}

const PATH = "write the path of a file below --policy-dir, from the folder of the RenderConfig: ../base/policy.yaml";

const APART: Problem = {
  message: "leads to a policy only in a directory that --policy-dir names, and this RenderConfig is in none",
  hint: "give --policy-dir; a KRM function has none: there a kustomize component holds what policies share",
};

const ABSOLUTE: Problem = {
  message: "is an absolute path, and it starts at the folder of the RenderConfig",
  hint: PATH,
};

/** Of more files none is suggested: each RenderConfig would be compared with each of them. */
const MOST_COMPARED = 200;

function missing(path: string, place: string, files: Files): Problem {
  const message = `leads to no file that was read below --policy-dir: ${JSON.stringify(path)}`;
  const places = files.size > MOST_COMPARED ? [] : [...files.keys()].filter((one) => one !== undefined);
  const near = places.find((one) => one.startsWith(`${place}/`)) ?? nearestWord(place, places);
  const file = near === undefined ? undefined : files.get(near)?.[0]?.document.source.file;
  return { message, hint: file === undefined ? PATH : `did you mean ${file}?` };
}

function several(path: string, count: number): Problem {
  const message = `leads to a file of ${count} objects: ${JSON.stringify(path)}`;
  return { message, hint: "give the base, an AutoNodePolicy without a namespace, a file of its own" };
}

function noPolicy(path: string, found: Resource): Problem {
  const message = `leads to ${describeResource(found)}, which is not an AutoNodePolicy alone in its file: ${JSON.stringify(path)}`;
  return { message, hint: PATH };
}

function ofCluster(path: string): Problem {
  const message = `leads to the policy of a hosted cluster, and a base has no metadata.namespace: ${JSON.stringify(path)}`;
  return {
    message,
    hint: "take the namespace out of the base, and name the cluster in a RenderConfig that extends it",
  };
}

function otherName(path: string, base: Resource): Problem {
  const message = `leads to ${describeResource(base)}, and only the AutoNodePolicy named \`${POLICY_NAME}\` is recognised: ${JSON.stringify(path)}`;
  return { message, hint: `name it ${POLICY_NAME}` };
}

function otherTree(path: string): Problem {
  const message = `leads to another folder that the * of --policy-dir matches, and its authors would decide for this one: ${JSON.stringify(path)}`;
  return { message, hint: "to share a base, keep the rules of all clusters in a policy directory without *" };
}
