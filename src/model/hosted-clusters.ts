/** Which hosted clusters the input speaks of, and whose folder each object stands in. */
import { valueAt } from "../krm/field-path.ts";
import { type Finding, findingOnInput } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { conflictOf, type Giver } from "./ambiguous-cluster.ts";
import { ancestors, commonFolder } from "./folders.ts";
import { controlPlaneNamespace } from "./hosted-control-plane.ts";
import { namedFolders } from "./named-folders.ts";
import type { Role } from "./role.ts";

/** An object that names a hosted cluster, and by its folder governs the wrappers there and below. */
export interface Speaker {
  readonly namespace: string;
  readonly resource: Resource;
}

/** The namespace of the hosted control plane that an object speaks of, if any. */
export function namespaceSpokenOf(role: Role, resource: Resource): string | undefined {
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

/** A namespace: it becomes the name of a folder, so nothing else may pass. */
export const HOSTED_CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The folder of a cluster's rules beside those of its wrappers: it speaks for the folder that holds it. */
const RULES_FOLDER = "policy";

/** Whose a wrapper is; nobody can tell where it may be of several, or of none. */
export type Owner = { readonly namespace: string | undefined } | "other" | { readonly among: readonly string[] };

/** Who speaks of which cluster is in docs/design.md#hosted-clusters. */
export class HostedClusters {
  /** Every hosted cluster that the input names, sorted. */
  readonly namespaces: readonly string[];
  /** Whether wrappers outside of all folders are nobody's: of one cluster alone they would be its own. */
  readonly foldersDecide: boolean;
  /** Whether somebody says of a cluster which folders are its own, as for one of many: by `spec.paths`, or by a `*`. */
  readonly isFleet: boolean;
  /** The nearest folder that holds all that they speak of, and themselves. */
  readonly #fleetFolder: string | undefined;
  readonly #byFolder = new Map<string, Map<string, Resource>>();
  /** The clusters that have a folder here or below. */
  readonly #below = new Map<string, Set<string>>();
  /** The one the user asks for (`--hosted-cluster`). */
  readonly selected: string | undefined;

  constructor(speakers: readonly Speaker[], selected: string | undefined) {
    this.selected = selected;
    this.namespaces = [...new Set(speakers.map((speaker) => speaker.namespace))].toSorted();
    const ofFleet = speakers.flatMap(({ resource }) => {
      const folders = [resource.document.source.ofFleet, ...namedFolders(resource)].filter((one) => one !== undefined);
      return folders.length > 0 ? [resource.folder, ...folders] : [];
    });
    this.isFleet = ofFleet.length > 0;
    this.#fleetFolder = commonFolder(ofFleet);
    this.foldersDecide = this.namespaces.length > 1 || this.isFleet;
    const withPaths = new Set<string>();
    for (const { namespace, resource } of speakers) {
      const paths = namedFolders(resource).filter((path) => path !== undefined);
      if (paths.length > 0) withPaths.add(namespace);
      for (const folder of [resource.folder, ...paths]) this.#give(folder, namespace, resource);
    }
    for (const [folder, clusters] of this.#byFolder) {
      const [only] = clusters;
      const slash = folder.lastIndexOf("/");
      if (only === undefined || clusters.size > 1 || folder.slice(slash + 1) !== RULES_FOLDER) continue;
      // Who names folders means those, and no other.
      if (withPaths.has(only[0])) continue;
      const parent = folder.slice(0, Math.max(0, slash));
      // Where others have a folder there as well, nobody can tell whose it is.
      if (this.#below.get(parent)!.size === 1) this.#give(parent, ...only);
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

  /** Every folder that somebody is given, and the objects that give it. */
  folders(): Iterable<readonly [folder: string, clusters: ReadonlyMap<string, Resource>]> {
    return this.#byFolder;
  }

  /** The clusters whose objects stand in `folder` or above it. */
  governing(folder: string): ReadonlyMap<string, Resource> {
    const found = new Map<string, Resource>();
    for (const ancestor of ancestors(folder)) {
      for (const [namespace, resource] of this.#byFolder.get(ancestor) ?? []) found.set(namespace, resource);
    }
    return found;
  }

  /** Who gives `folder` and those above it to whom, the nearest folder last. */
  #giversOf(folder: string): Giver[] {
    return ancestors(folder)
      .toReversed()
      .flatMap((at) => [...(this.#byFolder.get(at) ?? [])].map(([namespace, by]) => ({ folder: at, namespace, by })));
  }

  /** The clusters that an object in `folder` which names none is for: those there and below, else those above. */
  around(folder: string): ReadonlySet<string> {
    return this.#below.get(folder) ?? new Set(this.governing(folder).keys());
  }

  /** The cluster whose folder it is, where it is of one. */
  ownerOfFolder(folder: string): string | undefined {
    const governing = this.governing(folder);
    const [only] = governing.keys();
    return governing.size === 1 ? only : undefined;
  }

  /** The cluster of a fleet whose wrappers alone are meant to stand in a folder: none of rules. */
  ownerApartFromRules(folder: string): string | undefined {
    const nearest = ancestors(folder).find((at) => this.#byFolder.has(at));
    if (!this.isFleet || nearest === undefined) return undefined;
    const hasRules = [...this.#byFolder.get(nearest)!.values()].some((by) => by.folder === nearest);
    return hasRules ? undefined : this.ownerOfFolder(folder);
  }

  /** The cluster a wrapper belongs to; `"other"` when the selection leaves it out. */
  ownerOf(wrapper: Resource): Owner {
    if (!this.foldersDecide) return { namespace: this.selected ?? this.namespaces[0] };
    const governing = this.governing(wrapper.folder);
    const [only] = governing.keys();
    if (governing.size === 1)
      return this.selected === undefined || this.selected === only ? { namespace: only } : "other";
    if (governing.size === 0 && this.selected !== undefined && !this.#isNobodys(wrapper))
      return { namespace: this.selected };
    if (this.selected !== undefined && governing.size > 0) {
      if (!governing.has(this.selected)) return "other";
      if (this.#isInNoFolder(wrapper.folder)) return { namespace: this.selected };
    }
    return { among: [...governing.keys()].toSorted() };
  }

  /** As for a wrapper; `--output-dir` has a folder of each cluster's name, which need not stand below the cluster's own. */
  ownerOfOutput(output: Resource): Owner {
    const name = output.folder.slice(output.folder.lastIndexOf("/") + 1);
    if (!this.foldersDecide || !this.namespaces.includes(name) || this.governing(output.folder).size > 0)
      return this.ownerOf(output);
    return this.selected === undefined || this.selected === name ? { namespace: name } : "other";
  }

  /**
   * Whether it stays nobody's, whoever is selected: it stands among the folders that a fleet's rules name, in none of
   * them. Of another place they say nothing, such as of a stream, or of what Argo CD sends to a plugin whose rules are
   * mounted.
   */
  #isNobodys({ folder }: Resource): boolean {
    return folder !== "" && this.#fleetFolder !== undefined && ancestors(folder).includes(this.#fleetFolder);
  }

  /**
   * Whether only a stream speaks here, which is one folder for all: nobody could tell its clusters apart but by a
   * selection. On a disk a folder of two is a slip of whoever wrote it, and stays one.
   */
  #isInNoFolder(folder: string): boolean {
    return ancestors(folder).every((ancestor) => ancestor === "" || !this.#byFolder.has(ancestor));
  }

  /** What is wrong with the clusters as a whole. */
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
   * Folders of several clusters, once for each set of those. Where all policies stand in one folder and no wrapper does,
   * that is no slip as soon as somebody has said where the wrappers are, or has named the folder with `--policy-dir`.
   *
   * @param wrappers those that nobody can tell the cluster of
   */
  conflicts(wrappers: readonly { readonly among: readonly string[] }[]): Finding[] {
    if (this.selected !== undefined) return [];
    const told = new Map<string, Finding>();
    const isStray = wrappers.some(({ among }) => among.length === 0);
    const held = new Set(wrappers.map(({ among }) => among.join(",")));
    for (const [folder, clusters] of this.#byFolder) {
      const among = [...this.governing(folder).keys()].toSorted();
      const set = among.join(",");
      if (among.length < 2 || told.has(set)) continue;
      const [, last] = [...clusters].at(-1)!;
      const isTrusted = last.document.source.ofPolicyDir === true;
      if (!held.has(set) && (isTrusted || isStray)) continue;
      told.set(set, conflictOf(this.#giversOf(folder), among));
    }
    return [...told.values()];
  }
}
