/** Checks whether a pod tolerates the taints of a node. */
import type { Toleration } from "../../model/objects/pod.ts";

export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

/** Karpenter respects every effect at first, and finally tolerates PreferNoSchedule (preferences.go). */
export const PREFER_NO_SCHEDULE: Toleration = { operator: "Exists", effect: "PreferNoSchedule" };

export function untolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint[] {
  return taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** core/v1, Toleration.ToleratesTaint: an empty effect or key matches all. */
function tolerates({ key = "", operator = "", value = "", effect = "" }: Toleration, taint: Taint): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  const tainted = taint.value ?? "";
  switch (operator) {
    case "Exists":
      return true;
    case "Lt":
    case "Gt": {
      const [mine, theirs] = [decimal(value), decimal(tainted)];
      if (mine === undefined || theirs === undefined) return false;
      return operator === "Lt" ? theirs < mine : theirs > mine;
    }
    default:
      return value === tainted;
  }
}

export function formatTaint({ key, value = "", effect }: Taint): string {
  return value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

function decimal(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return undefined;
  const number = BigInt(text);
  return BigInt.asIntN(64, number) === number ? number : undefined;
}
