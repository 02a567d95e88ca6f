/** What differs between the providers of Karpenter, as far as anp asks. */
import type { FieldPath } from "../../krm/field-path.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { KnownLabels } from "../requirements/label-presence.ts";
import type { Requirement } from "../requirements/requirement.ts";

/** What a node class demands of its nodes. */
export interface ClassDemand {
  /** Of the class. */
  readonly path: FieldPath;
  readonly requirement: Requirement;
}

export interface Provider {
  /** For programs: `aws`, `eks-auto`, else the API group of its node classes. */
  readonly name: string;
  /** For people: `Karpenter on AWS`. */
  readonly title: string;
  /** The API group of its node classes. */
  readonly group: string;
  /** Those of its node classes; undefined where anp does not know them. */
  readonly kinds: readonly string[] | undefined;
  /** How labels begin that it sets on nodes, and no other provider does. */
  readonly prefixes: readonly string[];
  readonly labels: KnownLabels;
  /** Of a catalogue, by default all that Amazon EC2 has; undefined where none of it is the provider's. */
  readonly typesOf: (catalogue: Catalogue) => Catalogue | undefined;
  /** @param nodeClass the whole object, with what a cluster's status says of it */
  readonly demandsOf: (nodeClass: unknown) => readonly ClassDemand[];
}
