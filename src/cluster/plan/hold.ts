/** Holds objects that are malformed, and pools and classes if the inventory is unknown. */
import { describeResource } from "../../krm/places/resource.ts";
import { renderedIdOf, wrapperIdOf, wrapperKindOf } from "../../model/objects/applied-kinds.ts";
import { idOf } from "../../model/objects/kube-object.ts";
import { shortened } from "../api/api-answer.ts";
import { type MalformedObject, MOST_SHOWN } from "../api/check-object.ts";
import { isListed } from "../inventory/inventory.ts";
import { knownIn } from "../inventory/read-inventory.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import type { RenderedInputs } from "./render-cluster.ts";
import { isMemberByMarks } from "../objects/membership.ts";

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
    const isOurs = wanted.has(id) || isListed(knownIn(inventory), id);
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

/**
 * Holds pools and classes, but not guards, if the inventory is unknown.
 *
 * @param wrappersKnown false if there may be more wrappers than were read
 */
export function holdWithoutInventory(
  rendered: RenderedInputs,
  inputs: Inputs,
  { setId, wrappersKnown }: { readonly setId: string; readonly wrappersKnown: boolean },
): RenderedInputs {
  const { inventory } = inputs;
  if (inventory.state === "known") return rendered;
  const problem =
    inventory.state === "damaged"
      ? `${inventory.words}; it cannot be repaired`
      : "there is no inventory yet, and it cannot be created";
  const unsure = notBegun(rendered, inputs, { setId, wrappersKnown });
  const inventoryProblem =
    inventory.state === "unreadable"
      ? `${inventory.error.message}; which objects anp owns is unknown, so nothing is changed`
      : unsure && `${problem} while ${unsure}`;
  if (inventoryProblem === undefined) return rendered;
  const isGuard = ({ kind }: { kind: string }) => wrapperKindOf(kind) === undefined;
  const others = rendered.desired.filter((object) => !isGuard(object));
  const held = new Map([...rendered.held, ...others.map((object) => [idOf(object), inventoryProblem] as const)]);
  return { ...rendered, desired: rendered.desired.filter(isGuard), held, inventoryProblem };
}

/** A new or repaired inventory would never get entries for objects that could not be read. */
function notBegun(
  { wrappers }: RenderedInputs,
  { guest }: Inputs,
  { setId, wrappersKnown }: { readonly setId: string; readonly wrappersKnown: boolean },
): string | undefined {
  const unread = guest.problems.find(
    ({ kind, error }) => wrapperKindOf(kind) !== undefined && error.kind !== "notFound",
  );
  if (unread !== undefined) return `${unread.kind} of the guest cluster cannot be listed`;
  const [unusable] = guest.malformed;
  if (unusable !== undefined) return describeMalformed(unusable);
  if (wrappersKnown) return undefined;
  const lacking = guest.live.find((live) => {
    const wrapper = wrapperIdOf(live.kind, live.metadata.name);
    return wrapper !== undefined && !wrappers.has(wrapper) && isMemberByMarks(live, setId);
  });
  return lacking && `the wrapper of ${lacking.kind} ${lacking.metadata.name} may be one that could not be read`;
}
