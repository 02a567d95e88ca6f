/** Why a pool never gets or keeps a node, whatever instance types there are. */
import type { FieldPath } from "../../krm/field-path.ts";
import type { Words } from "../../krm/finding.ts";
import { nearestWord } from "../../krm/nearest-word.ts";
import { parseGoDuration } from "../../model/go-duration.ts";
import { parseQuantity } from "../../model/quantity.ts";
import type { Provider } from "../provider/provider.ts";

export interface NoNodes extends Words {
  readonly code:
    | "name-too-long"
    | "provider-mismatch"
    | "limits-below-zero"
    | "limits-allow-no-node"
    | "expires-at-once";
  /** Of the NodePool. */
  readonly path: FieldPath;
}

interface Pool {
  readonly name: string;
  /** Who makes its nodes. */
  readonly provider: Pick<Provider, "title" | "group" | "kinds">;
  readonly nodeClassRef: { readonly group: string; readonly kind: string; readonly name: string };
  readonly limits: Readonly<Record<string, string | number>> | undefined;
  readonly expireAfter: string | undefined;
}

/**
 * Without a catalogue: an `anp explain` that calls such a pool anything but unsatisfiable is wrong. The exception is
 * `expires-at-once`, whose nodes come and go.
 */
export function noNodesOf({ name, provider, nodeClassRef, limits = {}, expireAfter }: Pool): NoNodes[] {
  return [
    ...tooLong(name, nodeClassRef.name),
    ...mismatch(nodeClassRef, provider),
    ...limited(limits),
    ...expired(expireAfter),
  ];
}

const REF: FieldPath = ["spec", "template", "spec", "nodeClassRef"];
const LABEL_VALUE = 63;

/** Both are label values of each NodeClaim (pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go, NewNodeClaimTemplate). */
function tooLong(pool: string, nodeClass: string): NoNodes[] {
  const names: readonly [string, string, FieldPath][] = [
    ["its name", pool, ["metadata", "name"]],
    ["the name of its node class", nodeClass, [...REF, "name"]],
  ];
  return names.flatMap(([what, name, path]): NoNodes[] => {
    if (name.length <= LABEL_VALUE) return [];
    const message = `${what} has ${name.length} characters and becomes a label of each NodeClaim, where ${LABEL_VALUE} are the most: the API server refuses them all`;
    return [{ code: "name-too-long", path, message, hint: "take a shorter name" }];
  });
}

/** Karpenter leaves pools of other providers to them (pkg/utils/nodepool/nodepool.go, IsManaged). */
function mismatch({ group, kind }: Pool["nodeClassRef"], served: Pool["provider"]): NoNodes[] {
  const code = "provider-mismatch";
  const kinds = served.kinds ?? [kind];
  if (group === served.group) {
    if (kinds.includes(kind)) return [];
    const message = `its node class is the kind ${kind}, and ${served.title} serves ${kinds.join(" and ")} alone`;
    return [{ code, path: [...REF, "kind"], message, hint: `write kind: ${kinds[0]}` }];
  }
  const message = `its node class is the kind ${kind} of ${group}, and ${served.title} serves those of ${served.group} alone`;
  const meant = kinds.includes(kind) || nearestWord(group, [served.group], 3) !== undefined;
  const hint = meant ? `write group: ${served.group}` : `refer to ${article(kinds[0]!)} of ${served.group}`;
  return [{ code, path: [...REF, "group"], message, hint }];
}

function article(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}

/** Every instance type has some of them; of others 0 only shuts out the types that have some. */
const OF_EVERY_TYPE = ["cpu", "memory", "pods", "ephemeral-storage", "nodes"];

/** An instance type may have no more of anything than is left (scheduler.go, filterByRemainingResources). */
function limited(limits: Readonly<Record<string, string | number>>): NoNodes[] {
  return Object.entries(limits).flatMap(([resource, limit]): NoNodes[] => {
    const nano = parseQuantity(String(limit))?.nano;
    const path = ["spec", "limits", resource];
    if (nano !== undefined && nano < 0n) {
      const message = `no instance type has less than none of ${resource}, so the limit ${limit} keeps all nodes away`;
      return [{ code: "limits-below-zero", path, message, hint: "write 0 to pause the pool" }];
    }
    if (nano !== 0n || !OF_EVERY_TYPE.includes(resource)) return [];
    return [{ code: "limits-allow-no-node", path, message: `the limit 0 of ${resource} pauses it` }];
  });
}

/** No budget holds it back (pkg/controllers/nodeclaim/expiration/controller.go): nodes go before their pods have started. */
function expired(expireAfter: string | undefined): NoNodes[] {
  if (expireAfter === undefined || parseGoDuration(expireAfter) !== 0n) return [];
  const message =
    "every node expires the moment it is there: Karpenter launches one after the other, and deletes each at once";
  const hint = "write Never, or how long nodes are to live";
  return [{ code: "expires-at-once", path: ["spec", "template", "spec", "expireAfter"], message, hint }];
}
