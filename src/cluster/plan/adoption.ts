/** Whether `--adopt` names a live object, by name or by kind and name. */
import type { LiveObject } from "../api/live-object.ts";
import { idOf } from "../../model/kube-object.ts";

export function isAdopted(live: LiveObject, adopt: ReadonlySet<string>): boolean {
  return adopt.has(live.metadata.name) || adopt.has(idOf(live));
}
