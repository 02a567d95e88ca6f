/** Holds pools and classes, but no guards, where nobody knows what anp has made. */
import type { Inputs } from "../read/gather-inputs.ts";
import type { RenderedInputs } from "./render-cluster.ts";
import { isMemberByMarks } from "../objects/membership.ts";
import { idOf } from "../../model/kube-object.ts";
import { wrapperIdOf, wrapperKindOf } from "../../model/applied-kinds.ts";

/** @param wrappersKnown false where there may be more of them than were read */
export function heldWithoutInventory(
  rendered: RenderedInputs,
  inputs: Inputs,
  { setId, wrappersKnown }: { readonly setId: string; readonly wrappersKnown: boolean },
): RenderedInputs {
  const { inventory } = inputs;
  if (inventory.state === "known") return rendered;
  const inventoryProblem =
    inventory.state === "unreadable"
      ? `${inventory.error.message}; nobody knows what anp has made, and all stays as it is`
      : notBegun(rendered, inputs, { setId, wrappersKnown });
  if (inventoryProblem === undefined) return rendered;
  const isGuard = ({ kind }: { kind: string }) => wrapperKindOf(kind) === undefined;
  const others = rendered.desired.filter((object) => !isGuard(object));
  const held = new Map([...rendered.held, ...others.map((object) => [idOf(object), inventoryProblem] as const)]);
  return { ...rendered, desired: rendered.desired.filter(isGuard), held, inventoryProblem };
}

/** An inventory that is begun while something cannot be read would be without it for ever. */
function notBegun(
  { wrappers }: RenderedInputs,
  { guest }: Inputs,
  { setId, wrappersKnown }: { readonly setId: string; readonly wrappersKnown: boolean },
): string | undefined {
  const unread = guest.problems.find(
    ({ kind, error }) => wrapperKindOf(kind) !== undefined && error.kind !== "notFound",
  );
  const waits = (what: string) => `there is no inventory yet, and it cannot be begun while ${what}`;
  if (unread !== undefined) return waits(`${unread.kind} of the guest cluster cannot be listed`);
  if (wrappersKnown) return undefined;
  const lacking = guest.live.find((live) => {
    const wrapper = wrapperIdOf(live.kind, live.metadata.name);
    return wrapper !== undefined && !wrappers.has(wrapper) && isMemberByMarks(live, setId);
  });
  return lacking && waits(`the wrapper of ${lacking.kind} ${lacking.metadata.name} may be one that cannot be read`);
}
