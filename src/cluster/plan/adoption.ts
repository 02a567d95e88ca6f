/** Whether the user has named a live object to be taken over: by its name, or by kind and name. */
import type { LiveObject } from "../api/live-object.ts";
import { idOf } from "../../model/kube-object.ts";

export function isAdopted(live: LiveObject, adopt: ReadonlySet<string>): boolean {
  return adopt.has(live.metadata.name) || adopt.has(idOf(live));
}
