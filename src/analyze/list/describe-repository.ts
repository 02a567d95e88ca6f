/** Which folders belong to which hosted cluster, which objects govern it, and what anp ignores. */
import { commandsFor, layoutsOf } from "./layouts.ts";
import { sharedPolicies } from "./shared-policies.ts";
import type { DescribedGovernment, DescribedRepository, Ignored } from "./doctor-answer.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { type Bundle, isUsersNodePool } from "../../model/inputs/bundle.ts";
import { extendsOf } from "../../model/inputs/extended-policies.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import { sortRawObjects } from "../../model/objects/raw-objects.ts";
import { roleOf } from "../../model/objects/role.ts";
import { hasKarpenter } from "../../model/settings/karpenter-options.ts";
import { configOf, type RenderOptions, settingsOf } from "../../resolve/settings.ts";

interface Input {
  readonly gathered: Gathered;
  readonly resources: readonly Resource[];
  readonly findings: readonly Finding[];
  /** Formats a folder for display. */
  readonly shown: (place: string) => string;
  readonly options: RenderOptions;
}

/** For an input without a hosted cluster. */
export function describeRawRepository(
  input: Omit<Input, "gathered" | "options"> & { readonly paths: readonly string[] },
): DescribedRepository {
  const { resources, shown, paths, findings } = input;
  const byFolder = [...Map.groupBy(resources, ({ folder }) => folder)];
  const folders = byFolder.flatMap(([folder, all]) => {
    const { nodePools, nodeClasses } = sortRawObjects(all).value;
    const own = [...nodePools, ...nodeClasses];
    return own.length === 0 ? [] : [[folder, own] as const];
  });
  return {
    foldersDecide: false,
    hostedClusters: [],
    sharedPolicies: [],
    strays: [],
    rawFolders: folders.map(([folder, own]) => {
      const pools = own.filter(({ kind }) => kind === "NodePool").length;
      return { folder: shown(folder), nodePools: pools, nodeClasses: own.length - pools };
    }),
    layouts: layoutsOf(folders.flatMap(([, own]) => own)),
    commands: folders.length === 0 ? [] : commandsFor(paths, findings),
    ignored: ignoredInputs(input),
  };
}

export function describeRepository(input: Input): DescribedRepository {
  const { gathered, shown } = input;
  const given = givenFolders(input);
  const strays = Map.groupBy(gathered.strays, ({ resource, among }) => JSON.stringify([resource.folder, among]));
  return {
    foldersDecide: gathered.clusters.foldersDecide,
    hostedClusters: gathered.bundles.map((bundle) =>
      governmentOf(bundle, given.get(bundle.hostedCluster) ?? [], input),
    ),
    sharedPolicies: sharedPolicies(gathered.bundles),
    strays: [...strays.values()].map((group) => {
      const [{ resource, among }] = group as [(typeof group)[0]];
      return { folder: shown(resource.folder), wrappers: group.length, among };
    }),
    rawFolders: [],
    layouts: [],
    commands: [],
    ignored: [...ignoredInputs(input), ...earlierOutputs(gathered)],
  };
}

/** By hosted cluster. */
function givenFolders({ gathered, shown }: Input): ReadonlyMap<string | undefined, DescribedGovernment["folders"]> {
  const given = [...gathered.clusters.folders()].flatMap(([folder, clusters]) =>
    [...clusters].map(([namespace, by]) => {
      return { namespace, folder: { folder: shown(folder), by: describeResource(by), file: by.document.source.file } };
    }),
  );
  const byNamespace = Map.groupBy(given, ({ namespace }) => namespace);
  return new Map([...byNamespace].map(([namespace, own]) => [namespace, own.map(({ folder }) => folder)]));
}

function governmentOf(
  bundle: Bundle,
  folders: DescribedGovernment["folders"],
  { gathered, shown, options }: Input,
): DescribedGovernment {
  const { hostedCluster, nodePools, nodeClasses } = bundle;
  const settings = settingsOf(bundle, options).value;
  const config = configOf(bundle).value;
  const raw = nodePools.filter(isUsersNodePool);
  const fileOf = (resource: Resource | undefined): string | null => resource?.document.source.file ?? null;
  const wrappers = Map.groupBy([...nodePools, ...nodeClasses], ({ folder }) => folder);
  return {
    hostedCluster: hostedCluster ?? null,
    policy: fileOf(bundle.policy),
    extends: textOf(extendsOf(bundle.renderConfig)),
    renderConfig: fileOf(bundle.renderConfig),
    hostedControlPlane: fileOf(bundle.hostedControlPlane),
    hostedClusterObject: fileOf(bundle.hostedClusterObject),
    folders: gathered.clusters.foldersDecide ? folders : [],
    nodePools: nodePools.length - raw.length,
    ...(raw.length === 0 ? {} : { rawNodePools: raw.length }),
    nodeClasses: nodeClasses.length,
    wrapperFolders: [...wrappers].map(([folder, own]) => ({ folder: shown(folder), wrappers: own.length })),
    profile: settings?.profile ?? null,
    requirePolicy: settings?.requirePolicy ?? false,
    guardRails: config?.guardRails ?? null,
    baseline: config?.baseline ?? null,
  };
}

/** A value of another type is no path, and a finding says so. */
function textOf(value: unknown): string | null {
  return value === undefined ? null : typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

const IGNORED: readonly string[] = [
  "file-skipped",
  "file-passed-over",
  "kustomization-unbuilt",
  "embedded-unread",
  "terraform-unread",
  "chart-unbuilt",
  "policy-ignored",
];

function ignoredInputs({ resources, findings }: Pick<Input, "resources" | "findings">): Ignored[] {
  const files = findings.filter(({ code }) => IGNORED.includes(code));
  // What holds a manifest or an option of Karpenter that is read is not ignored.
  const holders = new Set(resources.flatMap(({ inside }) => inside ?? []));
  const isRead = (resource: Resource) => holders.has(describeResource(resource)) || hasKarpenter([resource]);
  const kinds = Map.groupBy(
    resources.filter((resource) => roleOf(resource) === "not-ours" && !isRead(resource)),
    ({ apiVersion, kind }) => `${kind} of ${apiVersion}`,
  );
  return [
    ...files.map(({ file = "the input", message }) => ({ what: file, why: message })),
    ...[...kinds].map(([kind, own]) => ({ what: `${own.length} ${kind}`, why: "anp does not read this kind" })),
  ];
}

function earlierOutputs({ bundles }: Gathered): Ignored[] {
  const outputs = bundles.reduce((sum, bundle) => sum + bundle.earlierOutput.length, 0);
  if (outputs === 0) return [];
  return [{ what: `${outputs} earlier outputs of anp`, why: "rendering reads wrappers only" }];
}
