/** An object of one side of a diff. */
import type { FieldPath } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { Place } from "../../resolve/origin.ts";

/** With where each of its fields came from, if anybody wrote it. */
export interface SideObject {
  readonly object: KubeObject;
  /** The object with what only its wrapper says; undefined where no wrapper was read. */
  readonly written?: KubeObject | undefined;
  /** One of Karpenter's own as it stands: its user data counts, and what its class says of the pool's nodes. */
  readonly asItStands?: boolean;
  /** What the images of a NodePool need of its nodes; undefined where only the other side can tell. */
  readonly needs?: readonly Demand[] | undefined;
  /** What budgets let go of drifted nodes at least, by the RenderConfig that it was rendered with. */
  readonly driftedFloor?: string | undefined;
  /** Whether whatever differs is not its author's doing, but a guard's. */
  readonly isImposed?: boolean;
  readonly placeOf: (path: FieldPath) => Place | undefined;
}
