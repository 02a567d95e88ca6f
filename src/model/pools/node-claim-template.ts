/** `spec.template` of a NodePool and of its wrapper. */
import * as z from "zod/mini";
import { DEFAULT_EXPIRY, durationOrNever, plainDuration } from "../values/durations.ts";
import { withKeywords } from "../schema/keywords.ts";
import { qualifiedName, templateLabels } from "../requirements/labels.ts";
import { mapOf } from "../schema/map-of.ts";
import { requirementsSchema } from "../requirements/requirement.ts";
import { cacheValidation } from "../schema/validation-cache.ts";
import { withRules } from "../schema/rule.ts";

export const taintEffect = z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]);

const taint = z.strictObject({
  key: qualifiedName("taint key").check(z.minLength(1)),
  value: z.optional(qualifiedName("taint value")),
  effect: taintEffect,
  timeAdded: z.optional(z.iso.datetime({ offset: true })),
});

// A bound for CEL's cost estimate of the rule about pairs; nodes carry a handful.
const taints = withKeywords(z.array(taint).check(z.maxLength(100)), { "x-kubernetes-list-type": "atomic" });

/** There is no old object offline: only the API server can check these. */
const alwaysTrue = (): boolean => true;

/** For a NodeClaim, which has an immutable spec. */
export const freeNodeClassRef = z.strictObject({
  group: z
    .string()
    .check(
      z.minLength(1),
      z.regex(/^[^/]*$/, { error: "is not an API group: leave the version out, as in karpenter.k8s.aws" }),
    ),
  kind: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
});

export const nodeClassRef = withRules(freeNodeClassRef, [
  { cel: "self.group == oldSelf.group", message: "nodeClassRef.group is immutable", test: alwaysTrue },
  { cel: "self.kind == oldSelf.kind", message: "nodeClassRef.kind is immutable", test: alwaysTrue },
]);

export const lifetime = {
  expireAfter: withKeywords(z.optional(durationOrNever), { default: DEFAULT_EXPIRY }),
  terminationGracePeriod: z.optional(plainDuration),
};

export const annotations = z.optional(withKeywords(mapOf(z.string()), { "x-kubernetes-map-type": "granular" }));

interface Taints {
  readonly taints?: readonly { key: string; effect: string }[] | undefined;
  readonly startupTaints?: readonly { key: string; effect: string }[] | undefined;
}

/**
 * Karpenter refuses the pool at run time if a pair is twice in both lists together
 * (docs/upstream/karpenter.md#validation-at-run-time).
 */
function duplicateTaint({ taints: first = [], startupTaints: second = [] }: Taints): boolean {
  const pairs = [...first, ...second].map(({ key, effect }) => `${key}=${effect}`);
  return new Set(pairs).size < pairs.length;
}

/** One rule for each list: CEL cannot join them, because items of two fields never have the same type. */
function onceInBoth(list: string, other: string): string {
  const same = "u.key == t.key && u.effect == t.effect";
  return `(!has(${list}) || ${list}.all(t, ${list}.exists_one(u, ${same}) && (!has(${other}) || !${other}.exists(u, ${same}))))`;
}

/** @param required whether the CRD requires nodeClassRef and requirements: Karpenter's does, the wrapper's does not. */
export function nodeClaimTemplate(required: boolean) {
  const spec = z.strictObject({
    nodeClassRef: required ? nodeClassRef : z.optional(nodeClassRef),
    requirements: required ? requirementsSchema : z.optional(requirementsSchema),
    taints: z.optional(taints),
    startupTaints: z.optional(taints),
    ...lifetime,
  });
  return cacheValidation(
    z.strictObject({
      metadata: z.optional(
        z.strictObject({
          labels: z.optional(templateLabels),
          annotations,
        }),
      ),
      spec: withRules(spec, [
        {
          cel: `${onceInBoth("self.taints", "self.startupTaints")} && ${onceInBoth("self.startupTaints", "self.taints")}`,
          message: "a taint with the same key and effect is given twice in taints and startupTaints",
          hint: "keep one of them",
          test: (value: Taints) => !duplicateTaint(value),
        },
      ]),
    }),
  );
}
