/** Label keys and values that Karpenter and Kubernetes allow, known ones and forbidden ones. */
import * as z from "zod/mini";
import {
  AWS_DOMAIN,
  type KeyRule,
  NOT_KARPENTERS,
  NOT_THE_HOST,
  NOT_THE_POOL,
  ofAws,
  ofMap,
  ofText,
} from "./label-key-rules.ts";
import { EKS_AUTO_GROUP } from "../../krm/findings/known-kinds.ts";
import { withKeywords } from "../schema/keywords.ts";
import { mapOf } from "../schema/map-of.ts";
import { withRules } from "../schema/rule.ts";

/**
 * `name` of at most 63 characters or `domain/name`: a length that only Karpenter's run time checks
 * (docs/upstream/karpenter.md#validation-at-run-time).
 */
const QUALIFIED_NAME =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

export const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Karpenter core's well-known labels. */
export const CORE_LABELS = [
  "karpenter.sh/nodepool",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "karpenter.sh/capacity-type",
  "node.kubernetes.io/windows-build",
] as const;

const AWS_INSTANCE_LABELS = [
  "category",
  "generation",
  "family",
  "size",
  "cpu",
  "cpu-manufacturer",
  "cpu-sustained-clock-speed-mhz",
  "memory",
  "ebs-bandwidth",
  "network-bandwidth",
  "gpu-name",
  "gpu-manufacturer",
  "gpu-count",
  "gpu-memory",
  "accelerator-name",
  "accelerator-manufacturer",
  "accelerator-count",
  "capability-flex",
  "hypervisor",
  "local-nvme",
  "encryption-in-transit-supported",
  "tenancy",
].map((name) => `${AWS_DOMAIN}/instance-${name}`);

/** Labels of nodes in a capacity reservation, for the provider that has reservations. */
export const RESERVATION_LABELS: Readonly<Record<"aws" | "eksAuto", readonly string[]>> = {
  aws: reservationLabels(AWS_DOMAIN),
  eksAuto: reservationLabels(EKS_AUTO_GROUP),
};

function reservationLabels(group: string): string[] {
  return ["id", "type", "interruptible"].map((name) => `${group}/capacity-reservation-${name}`);
}

export const PLACEMENT_GROUP_ID = `${AWS_DOMAIN}/placement-group-id`;
export const PLACEMENT_GROUP_PARTITION = `${AWS_DOMAIN}/placement-group-partition`;

const AWS_OTHER_LABELS = [...RESERVATION_LABELS.aws, PLACEMENT_GROUP_ID, PLACEMENT_GROUP_PARTITION];

/** Labels that Karpenter with the AWS provider knows; every other key is a custom label. */
export const WELL_KNOWN_LABELS: ReadonlySet<string> = new Set([
  ...CORE_LABELS,
  ...AWS_INSTANCE_LABELS,
  ...AWS_OTHER_LABELS,
  "topology.k8s.aws/zone-id",
]);

/** Well-known labels that an instance type may lack (docs/upstream/karpenter.md#labels-of-aws). */
export const OPTIONAL_LABELS: ReadonlySet<string> = new Set([
  ...["gpu-name", "gpu-manufacturer", "gpu-count", "gpu-memory", "accelerator-name", "accelerator-manufacturer"].map(
    instanceLabel,
  ),
  ...["accelerator-count", "local-nvme", "network-bandwidth", "ebs-bandwidth"].map(instanceLabel),
  ...AWS_OTHER_LABELS,
  "topology.k8s.aws/zone-id",
  "node.kubernetes.io/windows-build",
]);

/**
 * Keys under karpenter.k8s.aws that the CRDs accept; ec2nodeclass passes there and fails at run time
 * (docs/upstream/karpenter.md#crds).
 */
export const AWS_ALLOWED = [...AWS_INSTANCE_LABELS, ...AWS_OTHER_LABELS].toSorted();

/** Values that Karpenter expects: it refuses an `In` without any of them at run time. */
export const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  "karpenter.sh/capacity-type": ["on-demand", "reserved", "spot"],
  "karpenter.k8s.aws/instance-tenancy": ["dedicated", "default"],
};

function instanceLabel(name: string): string {
  return `${AWS_DOMAIN}/instance-${name}`;
}

const FORM: KeyRule = {
  cel: (key) => `${key}.matches(r'${QUALIFIED_NAME.source}')`,
  message: "no label key: write `name` or `domain/name`",
  test: (key) => QUALIFIED_NAME.test(key),
  hint: "letters, digits, - _ . and at most 63 of them after the slash",
};

const MAX_DOMAIN = 253;

const DOMAIN_LENGTH: KeyRule = {
  cel: (key) => `${key}.indexOf("/") <= ${MAX_DOMAIN}`,
  message: `the domain before the slash has more than ${MAX_DOMAIN} characters`,
  test: (key) => key.indexOf("/") <= MAX_DOMAIN,
  hint: "no domain is that long",
};

/** `what` names the text in messages: `label key`. */
export function qualifiedName(what: string): z.ZodMiniString {
  const error = `is not a ${what}: write \`name\` or \`domain/name\``;
  return withRules(z.string().check(z.maxLength(316), z.regex(QUALIFIED_NAME, { error })), [ofText(DOMAIN_LENGTH)]);
}

const KEY_RULES: readonly KeyRule[] = [NOT_KARPENTERS, NOT_THE_POOL, NOT_THE_HOST, ofAws(AWS_ALLOWED)];

/** The key of a requirement: a qualified name outside the restricted domains. */
export const requirementKey = withRules(qualifiedName("label key"), KEY_RULES.map(ofText));

/** Template labels: at most 100, values as Kubernetes allows them, keys within `rules`. */
export function labelsWithin(rules: readonly KeyRule[]) {
  return withRules(
    withKeywords(
      mapOf(
        z
          .string()
          .check(
            z.maxLength(63),
            z.regex(LABEL_VALUE, { error: "is not a label value: letters, digits, - _ . and at most 63 of them" }),
          ),
      ).check(z.refine((labels) => Object.keys(labels).length <= 100, { error: "must have at most 100 labels" })),
      { "x-kubernetes-map-type": "atomic", maxProperties: 100 },
    ),
    rules.map(ofMap),
  );
}

/** Keys outside the restricted domains. */
export const templateLabels = labelsWithin([FORM, DOMAIN_LENGTH, ...KEY_RULES]);
