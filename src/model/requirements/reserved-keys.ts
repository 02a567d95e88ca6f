/** The label and annotation keys of Karpenter's domains that a template may carry. */
import { NOT_KARPENTERS, NOT_THE_POOL, ofAws } from "./label-key-rules.ts";
import { AWS_ALLOWED } from "./labels.ts";
import { POLICY_END } from "./policy-end.ts";

/** Tests the part before the slash: the domains of Karpenter and of its AWS provider, and their subdomains. */
export const RESERVED_DOMAIN = /^([^/]*[.])?karpenter[.](sh|k8s[.]aws)\//;

/** Karpenter reads it as the end of a NodeClaim's drain, and writes it only if it is not there yet. */
export const TERMINATION_TIMESTAMP = "karpenter.sh/nodeclaim-termination-timestamp";

/**
 * Karpenter copies every annotation of a template to its NodeClaims. These are for users to write, or no version that
 * anp knows reads them; docs/upstream/karpenter.md#keys-on-a-template lists all.
 */
export const TEMPLATE_ANNOTATIONS: readonly string[] = [
  "karpenter.sh/do-not-disrupt",
  "karpenter.sh/do-not-repair",
  "karpenter.sh/do-not-consolidate",
  "karpenter.sh/do-not-evict",
];

/** Keys that a requirement may name: as labels of a template they are requirements too. */
export const TEMPLATE_LABELS: readonly string[] = ["karpenter.sh/capacity-type", ...AWS_ALLOWED];

/** Keys that Karpenter writes on a NodeClaim only after it has made it; it reads each of them there. */
export const WRITTEN_LATER: readonly string[] = [
  TERMINATION_TIMESTAMP,
  "karpenter.sh/reboot-pre-boot-id",
  "karpenter.sh/reboot-termination-grace-period",
  "karpenter.k8s.aws/tagged",
  "compatibility.karpenter.k8s.aws/cluster-name-tagged",
  "karpenter.k8s.aws/instance-profile-name",
];

/** The effect on nodes when the template carries the key; each text follows the word "Karpenter". */
const EFFECTS: Readonly<Record<string, string>> = {
  [TERMINATION_TIMESTAMP]:
    "takes its value for the end of the drain in place of terminationGracePeriod, and never ends the drain if it cannot read it",
  "karpenter.sh/requested-dra-drivers":
    "waits for these drivers before it initializes a node, and does not replace it until then",
  "karpenter.k8s.aws/tagged": "takes the instance for tagged already",
  "compatibility.karpenter.k8s.aws/cluster-name-tagged": "takes the instance for tagged already",
  [POLICY_END]: "creates no nodes then, because an entry of rendering and of a guard excludes the label",
};

/** The annotations that a template must not carry, in their order. */
export function reservedAnnotations(annotations: unknown): string[] {
  return keysOf(annotations).filter((key) => RESERVED_DOMAIN.test(key) && !TEMPLATE_ANNOTATIONS.includes(key));
}

const LABEL_RULES = [NOT_KARPENTERS, NOT_THE_POOL, ofAws(AWS_ALLOWED)];

/** The same for labels, by the rules of the CRDs. */
export function reservedLabels(labels: unknown): string[] {
  return keysOf(labels).filter((key) => LABEL_RULES.some(({ test }) => !test(key)));
}

/** The effect of the key, as a sentence after it. */
export function effectOf(key: string): string {
  return `Karpenter ${EFFECTS[key] ?? "keeps the keys of this domain for itself"}`;
}

function keysOf(map: unknown): string[] {
  return typeof map === "object" && map !== null ? Object.keys(map) : [];
}
