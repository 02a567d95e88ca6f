/** Which other anp has written a live object of ours since we did, as far as its marks tell. */
import type { KubeObject } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import { appliedHashOf, otherSetOf } from "../objects/membership.ts";

/**
 * Whoever may patch the object can forge all of it: what is made of it must never let a looser spec stay.
 *
 * @param wrote the hash of what we applied last; undefined where nobody remembers
 * @returns who it is, in words
 */
export function rivalOf(
  live: LiveObject,
  desired: KubeObject,
  { setId, wrote }: { readonly setId: string; readonly wrote: string | undefined },
): string | undefined {
  const set = otherSetOf(live, setId);
  if (set !== undefined) return `another anp, whose set is ${set},`;
  const hash = appliedHashOf(live);
  const isOfNobodyElse = wrote === undefined || hash === undefined || hash === wrote || hash === appliedHashOf(desired);
  return isOfNobodyElse ? undefined : "another anp of this watch's own name";
}
