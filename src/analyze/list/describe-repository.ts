/** Whose folder is whose, what governs each hosted cluster, and what is ignored, as data. */
import type { Finding } from "../../krm/finding.ts";
import { describeResource, type Resource } from "../../krm/resource.ts";
import type { Bundle } from "../../model/bundle.ts";
import type { Gathered } from "../../model/gather.ts";
import { sortRawObjects } from "../../model/raw-objects.ts";
import { roleOf } from "../../model/role.ts";
import { configOf, type RenderOptions, settingsOf } from "../../resolve/settings.ts";

export interface DescribedRepository {
  /** Whether the folders say which hosted cluster a wrapper is for; else all are of the one that there is. */
  readonly foldersDecide: boolean;
  readonly hostedClusters: readonly DescribedGovernment[];
  /** Wrappers of which nobody can tell whose they are. */
  readonly strays: readonly StrayFolder[];
  /** Karpenter's own objects, where there is no hosted cluster: nobody governs them here. */
  readonly rawFolders: readonly RawFolder[];
  readonly ignored: readonly Ignored[];
}

export interface DescribedGovernment {
  /** Null where the input names none. */
  readonly hostedCluster: string | null;
  /** Files. */
  readonly policy: string | null;
  readonly renderConfig: string | null;
  readonly hostedControlPlane: string | null;
  readonly hostedClusterObject: string | null;
  readonly folders: readonly GivenFolder[];
  readonly nodePools: number;
  readonly nodeClasses: number;
  readonly wrapperFolders: readonly WrapperFolder[];
  /** Null where the RenderConfig cannot be read. */
  readonly profile: string | null;
  readonly requirePolicy: boolean;
  readonly guardRails: string | null;
  readonly baseline: string | null;
}

interface GivenFolder {
  readonly folder: string;
  /** `AutoNodePolicy default`, whose place or `spec.paths` gives it. */
  readonly by: string;
  readonly file: string;
}

interface WrapperFolder {
  readonly folder: string;
  readonly wrappers: number;
}

interface StrayFolder extends WrapperFolder {
  /** The hosted clusters that have it as well; none where nobody has. */
  readonly among: readonly string[];
}

interface RawFolder {
  readonly folder: string;
  readonly nodePools: number;
  readonly nodeClasses: number;
}

interface Ignored {
  /** A file, or how many objects of which kind. */
  readonly what: string;
  readonly why: string;
}

interface Told {
  readonly gathered: Gathered;
  readonly resources: readonly Resource[];
  readonly findings: readonly Finding[];
  /** A place as people write it. */
  readonly shown: (place: string) => string;
  readonly options: RenderOptions;
}

/** Of one without a hosted cluster. */
export function describeRawRepository(told: Omit<Told, "gathered" | "options">): DescribedRepository {
  const { resources, shown } = told;
  const { nodePools, nodeClasses } = sortRawObjects(resources).value;
  const folders = Map.groupBy([...nodePools, ...nodeClasses], ({ folder }) => folder);
  return {
    foldersDecide: false,
    hostedClusters: [],
    strays: [],
    rawFolders: [...folders].map(([folder, own]) => {
      const pools = own.filter(({ kind }) => kind === "NodePool").length;
      return { folder: shown(folder), nodePools: pools, nodeClasses: own.length - pools };
    }),
    ignored: passedOver(told),
  };
}

export function describeRepository(told: Told): DescribedRepository {
  const { gathered, shown } = told;
  const strays = Map.groupBy(gathered.strays, ({ resource, among }) => JSON.stringify([resource.folder, among]));
  return {
    foldersDecide: gathered.clusters.foldersDecide,
    hostedClusters: gathered.bundles.map((bundle) => governmentOf(bundle, told)),
    strays: [...strays.values()].map((group) => {
      const [{ resource, among }] = group as [(typeof group)[0]];
      return { folder: shown(resource.folder), wrappers: group.length, among };
    }),
    rawFolders: [],
    ignored: [...passedOver(told), ...earlierOutputs(gathered)],
  };
}

function governmentOf(bundle: Bundle, { gathered, shown, options }: Told): DescribedGovernment {
  const { hostedCluster, nodePools, nodeClasses } = bundle;
  const settings = settingsOf(bundle, options).value;
  const config = configOf(bundle).value;
  const fileOf = (resource: Resource | undefined): string | null => resource?.document.source.file ?? null;
  const folders = [...gathered.clusters.folders()].flatMap(([folder, clusters]): GivenFolder[] => {
    const by = hostedCluster === undefined ? undefined : clusters.get(hostedCluster);
    if (by === undefined) return [];
    return [{ folder: shown(folder), by: describeResource(by), file: by.document.source.file }];
  });
  const wrappers = Map.groupBy([...nodePools, ...nodeClasses], ({ folder }) => folder);
  return {
    hostedCluster: hostedCluster ?? null,
    policy: fileOf(bundle.policy),
    renderConfig: fileOf(bundle.renderConfig),
    hostedControlPlane: fileOf(bundle.hostedControlPlane),
    hostedClusterObject: fileOf(bundle.hostedClusterObject),
    folders: gathered.clusters.foldersDecide ? folders : [],
    nodePools: nodePools.length,
    nodeClasses: nodeClasses.length,
    wrapperFolders: [...wrappers].map(([folder, own]) => ({ folder: shown(folder), wrappers: own.length })),
    profile: settings?.profile ?? null,
    requirePolicy: settings?.requirePolicy ?? false,
    guardRails: config?.guardRails ?? null,
    baseline: config?.baseline ?? null,
  };
}

function passedOver({ resources, findings }: Pick<Told, "resources" | "findings">): Ignored[] {
  const files = findings.filter(({ code }) => code === "file-skipped" || code === "policy-ignored");
  const kinds = Map.groupBy(
    resources.filter((resource) => roleOf(resource) === "not-ours"),
    ({ apiVersion, kind }) => `${kind} of ${apiVersion}`,
  );
  return [
    ...files.map(({ file = "the input", message }) => ({ what: file, why: message })),
    ...[...kinds].map(([kind, own]) => ({ what: `${own.length} ${kind}`, why: "is of no kind that anp reads" })),
  ];
}

function earlierOutputs({ bundles }: Gathered): Ignored[] {
  const outputs = bundles.reduce((sum, bundle) => sum + bundle.earlierOutput.length, 0);
  if (outputs === 0) return [];
  return [{ what: `${outputs} of what anp has rendered`, why: "rendering looks at wrappers only" }];
}
