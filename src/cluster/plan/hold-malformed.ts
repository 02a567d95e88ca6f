/** Holds malformed objects of the guest cluster, and no others. */
import { describeResource } from "../../krm/resource.ts";
import { renderedIdOf, wrapperIdOf } from "../../model/applied-kinds.ts";
import { idOf } from "../../model/kube-object.ts";
import { shortened } from "../api/api-answer.ts";
import { type MalformedObject, MOST_SHOWN } from "../api/check-object.ts";
import { knownIn } from "../inventory/read-inventory.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import type { RenderedInputs } from "./render-cluster.ts";

/**
 * A malformed object exists: it is neither created, changed nor deleted. A malformed wrapper keeps its rendered object.
 */
export function holdMalformed(rendered: RenderedInputs, { guest, inventory }: Inputs): RenderedInputs {
  if (guest.malformed.length === 0) return rendered;
  const wrappers = new Set(rendered.wrappers);
  const held = new Map(rendered.held);
  const wanted = new Set(rendered.desired.map(idOf));
  for (const one of guest.malformed) {
    const { kind, name } = one;
    if (name === undefined) continue;
    const words = describeMalformed(one);
    if (isWrapper(one)) {
      wrappers.add(`${kind}/${name}`);
      held.set(renderedIdOf(kind, name), words);
      continue;
    }
    const id = `${kind}/${name}`;
    const wrapper = wrapperIdOf(kind, name);
    const isOurs = wanted.has(id) || knownIn(inventory)?.has(id) === true;
    if (isOurs || (wrapper !== undefined && wrappers.has(wrapper))) held.set(id, words);
  }
  return { ...rendered, wrappers, held, desired: rendered.desired.filter((object) => !held.has(idOf(object))) };
}

/** A wrapper without a name may be the wrapper of any object. */
export function pruneBlockedByMalformed(malformed: readonly MalformedObject[]): string | undefined {
  const nameless = malformed.find((one) => one.name === undefined && isWrapper(one));
  return nameless && `nothing is pruned while ${describeMalformed(nameless)}`;
}

export function describeMalformed({ kind, name, why }: MalformedObject): string {
  const which =
    name === undefined
      ? `an object of the kind ${kind}`
      : describeResource({ kind, name: shortened(name, MOST_SHOWN) });
  return `${which} of the guest cluster cannot be used: ${why}`;
}

function isWrapper({ kind }: MalformedObject): boolean {
  return kind.startsWith("Openshift");
}
