/** Holds pools and classes, but not guards, if the inventory is unknown. */
import type { Inputs } from "../read/gather-inputs.ts";
import type { RenderedInputs } from "./render-cluster.ts";
import { isMemberByMarks } from "../objects/membership.ts";
import { describeMalformed } from "./hold-malformed.ts";
import { idOf } from "../../model/kube-object.ts";
import { wrapperIdOf, wrapperKindOf } from "../../model/applied-kinds.ts";

/** @param wrappersKnown false if there may be more wrappers than were read */
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
