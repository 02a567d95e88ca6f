/** AWS tags of a node class: those of its resources, and those that a selector term matches. */
import * as z from "zod/mini";
import { withFieldCount } from "../schema/keywords.ts";
import { everyEntry, mapOf, type StringMap } from "../schema/map-of.ts";
import { type Rule, withRules } from "../schema/rule.ts";

/** Karpenter sets these itself. */
const RESERVED_KEYS = [
  "eks:eks-cluster-name",
  "karpenter.sh/nodepool",
  "karpenter.sh/nodeclaim",
  "karpenter.k8s.aws/ec2nodeclass",
];

// Without the last slash, as upstream: this forbids `kubernetes.io/clusters` as well
// (docs/upstream/hypershift.md#openshiftec2nodeclass).
const RESERVED_PREFIX = "kubernetes.io/cluster";

const RULES: readonly Rule<StringMap>[] = [
  everyEntry({ cel: "k != ''", message: "a tag needs a key", test: (key) => key !== "" }),
  ...RESERVED_KEYS.map((reserved) =>
    everyEntry({
      cel: `k != '${reserved}'`,
      message: `the tag ${reserved} is Karpenter's own`,
      hint: "remove it: Karpenter sets it on all that it makes",
      test: (key) => key !== reserved,
    }),
  ),
  everyEntry({
    cel: `!k.startsWith('${RESERVED_PREFIX}')`,
    message: `tags that begin with ${RESERVED_PREFIX} are Karpenter's own`,
    hint: "remove it: Karpenter marks what belongs to the cluster",
    test: (key) => !key.startsWith(RESERVED_PREFIX),
  }),
];

/** `spec.tags` of both kinds of node class. */
export const resourceTags = withRules(mapOf(z.string()), RULES);

/** `tags` of a selector term. The value `*` matches any. */
export function selectorTags(min: 0 | 1) {
  return withRules(withFieldCount(mapOf(z.string()), { min, max: 20 }), [
    everyEntry({
      cel: "k != '' && self[k] != ''",
      message: "a tag to look for needs a key and a value",
      hint: 'write "*" to match any value',
      test: (key, value) => key !== "" && value !== "",
    }),
  ]);
}
