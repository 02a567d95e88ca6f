/** Which hosted clusters the input speaks of, and whose folder each object stands in. */
import { valueAt } from "../krm/field-path.ts";
import { type Finding, findingAt, findingOnInput } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { controlPlaneNamespace } from "./hosted-control-plane.ts";
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

/** Who speaks of which cluster is in docs/design.md#hosted-clusters. */
export class HostedClusters {
  /** Every hosted cluster that the input names, sorted. */
  readonly namespaces: readonly string[];
  readonly #byFolder = new Map<string, Map<string, Resource>>();
  /** The one the user asks for (`--hosted-cluster`). */
  readonly selected: string | undefined;

  constructor(speakers: readonly Speaker[], selected: string | undefined) {
    this.selected = selected;
    this.namespaces = [...new Set(speakers.map((speaker) => speaker.namespace))].toSorted();
    for (const { namespace, resource } of speakers) {
      const inFolder = this.#byFolder.get(resource.folder) ?? new Map<string, Resource>();
      if (!inFolder.has(namespace)) inFolder.set(namespace, resource);
      this.#byFolder.set(resource.folder, inFolder);
    }
  }

  /** The clusters to render: the selected one, else all that are named, else one without a name. */
  targets(): readonly (string | undefined)[] {
    if (this.selected !== undefined) return [this.selected];
    return this.namespaces.length === 0 ? [undefined] : this.namespaces;
  }

  /** The clusters whose objects stand in `folder` or above it. */
  governing(folder: string): ReadonlyMap<string, Resource> {
    const found = new Map<string, Resource>();
    for (const ancestor of ancestors(folder)) {
      for (const [namespace, resource] of this.#byFolder.get(ancestor) ?? []) found.set(namespace, resource);
    }
    return found;
  }

  /** The clusters whose objects stand in `folder`, above it or below it. */
  around(folder: string): ReadonlySet<string> {
    const below = [...this.#byFolder].filter(([inner]) => folder === "" || inner.startsWith(`${folder}/`));
    return new Set([...this.governing(folder).keys(), ...below.flatMap(([, clusters]) => [...clusters.keys()])]);
  }

  /** The cluster a wrapper belongs to; `"other"` when the selection leaves it out; or the finding that nobody can tell. */
  ownerOf(wrapper: Resource): { namespace: string | undefined } | "other" | Finding {
    if (this.namespaces.length < 2) return { namespace: this.selected ?? this.namespaces[0] };
    const governing = this.governing(wrapper.folder);
    const [only] = governing.keys();
    if (governing.size === 1)
      return this.selected === undefined || this.selected === only ? { namespace: only } : "other";
    if (governing.size === 0 && this.selected !== undefined) return { namespace: this.selected };
    if (this.selected !== undefined && governing.size > 0) {
      if (!governing.has(this.selected)) return "other";
      if (this.#isInNoFolder(wrapper.folder)) return { namespace: this.selected };
    }
    const candidates = governing.size === 0 ? this.namespaces : [...governing.keys()].toSorted();
    const why =
      governing.size === 0
        ? "stands in no hosted cluster's folder"
        : "stands in the folder of more than one hosted cluster";
    return findingAt("ambiguous-cluster", wrapper, [], {
      message: `${describeResource(wrapper)} ${why}: ${candidates.join(", ")}`,
      hint: "give each hosted cluster a folder of its own with its AutoNodePolicy in it, or select one with --hosted-cluster",
    });
  }

  /** As for a wrapper; `--output-dir` has a folder of each cluster's name, which need not stand below the cluster's own. */
  ownerOfOutput(output: Resource): ReturnType<HostedClusters["ownerOf"]> {
    const name = output.folder.slice(output.folder.lastIndexOf("/") + 1);
    if (this.namespaces.length < 2 || !this.namespaces.includes(name) || this.governing(output.folder).size > 0)
      return this.ownerOf(output);
    return this.selected === undefined || this.selected === name ? { namespace: name } : "other";
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
    if (selected !== undefined) return [];
    if (namespaces.length === 0) {
      const message = "the input names no hosted cluster, so no policy applies";
      return [
        findingOnInput("hosted-cluster-absent", {
          message,
          hint: "add the AutoNodePolicy of the hosted control plane's namespace",
        }),
      ];
    }
    return [...this.#byFolder].flatMap(([folder, clusters]) => this.#nested(folder, clusters));
  }

  #nested(folder: string, clusters: ReadonlyMap<string, Resource>): Finding[] {
    const governing = [...this.governing(folder).keys()].toSorted();
    if (governing.length < 2) return [];
    const [namespace, resource] = [...clusters].at(-1)!;
    const message = `${describeResource(resource)} gives this folder to ${namespace}, and it belongs to ${governing.filter((other) => other !== namespace).join(", ")} as well`;
    return [
      findingAt("ambiguous-cluster", resource, ["metadata", "namespace"], {
        message,
        hint: "move one of them to a folder of its own",
      }),
    ];
  }
}

/** The folder itself and every folder above it; the root of a stream is `""`. */
function ancestors(folder: string): string[] {
  const found = [folder];
  for (let slash = folder.lastIndexOf("/"); slash !== -1; slash = folder.lastIndexOf("/", slash - 1)) {
    found.push(folder.slice(0, slash));
    if (slash === 0) break;
  }
  if (!found.includes("")) found.push("");
  return found;
}
