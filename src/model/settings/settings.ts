/** The settings of a run: form, default, and a sentence for each interface that offers it. */
import * as z from "zod/mini";
import { parseGoDuration } from "../values/go-duration.ts";
import { NODE_POOL_FORMS } from "../inputs/bundle.ts";
import { HOSTED_CLUSTER_NAME } from "../inputs/hosted-clusters.ts";
import { patternSchema, withKeywords } from "../schema/keywords.ts";
import { memoize } from "../schema/memoize.ts";
import { DEFAULT_PROFILE, PROFILES } from "../crds/profile.ts";

/** What a KRM function or an Argo CD plugin does about a guard (docs/guard.md#in-a-pipeline). */
const GUARD_ACTIONS = ["deny", "audit", "withdraw", "off"] as const;

/** `off`: removes an earlier guard, and makes none. */
export type GuardAction = (typeof GUARD_ACTIONS)[number];

/** A sentence for each interface; `{default}` becomes the default. */
interface Offers {
  /** Options: of the commands that read manifests and a policy, of `watch`, `fn` and `cmp`. */
  readonly option?: string;
  readonly watch?: string;
  readonly fn?: string;
  readonly cmp?: string;
  /** Fields of files, as their JSON Schemas and docs/fields.md describe them. */
  readonly watchConfig?: string;
  readonly renderConfig?: string;
  /** The ConfigMap of `fn`. */
  readonly functionConfig?: string;
  /** The settings of a discovered cluster (docs/watch-fleet.md#settings-of-one-cluster). */
  readonly cluster?: true;
  /** A parameter of an Argo CD application: its title, its tooltip, and what a wrong text is. */
  readonly parameter?: readonly [title: string, tooltip: string, wrong?: string];
}

export interface Setting extends Offers {
  /** Its value in a file. */
  readonly schema: () => z.ZodMiniType;
  /** Its value if nothing gives one. */
  readonly fallback?: string | number | boolean;
  /** The name of an option's value; a flag has none. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** Whether the text of an option is valid, and the message if it is not. */
  readonly accepts?: readonly [test: (text: string) => boolean, refusal: string];
  /** The message if the option is given twice, and the second value would silently replace the first. */
  readonly once?: string;
  /** For schemas that a model states as code. */
  readonly pattern?: string;
}

const flag = memoize(() => z.boolean());

/** A flag, off by default. */
const FLAG = { schema: flag, fallback: false } as const;

function choice<const T extends readonly [string, ...string[]]>(placeholder: string, choices: T) {
  return { placeholder, choices, schema: memoize(() => z.enum(choices)) } as const;
}

const PACKAGE_FOLDER = String.raw`^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$`;

/** A folder within the package, as `PACKAGE_FOLDER` has it: hosts refuse a path that leads out of it. */
function isPackageFolder(text: string): boolean {
  return text !== "" && !/[\n\r\u2028\u2029]/.test(text) && !text.startsWith("/") && !text.split("/").includes("..");
}

const packageFolder = memoize(() =>
  patternSchema({
    pattern: PACKAGE_FOLDER,
    test: isPackageFolder,
    error: "is not a folder of the package: write a relative path without ..",
  }),
);

const SHORTEST_NS = 1_000_000_000n;

/** A daily pass finds changes without an event. JavaScript's timers for more than 24 days fire at once. */
const LONGEST_NS = 86_400_000_000_000n;

const INTERVALS = "a duration from one second to a day, such as 30s or 5m";

/** The time between two passes in milliseconds; undefined if a watch cannot keep it. */
export function intervalMs(text: string): number | undefined {
  const duration = parseGoDuration(text);
  if (duration === undefined || duration < SHORTEST_NS || duration > LONGEST_NS) return undefined;
  return Number(duration / 1_000_000n);
}

const isInterval = (text: string): boolean => intervalMs(text) !== undefined;
const isAddress = (text: string): boolean => parseListenAddress(text) !== undefined;

/** In the order of the ConfigMap of `fn`; others have orders of their own, with new settings last. */
const SETTINGS = {
  hostedCluster: {
    schema: memoize(() => z.string().check(z.regex(HOSTED_CLUSTER_NAME, { error: "is not a namespace" }))),
    placeholder: "namespace",
    accepts: [(text) => HOSTED_CLUSTER_NAME.test(text), "It must be a namespace, such as clusters-my-cluster."],
    option: "the hosted control plane's namespace to render for",
    watch: "the hosted control plane's namespace",
    functionConfig: "The hosted control plane's namespace, if the input has several.",
    parameter: [
      "Hosted cluster",
      "The hosted control plane's namespace to render for.",
      "is not a namespace, such as clusters-my-cluster",
    ],
  },
  profile: {
    ...choice("name", PROFILES),
    fallback: DEFAULT_PROFILE,
    option: "the Karpenter to render for (default: {default})",
    watch: "the Karpenter to render for (default: {default})",
    cluster: true,
    renderConfig: "The Karpenter to render for. {default} when left out.",
    functionConfig: "The Karpenter to render for.",
    parameter: [
      "Karpenter profile",
      `The Karpenter to render for: ${PROFILES.join(", ")}. When left out, the RenderConfig's, else {default}.`,
    ],
  },
  onBypass: {
    ...choice("action", ["Fail", "Block"]),
    fallback: "Fail",
    renderConfig:
      "What becomes of a pool that would bypass the policy: it is not rendered (Fail), or gets no new nodes (Block).",
    functionConfig: "What becomes of a pool that would bypass the policy: Fail or Block.",
  },
  nodePools: {
    ...choice("form", NODE_POOL_FORMS),
    fallback: "Wrapped",
    option: "whether users write OpenshiftNodePools, or also NodePools of Karpenter (default: {default})",
    watch: "whether users write OpenshiftNodePools, or also NodePools of Karpenter (default: {default})",
    cluster: true,
    renderConfig:
      "Whether users write OpenshiftNodePools (Wrapped), or also NodePools of Karpenter, as HyperShift ships it (Raw). Only a RenderConfig that `--config` or `--policy-dir` names may say Raw. {default} when left out.",
    functionConfig: "Whether users write OpenshiftNodePools, or also NodePools of Karpenter: Wrapped or Raw.",
  },
  enforcedBy: {
    ...choice("how", ["Render", "Admission"]),
    option: "what enforces the policy on users' NodePools: rendering, or the guard",
    watch: "what enforces the policy on users' NodePools: rendering, or the guard",
    cluster: true,
    renderConfig:
      "What enforces the policy on NodePools that users write (`nodePools: Raw`): their manifests are rendered before they are applied (Render), or the guard is installed (Admission). Only a RenderConfig that `--config` or `--policy-dir` names may say it.",
    functionConfig: "What enforces the policy on NodePools that users write: Render or Admission.",
  },
  requirePolicy: {
    ...FLAG,
    option: "fail if there is no AutoNodePolicy",
    watch: "hold everything while there is no AutoNodePolicy",
    renderConfig: "A hosted cluster without a policy is an error.",
    functionConfig: "A hosted cluster without a policy is an error",
    parameter: ["Require a policy", "A missing AutoNodePolicy is an error."],
  },
  policyDir: {
    schema: packageFolder,
    placeholder: "path",
    once: "It is given twice. One quoted path can match many folders, such as 'clusters/*/policy'.",
    option: "read policies and other rules only from this path",
    watch: "read policies and other rules only from this path",
    functionConfig: "A folder of the package: rules are read only there.",
    parameter: [
      "Policy directory",
      "The only folder that policies and other rules are read from, so that authors of wrappers cannot add a rule.",
    ],
  },
  dir: {
    schema: packageFolder,
    placeholder: "folder",
    accepts: [isPackageFolder, "It must be a folder of the package: a relative path without .."],
    fn: "the folder of the package for manifests (default: rendered)",
    functionConfig: "The folder of the package for generated objects.",
  },
  allowEmpty: {
    ...FLAG,
    watch: "prune even if no wrapper was read",
    fn: "remove earlier output even if no wrapper was read",
    cmp: "render even if no wrapper was read: Argo CD then prunes every node pool",
    functionConfig: "Remove generated objects when no wrapper is left",
    parameter: [
      "Allow no wrappers",
      "Render even if no wrapper was read: with automatic pruning Argo CD then removes every node pool.",
    ],
  },
  localConfig: {
    ...FLAG,
    fn: "mark wrappers and rules so that the host does not apply them",
    functionConfig: "Mark wrappers and rules, so that hosts do not apply them",
  },
  validate: {
    ...FLAG,
    fn: "report what is wrong, and change nothing",
    functionConfig: "Report findings and change nothing",
  },
  guard: {
    ...choice("action", GUARD_ACTIONS),
    fn: "write the guard of an AutoNodePolicy for Karpenter's own NodePools",
    cmp: "output Karpenter's own NodePools unchanged, with the guard of an AutoNodePolicy",
    functionConfig:
      "Write the guard of the AutoNodePolicy for Karpenter's own NodePools, and render nothing (docs/guard.md).",
    parameter: [
      "Guard",
      `For Karpenter's own NodePools: their manifests, and the guard of the AutoNodePolicy: ${GUARD_ACTIONS.join(", ")}.`,
    ],
  },
  interval: {
    schema: memoize(() => z.string().check(z.refine(isInterval, { error: `is not an interval: write ${INTERVALS}` }))),
    fallback: "1m",
    placeholder: "duration",
    accepts: [isInterval, `Write ${INTERVALS}.`],
    // A Go duration; the limits are not in it.
    pattern: "^([0-9]+(\\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+$",
    watch: "between two passes (default: {default})",
    watchConfig: "The time between two passes without changes. {default} when left out.",
    cluster: true,
  },
  concurrency: {
    schema: memoize(() => z.int().check(z.minimum(1), z.maximum(999))),
    fallback: 4,
    placeholder: "number",
    accepts: [(text) => /^[1-9]\d{0,2}$/.test(text), "Write a number from 1 to 999."],
    watch: "passes that run at once (default: {default})",
    watchConfig: "The number of concurrent passes, over all clusters. {default} when left out.",
  },
  maxPrune: {
    schema: memoize(() => z.int().check(z.minimum(0))),
    fallback: 5,
    placeholder: "number",
    accepts: [(text) => /^\d{1,6}$/.test(text), "Write a number."],
    watch: "delete nothing in a pass that would delete more objects than this (default: {default})",
    watchConfig:
      "If more NodePools and EC2NodeClasses than this have no wrapper, none is deleted. {default} when left out.",
    cluster: true,
  },
  onPolicyUnreadable: {
    ...choice("mode", ["Hold", "Permissive"]),
    fallback: "Hold",
    watch: "if RBAC forbids reading the policy (default: {default})",
    watchConfig: "What to do if RBAC forbids reading the policy: {default} (when left out), or Permissive.",
    cluster: true,
  },
  /**
   * - `Disruption`: replaces no more nodes at once than the limit has room for
   * - `Full`: also deletes the NodeClaims above the limit
   * - `Off`: leaves limits to Karpenter
   */
  nodeLimits: {
    ...choice("mode", ["Disruption", "Full", "Off"]),
    fallback: "Disruption",
    watch: "keep Hard limits on nodes (default: {default})",
    watchConfig: "How far Hard limits on nodes are kept. {default} when left out.",
    cluster: true,
  },
  installCrds: {
    ...FLAG,
    watch: "install the CRDs of policy and wrappers, and keep them at this version",
    watchConfig:
      "Create the CRDs of policy and wrappers, and keep them as this version of anp has them. {default} when left out.",
    cluster: true,
  },
  dryRun: {
    ...FLAG,
    watch: "send everything to the API server as a dry run, and change nothing",
    cluster: true,
  },
  listen: {
    schema: memoize(() =>
      z.string().check(
        z.refine(isAddress, {
          error: "is not an address to listen on: write 127.0.0.1:8080, or :8080 for all addresses",
        }),
      ),
    ),
    placeholder: "address",
    accepts: [isAddress, "Write an address such as 127.0.0.1:8080, or :8080 for all addresses."],
    pattern: "^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]*):[0-9]{1,5}$",
    watch: "serve /healthz, /readyz and /metrics there, such as :8080",
    watchConfig:
      "The address of /healthz, /readyz and /metrics, such as 127.0.0.1:8080 or :8080. Not served when left out.",
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Settings = typeof SETTINGS;

export type Interface = keyof Offers;

/** The settings that an interface offers. */
export type SettingOf<I extends Interface> = {
  [N in keyof Settings]: I extends keyof Settings[N] ? N : never;
}[keyof Settings];

type Value<N extends keyof Settings> = z.output<ReturnType<Settings[N]["schema"]>>;

/** Values that an interface gives. */
export type Given<I extends Interface> = { readonly [N in SettingOf<I>]?: Value<N> | undefined };

/** With defaults for those that have one. */
export type Settled<I extends Interface> = {
  readonly [N in SettingOf<I> as "fallback" extends keyof Settings[N] ? N : never]: Value<N>;
} & { readonly [N in SettingOf<I> as "fallback" extends keyof Settings[N] ? never : N]?: Value<N> };

/** Those of the commands that read manifests and a policy, which functions of the library take too. */
export type SharedSettings = Given<"option">;

type Offered<I extends Interface> = { readonly [N in SettingOf<I>]: Setting };

export function offered<I extends Interface>(offer: I): Offered<I> {
  const all: [string, Setting][] = Object.entries(SETTINGS);
  return Object.fromEntries(all.filter(([, setting]) => setting[offer] !== undefined)) as Offered<I>;
}

/** For each setting of the interface the value of the first layer that has one. */
export function given<I extends Interface>(offer: I, ...layers: readonly object[]): Given<I> {
  const values = Object.keys(offered(offer)).flatMap((name) => {
    const found = (layers as Record<string, unknown>[]).find((layer) => layer[name] !== undefined);
    return found === undefined ? [] : [[name, found[name]]];
  });
  return Object.fromEntries(values) as Given<I>;
}

/** The same with the defaults as the last layer. */
export function settled<I extends Interface>(offer: I, ...layers: readonly object[]): Settled<I> {
  const defaults = Object.entries<Setting>(offered(offer)).map(([name, { fallback }]) => [name, fallback]);
  return given(offer, ...layers, Object.fromEntries(defaults) as object) as unknown as Settled<I>;
}

/** How a watch keeps one hosted cluster, apart from how it renders and when. */
export type WatchSettings = Omit<Settled<"cluster">, SettingOf<"renderConfig"> | "interval">;

/** @param layers flags, then the cluster's own settings, then those of all */
export function watchSettings(...layers: readonly object[]) {
  const others = ["interval", ...Object.keys(offered("renderConfig"))];
  const kept = Object.entries(settled("cluster", ...layers)).filter(([name]) => !others.includes(name));
  return { ...(Object.fromEntries(kept) as unknown as WatchSettings), render: given("renderConfig", ...layers) };
}

export function withDefault(sentence: string, { fallback }: Setting): string {
  return sentence.replace("{default}", String(fallback));
}

/** A field with its sentence for JSON Schemas. The schema may be shared by fields, and stays as it is. */
export function described<S extends z.ZodMiniType>(schema: S, description: string, more: object = {}): S {
  return withKeywords(schema.clone(), { ...z.globalRegistry.get(schema), description, ...more });
}

/** The same as an optional field. */
export function field<S extends z.ZodMiniType>(schema: S, description: string, more?: object): z.ZodMiniOptional<S> {
  return z.optional(described(schema, description, more));
}

type Fields<I extends Interface> = { [N in SettingOf<I>]: z.ZodMiniOptional<ReturnType<Settings[N]["schema"]>> };

/** The fields of a file, or the options of the library, for a schema of zod. */
export function fieldsOf<I extends "option" | "watchConfig" | "renderConfig" | "cluster">(file: I): Fields<I> {
  const fields = Object.entries<Setting>(offered(file)).map(([name, setting]) => {
    const { schema, pattern, [file]: sentence = "" } = setting;
    const description = withDefault(String(sentence), setting);
    return [name, field(schema(), description, pattern === undefined ? {} : { pattern })];
  });
  return Object.fromEntries(fields) as Fields<I>;
}

const flagText = memoize(() =>
  z.string().check(z.regex(/^(?:true|false)$/, { error: 'is neither "true" nor "false"' })),
);

/** The fields of the ConfigMap of `fn`, whose values are texts. */
export function fieldsOfConfigMap() {
  const fields = Object.entries<Setting>(offered("functionConfig")).map(([name, { schema, functionConfig = "" }]) => {
    if (schema !== flag) return [name, field(schema(), functionConfig)];
    const text = described(flagText(), `${functionConfig}: "true" or "false".`);
    return [
      name,
      z.optional(
        z.pipe(
          text,
          z.transform((value) => value === "true"),
        ),
      ),
    ];
  });
  return Object.fromEntries(fields) as {
    [N in SettingOf<"functionConfig">]: z.ZodMiniOptional<z.ZodMiniType<Value<N>>>;
  };
}

/** A name as options and Argo CD's parameters have it. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The host and port of an address to listen on, such as `127.0.0.1:8080` or `:8080`. */
export interface ListenAddress {
  /** Undefined: all addresses of the machine. */
  readonly host: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
}

const ADDRESS = /^(?:\[(?<ipv6>[0-9a-fA-F:.]+)\]|(?<host>[A-Za-z0-9.-]*)):(?<port>\d{1,5})$/;

/** Undefined if the text is not an address; an IPv6 address is in brackets, as in `[::1]:8080`. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const { ipv6, host, port } = ADDRESS.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  return { host: ipv6 ?? (host === "" ? undefined : host), port: Number(port) };
}
