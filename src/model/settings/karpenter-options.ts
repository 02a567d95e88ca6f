/** The options that Karpenter itself runs with: feature gates, policies of its scheduler. */
import * as z from "zod/mini";
import { valueIn } from "../../krm/builds/whole-file.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { scalarSource } from "../../krm/places/scalar-source.ts";
import { type Fields, isFields, listOf } from "../../krm/values/fields.ts";
import type { Profile } from "../crds/profile.ts";
import { withKeywords } from "../schema/keywords.ts";
import { memoize, memoizeByObject } from "../schema/memoize.ts";
import { type DefaultSpread, parseSchedulerConfig } from "./scheduler-config.ts";
import { field } from "./settings.ts";

interface Gate {
  /** The minor version of Karpenter that has it first. */
  readonly since: number;
  /** Its default (docs/upstream/karpenter.md#options). */
  readonly on: boolean;
  /** Whether it is of the AWS provider, which has an option of its own for its gates. */
  readonly ofAws?: true;
}

const GATES = {
  NodeRepair: { since: 13, on: false },
  ReservedCapacity: { since: 13, on: true },
  SpotToSpotConsolidation: { since: 13, on: false },
  NodeOverlay: { since: 13, on: false },
  StaticCapacity: { since: 13, on: false },
  CapacityBuffer: { since: 14, on: false },
  TerminateFirstDrift: { since: 15, on: false },
  TerminateFirstRepair: { since: 15, on: false },
  PodDeletionCostManagement: { since: 15, on: false },
  NodeClassCEL: { since: 15, on: false, ofAws: true },
} as const satisfies Readonly<Record<string, Gate>>;

export type KarpenterGate = keyof typeof GATES;

export const KARPENTER_GATES = Object.keys(GATES) as [KarpenterGate, ...KarpenterGate[]];

/** With the gate SpotToSpotConsolidation a single Spot node needs as many cheaper types to be replaced by one. */
export const CHEAPER_SPOT_TYPES = 15;

const MINORS: Readonly<Record<Profile, number>> = { hypershift: 13, "karpenter-1.14": 14, "karpenter-1.15": 15 };

const MIN_VALUES_POLICIES = ["Strict", "BestEffort"] as const;
const PREFERENCE_POLICIES = ["Respect", "Ignore"] as const;

/** They decide answers about nodes, and nothing that is rendered, guarded or proven. */
export interface KarpenterOptions {
  /** Those that are on. */
  readonly gates: ReadonlySet<KarpenterGate>;
  readonly minValuesPolicy: (typeof MIN_VALUES_POLICIES)[number];
  readonly preferencePolicy: (typeof PREFERENCE_POLICIES)[number];
  /** The spread of pods without constraints of their own; undefined if manifests have one that cannot be read, or two. */
  readonly defaultSpread: DefaultSpread | undefined;
  /** The NodeOverlays of the input; none without their gate. */
  readonly overlays: readonly Resource[];
}

export const karpenterSchema = memoize(() =>
  z.strictObject({
    version: field(
      withKeywords(
        z.string().check(z.regex(/^v?1\.\d{1,3}(\.\d{1,3})?$/, { error: "is not a version: write such as 1.15.0" })),
        {
          pattern: String.raw`^v?1\.\d{1,3}(\.\d{1,3})?$`,
        },
      ),
      "The version of Karpenter, which has the defaults of its gates. The profile's when left out.",
    ),
    featureGates: field(
      z.partialRecord(z.enum(KARPENTER_GATES), z.boolean()),
      "Karpenter's feature gates, such as StaticCapacity: true. Those of its Deployment among the inputs when left out, else its defaults.",
    ),
    minValuesPolicy: field(z.enum(MIN_VALUES_POLICIES), "MIN_VALUES_POLICY of Karpenter. Strict when left out."),
    preferencePolicy: field(z.enum(PREFERENCE_POLICIES), "PREFERENCE_POLICY of Karpenter. Respect when left out."),
  }),
);

/** What one source says; the rest is left out. */
export type GivenKarpenter = z.output<ReturnType<typeof karpenterSchema>>;

/**
 * For each option the value of the first layer that has one, else Karpenter's default.
 *
 * @param among the input
 */
export function karpenterOptions(
  profile: Profile,
  layers: readonly (GivenKarpenter | undefined)[] = [],
  among: readonly Resource[] = [],
): KarpenterOptions {
  const first = <T>(valueOf: (layer: GivenKarpenter) => T | undefined): T | undefined =>
    layers.map((layer) => layer && valueOf(layer)).find((value) => value !== undefined);
  const version = first((layer) => layer.version);
  const minor = version === undefined ? MINORS[profile] : Number(version.split(".")[1]);
  const isOn = (gate: KarpenterGate): boolean =>
    GATES[gate].since <= minor && (first(({ featureGates }) => featureGates?.[gate]) ?? GATES[gate].on);
  return {
    gates: new Set(KARPENTER_GATES.filter(isOn)),
    minValuesPolicy: first((layer) => layer.minValuesPolicy) ?? "Strict",
    preferencePolicy: first((layer) => layer.preferencePolicy) ?? "Respect",
    defaultSpread: minor < SCHEDULER_CONFIG_SINCE ? [] : manifestsAmong(among).defaultSpread,
    overlays: isOn("NodeOverlay") ? manifestsAmong(among).overlays : [],
  };
}

function isOverlay({ apiVersion, kind }: Resource): boolean {
  return apiVersion === "karpenter.sh/v1alpha1" && kind === "NodeOverlay";
}

type Gates = Partial<Record<KarpenterGate, boolean>>;

function isOfAws(gate: KarpenterGate): boolean {
  return "ofAws" in GATES[gate];
}

/** `StaticCapacity=true,NodeOverlay=false`, without the gates that anp does not know. Undefined if it is not that. */
export function parseGates(text: string): { readonly gates: Gates; readonly unknown: readonly string[] } | undefined {
  const pairs = text.split(",").map((part) => part.split("=").map((side) => side.trim()));
  const found = pairs.flatMap(([name = "", value, ...more]) =>
    more.length === 0 && (value === "true" || value === "false") ? [[name, value === "true"] as const] : [],
  );
  if (found.length < pairs.length) return undefined;
  const known = found.filter(([name]) => Object.hasOwn(GATES, name));
  const unknown = found.map(([name]) => name).filter((name) => !Object.hasOwn(GATES, name));
  return { gates: Object.fromEntries(known), unknown };
}

/**
 * The options in the manifests of Karpenter itself: its Deployment, a HelmRelease of Flux, an Application of Argo CD.
 * Their authors may be anyone, so a value of a wrong form is ignored, and an option that two of them contradict.
 *
 * @param namespace of a hosted control plane, whose Karpenter runs beside it
 */
export function karpenterAmong(resources: readonly Resource[], namespace?: string): GivenKarpenter {
  const { deployments, charts } = manifestsAmong(resources);
  const own = namespace === undefined ? [...deployments.values()].flat() : (deployments.get(namespace) ?? []);
  return agreedOf([...own.map(ofDeployment), ...charts]);
}

/** Whether the manifests of Karpenter itself are among the input. */
export function hasKarpenter(resources: readonly Resource[]): boolean {
  return resources.some((one) => isDeployment(one) || valuesOfCharts(one).length > 0);
}

/** Searched once for all hosted clusters. */
const manifestsAmong = memoizeByObject((resources: readonly Resource[]) => {
  const values = resources.flatMap(valuesOfCharts);
  const charts = values.map(ofValues);
  const deployments = resources.filter(isDeployment);
  return {
    defaultSpread: defaultSpreadOf(resources, [
      ...deployments.map((one) => optionOf(one, "scheduler-config", "SCHEDULER_CONFIG")),
      ...values.map((one) =>
        variableOf(listOf(valueAt(one, ["controller", "env"])).filter(isFields), "SCHEDULER_CONFIG"),
      ),
    ]),
    overlays: resources.filter(isOverlay),
    deployments: Map.groupBy(deployments, ({ namespace }) => namespace),
    charts: distinctOf(charts),
  };
});

const OPTIONS = ["minValuesPolicy", "preferencePolicy"] as const;

/** Each value of each option once: two rows, for however many charts. */
function distinctOf(all: readonly GivenKarpenter[]): readonly GivenKarpenter[] {
  const gates = KARPENTER_GATES.map((gate) => [gate, [...valuesIn(all, (one) => one.featureGates?.[gate])]] as const);
  const policies = OPTIONS.map((option) => [option, [...valuesIn(all, (one) => one[option])]] as const);
  return [0, 1].map((row) => ({
    featureGates: Object.fromEntries(gates.map(([gate, values]) => [gate, values[row]])) as Gates,
    ...(Object.fromEntries(policies.map(([option, values]) => [option, values[row]])) as Pick<
      GivenKarpenter,
      (typeof OPTIONS)[number]
    >),
  }));
}

function valuesIn<T>(all: readonly GivenKarpenter[], valueOf: (one: GivenKarpenter) => T | undefined): ReadonlySet<T> {
  return new Set(all.map(valueOf).filter((value) => value !== undefined));
}

function agreedOf(all: readonly GivenKarpenter[]): GivenKarpenter {
  const agreed = <T>(valueOf: (one: GivenKarpenter) => T | undefined): T | undefined => {
    const values = valuesIn(all, valueOf);
    return values.size === 1 ? [...values][0] : undefined;
  };
  const gates = KARPENTER_GATES.map((gate) => [gate, agreed(({ featureGates }) => featureGates?.[gate])] as const);
  return {
    featureGates: Object.fromEntries(gates.filter(([, value]) => value !== undefined)),
    minValuesPolicy: agreed((one) => one.minValuesPolicy),
    preferencePolicy: agreed((one) => one.preferencePolicy),
  };
}

function isDeployment({ apiVersion, kind, name, value }: Resource): boolean {
  if (groupOf(apiVersion) !== "apps" || kind !== "Deployment") return false;
  return name === KARPENTER || valueAt(value, ["metadata", "labels", "app.kubernetes.io/name"]) === KARPENTER;
}

const KARPENTER = "karpenter";

/** A flag counts before a variable, as in Karpenter (docs/upstream/karpenter.md#gates). */
function optionOf({ value }: Resource, flag: string, variable: string): unknown {
  const containers = listOf(valueAt(value, ["spec", "template", "spec", "containers"])).filter(isFields);
  const words = containers.flatMap(({ command, args }) => [...listOf(command), ...listOf(args)]);
  const texts = words.filter((word) => typeof word === "string");
  const variables = containers.flatMap(({ env }) => listOf(env).filter(isFields));
  const at = texts.findLastIndex((text) => [`-${flag}`, `--${flag}`].includes(text.split("=", 1)[0]!));
  const [, ...parts] = texts[at]?.split("=") ?? [];
  if (at === -1) return variableOf(variables, variable);
  return parts.length > 0 ? parts.join("=") : texts[at + 1];
}

/** A value from elsewhere is an object. */
function variableOf(variables: readonly Fields[], variable: string): unknown {
  const found = variables.findLast(({ name }) => name === variable);
  return found?.["value"] ?? found?.["valueFrom"];
}

const SCHEDULER_CONFIG_SINCE = 15;

function defaultSpreadOf(resources: readonly Resource[], given: readonly unknown[]): DefaultSpread | undefined {
  const texts = given.filter((one) => one !== undefined).map((one) => keyOfConfigMap(resources, one) ?? one);
  const [text, ...others] = new Set(texts.filter((one) => one !== ""));
  if (text === undefined) return [];
  return typeof text === "string" && others.length === 0 ? parseSchedulerConfig(text) : undefined;
}

/** The text that a variable takes from a ConfigMap of the input; undefined if it takes none, or the ConfigMap is not there. */
function keyOfConfigMap(resources: readonly Resource[], value: unknown): string | undefined {
  const [name, key] = ["name", "key"].map((field) => textAt(value, ["configMapKeyRef", field]));
  if (name === undefined || key === undefined) return undefined;
  const maps = resources.filter((one) => one.apiVersion === "v1" && one.kind === "ConfigMap" && one.name === name);
  return maps.length === 1 ? textAt(maps[0]!.value, ["data", key]) : undefined;
}

function ofDeployment(deployment: Resource): GivenKarpenter {
  const option = (flag: string, variable: string): unknown => optionOf(deployment, flag, variable);
  const gatesOf = (text: unknown, ofAws: boolean): [string, boolean][] => {
    const gates = typeof text === "string" ? parseGates(text)?.gates : undefined;
    return Object.entries(gates ?? {}).filter(([gate]) => isOfAws(gate as KarpenterGate) === ofAws);
  };
  return {
    featureGates: Object.fromEntries([
      ...gatesOf(option("feature-gates", "FEATURE_GATES"), false),
      ...gatesOf(option("aws-feature-gates", "AWS_FEATURE_GATES"), true),
    ]),
    ...policiesOf(option("min-values-policy", "MIN_VALUES_POLICY"), option("preference-policy", "PREFERENCE_POLICY")),
  };
}

/** The values of Karpenter's chart, as objects. */
function valuesOfCharts(resource: Resource): readonly unknown[] {
  const { apiVersion, kind, value } = resource;
  const group = groupOf(apiVersion);
  if (group === "helm.toolkit.fluxcd.io" && kind === "HelmRelease")
    return valueAt(value, ["spec", "chart", "spec", "chart"]) === KARPENTER ? [valueAt(value, ["spec", "values"])] : [];
  if (group !== "argoproj.io" || kind !== "Application") return [];
  const places: FieldPath[] = [
    ["spec", "source"],
    ...listOf(valueAt(value, ["spec", "sources"])).map((_one, index) => ["spec", "sources", index]),
  ];
  return places.flatMap((place) => {
    const chart = valueAt(value, [...place, "chart"]);
    if (chart !== KARPENTER && chart !== `karpenter/${KARPENTER}`) return [];
    const object = valueAt(value, [...place, "helm", "valuesObject"]);
    const text = valueAt(value, [...place, "helm", "values"]);
    // The object takes the place of the text (docs/upstream/hosts.md#helm).
    const isText = object === undefined && typeof text === "string";
    return [isText ? valueIn(scalarSource(resource, [...place, "helm", "values"], text)) : object];
  });
}

/** The chart has the names of gates in camel case: `settings.featureGates.staticCapacity`. */
function ofValues(values: unknown): GivenKarpenter {
  const gates = KARPENTER_GATES.flatMap((gate) => {
    const given = valueAt(values, ["settings", isOfAws(gate) ? "awsFeatureGates" : "featureGates"]);
    const value = isFields(given) ? given[gate[0]!.toLowerCase() + gate.slice(1)] : undefined;
    return typeof value === "boolean" ? [[gate, value]] : [];
  });
  return {
    featureGates: Object.fromEntries(gates) as Gates,
    ...policiesOf(valueAt(values, ["settings", "minValuesPolicy"]), valueAt(values, ["settings", "preferencePolicy"])),
  };
}

function policiesOf(minValues: unknown, preference: unknown): GivenKarpenter {
  return {
    minValuesPolicy: MIN_VALUES_POLICIES.find((policy) => policy === minValues),
    preferencePolicy: PREFERENCE_POLICIES.find((policy) => policy === preference),
  };
}
