/** An object on one side of a diff. */
import type { FieldPath } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { Place } from "../../resolve/origin.ts";

/** An object with the origin of each of its fields, if it was written in a file. */
export interface SideObject {
  readonly object: KubeObject;
  /** The object with the fields that only its wrapper has; undefined if no wrapper was read. */
  readonly written?: KubeObject | undefined;
  /** Whether it is a raw object of Karpenter: its user data is compared, and its class affects the labels of nodes. */
  readonly asItStands?: boolean;
  /** The requirements of a NodePool's images; undefined if only the other side knows them. */
  readonly needs?: readonly PoolRequirement[] | undefined;
  /** The minDriftedBudget of the RenderConfig that it was rendered with. */
  readonly driftedFloor?: string | undefined;
  /** Whether a guard causes all differences, and not the author. */
  readonly isImposed?: boolean;
  readonly placeOf: (path: FieldPath) => Place | undefined;
}
