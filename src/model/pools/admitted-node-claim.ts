/** The spec of a node as Karpenter's CRDs accept it, for NodePool and NodeClaim. */
import * as z from "zod/mini";
import { withKeywords } from "../schema/keywords.ts";
import { kubernetesTime } from "../values/kubernetes-time.ts";
import {
  AWS_DOMAIN,
  type KeyRule,
  NOT_KARPENTERS,
  NOT_THE_HOST,
  NOT_THE_POOL,
  ofAws,
  ofText,
} from "../requirements/label-key-rules.ts";
import { AWS_ALLOWED, labelsWithin } from "../requirements/labels.ts";
import { annotations, freeNodeClassRef, lifetime, nodeClassRef, taintEffect } from "./node-claim-template.ts";
import { ENTRY_RULES, MAX_REQUIREMENTS, minValuesSchema, OPERATORS } from "../requirements/requirement.ts";
import { withRules } from "../schema/rule.ts";

/** The pattern cannot express the lengths of a label key, so they are not checked. */
const KEY =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const key = () => z.string().check(z.regex(KEY, { error: "is not a key: write `name` or `domain/name`" }));

/** For a NodeClaim: Karpenter itself adds the pool's requirement. */
const CLAIM_KEYS: readonly KeyRule[] = [
  NOT_KARPENTERS,
  NOT_THE_HOST,
  ofAws([...AWS_ALLOWED, `${AWS_DOMAIN}/ec2nodeclass`].toSorted()),
];

const POOL_KEYS: readonly KeyRule[] = [...CLAIM_KEYS, NOT_THE_POOL];

const requirements = (rules: readonly KeyRule[]) =>
  withKeywords(
    z
      .array(
        withRules(
          z.strictObject({
            key: withRules(key().check(z.maxLength(316)), rules.map(ofText)),
            operator: z.enum(OPERATORS),
            values: z.optional(withKeywords(z.array(z.string()), { "x-kubernetes-list-type": "atomic" })),
            minValues: minValuesSchema,
          }),
          ENTRY_RULES,
        ),
      )
      .check(z.maxLength(MAX_REQUIREMENTS)),
    { "x-kubernetes-list-type": "atomic" },
  );

const taints = () =>
  z.optional(
    withKeywords(
      z.array(
        z.strictObject({
          key: key().check(z.minLength(1)),
          value: z.optional(key()),
          effect: taintEffect,
          timeAdded: z.optional(kubernetesTime()),
        }),
      ),
      { "x-kubernetes-list-type": "atomic" },
    ),
  );

/**
 * `spec.template` of a NodePool. The CRD accepts more than Karpenter can work with: its run time refuses some of it
 * (docs/upstream/karpenter.md#validation-at-run-time), and so does rendering.
 */
export const admittedTemplate = () =>
  z.strictObject({
    metadata: z.optional(z.strictObject({ labels: z.optional(labelsWithin(POOL_KEYS)), annotations })),
    spec: z.strictObject({
      nodeClassRef,
      requirements: requirements(POOL_KEYS),
      taints: taints(),
      startupTaints: taints(),
      ...lifetime,
    }),
  });

/** The part of a NodeClaim's spec that a template has too. */
export const admittedClaim = () => ({
  nodeClassRef: freeNodeClassRef,
  requirements: requirements(CLAIM_KEYS),
  taints: taints(),
  startupTaints: taints(),
  ...lifetime,
});
