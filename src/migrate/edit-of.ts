/** A migrated object, and those split off from it, as a change to the text that it stands in. */
import type { ObjectEdit } from "../krm/edit/rewrite-sources.ts";
import type { MigratedObject, Migration } from "./migration.ts";

export function editOf({ resource, split, ...own }: Migration): ObjectEdit {
  const path = resource.kind === "NodePool" ? ["spec", "template", "spec", "kubelet"] : ["spec", "kubelet"];
  const carrying = ({ value, kubeletFrom: from }: MigratedObject) =>
    from === undefined ? { value } : { value, carried: { path, from } };
  return { resource, ...carrying(own), added: split.map(carrying) };
}
