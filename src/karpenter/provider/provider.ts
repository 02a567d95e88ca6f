/** Defines what differs between the providers of Karpenter. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { KnownLabels } from "../requirements/label-presence.ts";
import type { Requirement } from "../requirements/requirement.ts";

/** A requirement of a node class on its nodes. */
export interface ClassRequirement {
  /** Field of the class. */
  readonly path: FieldPath;
  readonly requirement: Requirement;
}

export interface Provider {
  /** For machine-readable output: `aws`, `eks-auto`, else the API group of its node classes. */
  readonly name: string;
  /** For display: `Karpenter on AWS`. */
  readonly title: string;
  /** The API group of its node classes. */
  readonly group: string;
  /** The kinds of its node classes; undefined if unknown. */
  readonly kinds: readonly string[] | undefined;
  /** Prefixes of the node labels that only this provider sets. */
  readonly prefixes: readonly string[];
  readonly labels: KnownLabels;
  /** Selects and relabels the types of a catalogue; undefined if the catalogue is of another provider. */
  readonly typesOf: (catalogue: Catalogue) => Catalogue | undefined;
  /** @param nodeClass the whole object, with its status if it was read from a cluster */
  readonly classRequirements: (nodeClass: unknown) => readonly ClassRequirement[];
}
