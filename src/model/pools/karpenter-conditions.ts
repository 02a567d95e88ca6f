/** `status.conditions` of Karpenter's kinds. */
import * as z from "zod/mini";
import { withKeywords } from "../schema/keywords.ts";
import { kubernetesTime } from "../values/kubernetes-time.ts";
import { withRule } from "../schema/rule.ts";

const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const REASON_OR_NONE = /^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$/;

const condition = (reason: RegExp) =>
  z.strictObject({
    type: z.string().check(z.maxLength(316), z.regex(TYPE, { error: "is not a condition type, such as Ready" })),
    status: z.enum(["True", "False", "Unknown"]),
    lastTransitionTime: kubernetesTime(),
    observedGeneration: z.optional(withKeywords(z.int().check(z.minimum(0)), { format: "int64" })),
    reason: z.optional(
      z.string().check(z.maxLength(1024), z.regex(reason, { error: "is not a reason: one word in CamelCase" })),
    ),
    message: z.optional(z.string().check(z.maxLength(32_768))),
  });

/**
 * For NodePool; with `emptyReason` for NodeClaim, to which Karpenter writes empty reasons. Only type, status and
 * lastTransitionTime are required (docs/design.md#the-v1-api-proposal).
 */
export const karpenterConditions = ({ emptyReason = false } = {}) =>
  withRule(
    withKeywords(z.array(condition(emptyReason ? REASON_OR_NONE : REASON)), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    }),
    {
      // The API server itself refuses two of a type; CEL has nothing to add.
      cel: "true",
      message: "names a type twice",
      test: (list) => new Set(list.map(({ type }) => type)).size === list.length,
    },
  );

/** For EC2NodeClass: its CRD does not require unique types. */
export const plainKarpenterConditions = () => z.array(condition(REASON));
