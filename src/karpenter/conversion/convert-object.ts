/** Converts an object of Karpenter between v1beta1 and v1, as its conversion webhook does. */
import { ec2NodeClassToV1, ec2NodeClassToV1beta1 } from "./convert-ec2-node-class.ts";
import { type Beside, nodeClaimToV1, nodeClaimToV1beta1 } from "./convert-node-claim.ts";
import { nodePoolToV1, nodePoolToV1beta1 } from "./convert-node-pool.ts";
import type { Converted } from "./malformed-field.ts";
import { karpenterType, type KarpenterVersion } from "./karpenter-type.ts";
import { malformedField } from "./malformed-field.ts";
import type { Fields } from "../../krm/values/fields.ts";

/** An object that already has the version, or is not Karpenter's, is returned as it is. */
export function convertAsWebhook(object: Fields, to: KarpenterVersion, beside: Beside = {}): Converted {
  const type = karpenterType(object);
  if (type === undefined || type.version === to) return { value: object };
  const refusal = malformedField(object, type.kind, type.version);
  if (refusal !== undefined) return { refusal };
  switch (type.kind) {
    case "NodePool":
      return to === "v1" ? { value: nodePoolToV1(object, beside.meant) } : nodePoolToV1beta1(object);
    case "NodeClaim":
      return to === "v1" ? { value: nodeClaimToV1(object, beside) } : nodeClaimToV1beta1(object);
    case "EC2NodeClass":
      return to === "v1" ? { value: ec2NodeClassToV1(object) } : ec2NodeClassToV1beta1(object);
  }
}
