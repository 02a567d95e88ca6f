/** Finds reasons why a pool never gets or keeps a node, independent of the catalogue. */
import { EKS_AUTO_GROUP } from "../../krm/findings/known-kinds.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import type { Words } from "../../krm/findings/finding.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import type { Provider } from "../provider/provider.ts";
import { isOfKnownProvider, providerOfKind } from "../provider/providers.ts";

export interface NoNodes extends Words {
  readonly code:
    | "name-too-long"
    | "provider-mismatch"
    | "limits-below-zero"
    | "limits-allow-no-node"
    | "limits-below-types"
    | "node-class-invalid"
    | "static-capacity-off"
    | "expires-at-once";
  /** Field of the NodePool. */
  readonly path: FieldPath;
}

interface Pool {
  readonly name: string;
  /** The provider of its nodes. */
  readonly provider: Pick<Provider, "title" | "group" | "kinds">;
  readonly nodeClassRef: { readonly group: string; readonly kind: string; readonly name: string };
  readonly limits: Readonly<Record<string, string | number>> | undefined;
  readonly expireAfter: string | undefined;
}

/**
 * `anp explain` must call such pools unsatisfiable. The exception is `expires-at-once`: its nodes are launched and
 * deleted again.
 */
export function noNodesOf({ name, provider, nodeClassRef, limits = {}, expireAfter }: Pool): NoNodes[] {
  return [
    ...tooLong(name, nodeClassRef.name),
    ...mismatch(nodeClassRef, provider),
    ...limited(limits),
    ...expired(expireAfter),
  ];
}

/** A static pool whose feature gate is off (docs/upstream/karpenter.md#static-pools). EKS Auto Mode has no gates. */
export function withoutStaticCapacity(
  { replicas, group }: { readonly replicas: number | undefined; readonly group: unknown },
  karpenter: KarpenterOptions | undefined,
): NoNodes[] {
  if (replicas === undefined || karpenter === undefined || karpenter.gates.has("StaticCapacity")) return [];
  if (group === EKS_AUTO_GROUP) return [];
  const message =
    "its fixed number of nodes needs Karpenter's feature gate StaticCapacity, which is off: Karpenter launches no nodes for the pool";
  const hint = "turn the gate on; if it is on, pass --karpenter-gates StaticCapacity=true";
  return [{ code: "static-capacity-off", path: ["spec", "replicas"], message, hint }];
}

const REF: FieldPath = ["spec", "template", "spec", "nodeClassRef"];
const LABEL_VALUE = 63;

/**
 * Both are label values of each NodeClaim (pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go,
 * NewNodeClaimTemplate).
 */
function tooLong(pool: string, nodeClass: string): NoNodes[] {
  const names: readonly [string, string, FieldPath][] = [
    ["its name", pool, ["metadata", "name"]],
    ["the name of its node class", nodeClass, [...REF, "name"]],
  ];
  return names.flatMap(([what, name, path]): NoNodes[] => {
    if (name.length <= LABEL_VALUE) return [];
    const message = `${what} has ${name.length} characters and becomes a label value of each NodeClaim, which has ${LABEL_VALUE} at most: the API server refuses all NodeClaims`;
    return [{ code: "name-too-long", path, message, hint: "use a shorter name" }];
  });
}

/** Karpenter ignores pools of other providers (pkg/utils/nodepool/nodepool.go, IsManaged). */
function mismatch({ group, kind }: Pool["nodeClassRef"], served: Pool["provider"]): NoNodes[] {
  const code = "provider-mismatch";
  const kinds = served.kinds ?? [kind];
  if (group === served.group) {
    if (kinds.includes(kind)) return [];
    const message = `its node class has the kind ${kind}, but ${served.title} serves only ${kinds.join(" and ")}`;
    const other = providerOfKind(kind);
    const orGroup = other === undefined ? "" : `, or group: ${other.group}`;
    return [{ code, path: [...REF, "kind"], message, hint: `write kind: ${kinds[0]}${orGroup}` }];
  }
  const message = `its node class has the kind ${kind} of ${group}, but ${served.title} serves only kinds of ${served.group}`;
  const isTypo = !isOfKnownProvider(group) && nearestWord(group, [served.group], 3) !== undefined;
  const meant = kinds.includes(kind) || isTypo;
  const hint = meant ? `write group: ${served.group}` : `refer to ${article(kinds[0]!)} of ${served.group}`;
  return [{ code, path: [...REF, "group"], message, hint }];
}

function article(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}

/** Every instance type has these. A limit of 0 on another resource excludes only types that have it. */
const OF_EVERY_TYPE = ["cpu", "memory", "pods", "ephemeral-storage", "nodes"];

/** An instance type must fit the remaining limits (scheduler.go, filterByRemainingResources). */
function limited(limits: Readonly<Record<string, string | number>>): NoNodes[] {
  return Object.entries(limits).flatMap(([resource, limit]): NoNodes[] => {
    const nano = parseQuantity(String(limit))?.nano;
    const path = ["spec", "limits", resource];
    if (nano !== undefined && nano < 0n) {
      const message = `the limit ${limit} of ${resource} is negative, so Karpenter launches no nodes`;
      return [{ code: "limits-below-zero", path, message, hint: "write 0 to pause the pool" }];
    }
    if (nano !== 0n || !OF_EVERY_TYPE.includes(resource)) return [];
    return [{ code: "limits-allow-no-node", path, message: `the limit 0 of ${resource} pauses the pool` }];
  });
}

/**
 * Budgets do not apply to expiry (pkg/controllers/nodeclaim/expiration/controller.go): nodes are deleted before their
 * pods start.
 */
function expired(expireAfter: string | undefined): NoNodes[] {
  if (expireAfter === undefined || parseGoDuration(expireAfter) !== 0n) return [];
  const message = "every node expires as soon as it is created: Karpenter launches nodes and deletes them at once";
  const hint = "write Never, or a node lifetime";
  return [{ code: "expires-at-once", path: ["spec", "template", "spec", "expireAfter"], message, hint }];
}
