/** Finds the hosted clusters that the input names, and the cluster of each folder. */
import { valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingOnInput } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { conflictOf, type Giver } from "./ambiguous-cluster.ts";
import { ancestors, commonFolder, mayGive, namedFolders } from "./folders.ts";
import { controlPlaneNamespace } from "../objects/hosted-control-plane.ts";
import { memoizeByKey } from "../schema/memoize.ts";
import type { Role } from "../objects/role.ts";

/** An object that names a hosted cluster. It governs the wrappers in its folder and below. */
export interface ClusterReference {
  readonly namespace: string;
  readonly resource: Resource;
}

/** The hosted control plane's namespace that an object names, if any. */
export function namedNamespace(role: Role, resource: Resource): string | undefined {
  switch (role) {
    case "policy":
    case "hosted-control-plane":
      return resource.namespace;
    case "hosted-cluster":
      return controlPlaneNamespace(resource);
    case "render-config": {
      const namespace = valueAt(resource.value, ["spec", "hostedCluster", "namespace"]);
      return typeof namespace === "string" && namespace !== "" ? namespace : undefined;
    }
    default:
      return undefined;
  }
}

/** A namespace. It becomes the name of a folder, so nothing else is accepted. */
export const HOSTED_CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The folder for a cluster's rules beside those of its wrappers: its objects govern the parent folder. */
const RULES_FOLDER = "policy";

/** The cluster of a wrapper; `among` if it may belong to several, or to none. */
export type Owner = { readonly namespace: string | undefined } | "other" | { readonly among: readonly string[] };

/** docs/design.md#hosted-clusters says which objects name a cluster. */
export class HostedClusters {
  /** Every hosted cluster that the input names, sorted. */
  readonly namespaces: readonly string[];
  readonly #named: ReadonlySet<string>;
  /** Whether folders assign wrappers. If not, all wrappers belong to the only cluster. */
  readonly foldersDecide: boolean;
  /** Whether rules assign folders to clusters, as in a fleet: by `spec.paths`, or by a `*` of `--policy-dir`. */
  readonly isFleet: boolean;
  /** The nearest folder that holds all folders of the fleet, and the rules that name them. */
  readonly #fleetFolder: string | undefined;
  readonly #byFolder = new Map<string, Map<string, Resource>>();
  /** The clusters that have a folder here or below. */
  readonly #below = new Map<string, Set<string>>();
  /** The clusters that the rules of a tree name, if a `*` of `--policy-dir` found them. */
  readonly #byTree = new Map<string, Set<string>>();
  /** The cluster that the user selects (`--hosted-cluster`). */
  readonly selected: string | undefined;

  constructor(references: readonly ClusterReference[], selected: string | undefined) {
    this.selected = selected;
    this.#named = new Set(references.map((speaker) => speaker.namespace));
    this.namespaces = [...this.#named].toSorted();
    const ofFleet = references.flatMap(({ resource }) => {
      const folders = [resource.document.source.ofFleet, ...namedFolders(resource)].filter((one) => one !== undefined);
      return folders.length > 0 ? [resource.folder, ...folders] : [];
    });
    this.isFleet = ofFleet.length > 0;
    this.#fleetFolder = commonFolder(ofFleet);
    this.foldersDecide = this.namespaces.length > 1 || this.isFleet;
    const withPaths = new Set<string>();
    for (const { namespace, resource } of references) {
      const paths = namedFolders(resource)
        .filter((path) => path !== undefined)
        .filter((path) => mayGive(resource, path));
      if (paths.length > 0) withPaths.add(namespace);
      const { tree } = resource.document.source;
      if (tree !== undefined) this.#byTree.set(tree, (this.#byTree.get(tree) ?? new Set()).add(namespace));
      for (const folder of [resource.folder, ...paths]) this.#give(folder, namespace, resource);
    }
    for (const [folder, clusters] of this.#byFolder) {
      const [only] = clusters;
      const slash = folder.lastIndexOf("/");
      if (only === undefined || clusters.size > 1 || folder.slice(slash + 1) !== RULES_FOLDER) continue;
      // A cluster that names folders has those only.
      if (withPaths.has(only[0])) continue;
      const parent = folder.slice(0, Math.max(0, slash));
      // If other clusters have a folder there as well, the parent folder stays unassigned.
      if (this.#below.get(parent)!.size === 1 && mayGive(only[1], parent)) this.#give(parent, ...only);
    }
  }

  #give(folder: string, namespace: string, by: Resource): void {
    const inFolder = this.#byFolder.get(folder) ?? new Map<string, Resource>();
    if (!inFolder.has(namespace)) inFolder.set(namespace, by);
    this.#byFolder.set(folder, inFolder);
    for (const ancestor of ancestors(folder)) {
      const below = this.#below.get(ancestor);
      if (below === undefined) this.#below.set(ancestor, new Set([namespace]));
      else below.add(namespace);
    }
  }

  /** The clusters to render: the selected one, else all that are named, else one without a name. */
  targets(): readonly (string | undefined)[] {
    if (this.selected !== undefined) return [this.selected];
    return this.namespaces.length === 0 ? [undefined] : this.namespaces;
  }

  /** Every assigned folder, and the objects that assign it. */
  folders(): Iterable<readonly [folder: string, clusters: ReadonlyMap<string, Resource>]> {
    return this.#byFolder;
  }

  /** The clusters with objects in `folder` or above it. */
  readonly governing = memoizeByKey((folder: string): ReadonlyMap<string, Resource> => {
    const found = new Map<string, Resource>();
    for (const ancestor of ancestors(folder)) {
      for (const [namespace, resource] of this.#byFolder.get(ancestor) ?? []) found.set(namespace, resource);
    }
    return found;
  });

  /** Their names, cached: thousands of wrappers may be in a folder of thousands of clusters. */
  readonly #among = memoizeByKey((folder: string): readonly string[] => [...this.governing(folder).keys()].toSorted());

  /** The objects that assign `folder` and those above it, the nearest folder last. */
  #giversOf(folder: string): Giver[] {
    return ancestors(folder)
      .toReversed()
      .flatMap((at) => [...(this.#byFolder.get(at) ?? [])].map(([namespace, by]) => ({ folder: at, namespace, by })));
  }

  /**
   * The clusters that a rule without a namespace is for: those in its folder and below, else those above; of its tree.
   */
  around({ folder, document }: Resource): ReadonlySet<string> {
    const found = this.#below.get(folder) ?? new Set(this.governing(folder).keys());
    const { tree } = document.source;
    return tree === undefined ? found : found.intersection(this.#byTree.get(tree) ?? new Set());
  }

  /** The cluster of a folder; undefined if there is not exactly one. */
  ownerOfFolder(folder: string): string | undefined {
    const governing = this.governing(folder);
    const [only] = governing.keys();
    return governing.size === 1 ? only : undefined;
  }

  /** The cluster of a fleet's folder that is meant for wrappers alone, without rules. */
  ownerApartFromRules(folder: string): string | undefined {
    const nearest = ancestors(folder).find((at) => this.#byFolder.has(at));
    if (!this.isFleet || nearest === undefined) return undefined;
    return this.#hasRules(nearest) ? undefined : this.ownerOfFolder(folder);
  }

  readonly #hasRules = memoizeByKey((folder: string): boolean =>
    [...this.#byFolder.get(folder)!.values()].some((by) => by.folder === folder),
  );

  /** The cluster that a wrapper belongs to; `"other"` if the selection leaves it out. */
  ownerOf(wrapper: Resource): Owner {
    if (!this.foldersDecide) return { namespace: this.selected ?? this.namespaces[0] };
    const governing = this.governing(wrapper.folder);
    const [only] = governing.keys();
    if (governing.size === 1)
      return this.selected === undefined || this.selected === only ? { namespace: only } : "other";
    if (governing.size === 0 && this.selected !== undefined && !this.#belongsToNone(wrapper))
      return { namespace: this.selected };
    if (this.selected !== undefined && governing.size > 0) {
      if (!governing.has(this.selected)) return "other";
      if (this.#isInNoFolder(wrapper.folder)) return { namespace: this.selected };
    }
    return { among: this.#among(wrapper.folder) };
  }

  /**
   * As for a wrapper. `--output-dir` has a folder for each cluster's name, which may be outside the cluster's own
   * folders.
   */
  ownerOfOutput(output: Resource): Owner {
    const name = output.folder.slice(output.folder.lastIndexOf("/") + 1);
    if (!this.foldersDecide || !this.#named.has(name) || this.governing(output.folder).size > 0)
      return this.ownerOf(output);
    return this.selected === undefined || this.selected === name ? { namespace: name } : "other";
  }

  /**
   * Whether the wrapper belongs to no cluster, even with a selection: it is among the folders of a fleet's rules, but
   * in none of them. The rules do not cover other places, such as a stream, or the folder that Argo CD sends to a
   * plugin with mounted rules.
   */
  #belongsToNone({ folder }: Resource): boolean {
    return folder !== "" && this.#fleetFolder !== undefined && ancestors(folder).includes(this.#fleetFolder);
  }

  /**
   * Whether no folder but a stream's is assigned here. A stream is one folder for all its clusters, and only a
   * selection can separate them. On disk, a folder of two clusters is a mistake and stays one.
   */
  #isInNoFolder(folder: string): boolean {
    return ancestors(folder).every((ancestor) => ancestor === "" || !this.#byFolder.has(ancestor));
  }

  /** Findings about the clusters as a whole. */
  findings(): Finding[] {
    const { selected, namespaces } = this;
    if (selected !== undefined && namespaces.length > 0 && !namespaces.includes(selected)) {
      const message = `the hosted cluster \`${selected}\` is not named by the input, which names ${namespaces.join(", ")}`;
      return [
        findingOnInput("hosted-cluster-unknown", {
          message,
          hint: "without its policy nothing would be enforced: check the name",
        }),
      ];
    }
    if (selected !== undefined || namespaces.length > 0) return [];
    const message = "the input names no hosted cluster, so no policy applies";
    return [
      findingOnInput("hosted-cluster-absent", {
        message,
        hint: "add the AutoNodePolicy of the hosted control plane's namespace",
      }),
    ];
  }

  /**
   * Folders of several clusters, one finding for each set of clusters. If all policies are in one folder without
   * wrappers, that is no mistake once rules assign the wrappers' folders, or once `--policy-dir` names the folder.
   * @param wrappers those without a certain cluster
   */
  conflicts(wrappers: readonly { readonly among: readonly string[] }[]): Finding[] {
    if (this.selected !== undefined) return [];
    const found = new Map<string, Finding>();
    const isStray = wrappers.some(({ among }) => among.length === 0);
    const held = new Set(wrappers.map(({ among }) => among.join(",")));
    for (const [folder, clusters] of this.#byFolder) {
      const among = this.#among(folder);
      const set = among.join(",");
      if (among.length < 2 || found.has(set)) continue;
      const [, last] = [...clusters].at(-1)!;
      const isTrusted = last.document.source.ofPolicyDir === true;
      if (!held.has(set) && (isTrusted || isStray)) continue;
      found.set(set, conflictOf(this.#giversOf(folder), among));
    }
    return [...found.values()];
  }
}
