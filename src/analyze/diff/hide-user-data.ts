/** Replaces user data on both sides by placeholders, which show only whether it differs. */
import { canonical } from "../../krm/canonical.ts";
import type { KubeObject } from "../../model/kube-object.ts";

type MaybeObject = KubeObject | undefined;

/** If both sides have the same user data, they get the same placeholder. */
export function hideUserData(from: MaybeObject, to: MaybeObject): readonly [from: MaybeObject, to: MaybeObject] {
  const [old, now] = [userDataOf(from), userDataOf(to)];
  const differs = old !== undefined && now !== undefined && canonical(old) !== canonical(now);
  return [hiding(from, old, HIDDEN), hiding(to, now, differs ? HIDDEN_OTHER : HIDDEN)];
}

const HIDDEN = "(not shown)";
const HIDDEN_OTHER = "(not shown, and another)";

function hiding(object: MaybeObject, userData: unknown, words: string): MaybeObject {
  return object === undefined || userData === undefined
    ? object
    : { ...object, spec: { ...object.spec, userData: words } };
}

function userDataOf(object: MaybeObject): unknown {
  return object?.spec["userData"] ?? undefined;
}
