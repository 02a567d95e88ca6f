/** Every code that a finding can have, with its severity and what it says. */

export type Severity = "error" | "warning" | "info";

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** What `--rules` can name. */
export const RULE_SETS = ["rosa", "production"] as const;

export type RuleSet = (typeof RULE_SETS)[number];

interface CodeEntry {
  readonly severity: Severity;
  /** As the table of docs/findings.md, `anp help` and SARIF have it. */
  readonly says: string;
  /**
   * Fixed: `RenderConfig.spec.rules` cannot change it, because the rule is one of anp's own or anp cannot continue
   * after it.
   */
  readonly fixed?: true;
  /** The highest severity that `RenderConfig.spec.rules` can set: a finding about money alone is never an error. */
  readonly most?: Severity;
  /** A warning if `--rules` names the set; otherwise an info of one line, and only in `anp check`. */
  readonly set?: RuleSet;
  /** The input could not be read at all: exit code 3. */
  readonly unreadable?: true;
}

const entry =
  (severity: Severity, more: Omit<CodeEntry, "severity" | "says"> = {}) =>
  (says: string): CodeEntry => ({ severity, says, ...more });

const [error, warning, info] = [entry("error"), entry("warning"), entry("info")];
const production = entry("info", { set: "production" });
const refusal = entry("error", { fixed: true });
const unreadable = entry("error", { fixed: true, unreadable: true });

/** docs/findings.md explains each code; a test compares the two. */
export const FINDING_CODES = {
  // Reading: bytes to objects.
  "file-unreadable": unreadable("a path does not exist or may not be read"),
  "link-outside": unreadable("a link leads outside the input and its git repository"),
  "not-utf8": unreadable("a file is not UTF-8"),
  "input-limit": unreadable("the input is too large, too deep or too wide"),
  "yaml-syntax": unreadable("a document is not valid YAML or JSON"),
  "yaml-duplicate-key": unreadable("a key is given twice in one mapping"),
  "not-krm": unreadable("a file that you named holds no Kubernetes object"),
  "input-empty": unreadable("the input holds no Kubernetes object"),
  "file-skipped": info("a file or folder in a directory is skipped"),
  "file-passed-over": info("a file that cannot be parsed names nothing of Karpenter, and is passed over"),
  "kustomization-unbuilt": info("a kustomization is not built, and its patches and generators are passed over"),
  "embedded-unread": info("a manifest inside another object is passed over"),
  "terraform-unread": info("a manifest in a Terraform file is not read, and is not in the answer"),
  "chart-unbuilt": info("a Helm chart is not rendered, and templates that are no manifests are passed over"),
  "placeholder-judged": refusal("a placeholder without a value is in a field that a policy judges"),
  "placeholder-unfilled": info("a file has placeholders without a value, and what they decide is not judged"),
  "live-kind-unread": warning("the user may not list a kind of the cluster"),
  "node-data-unmatched": warning("a dump in the folder of --node-data is of no hosted cluster of the input"),
  "node-data-missing": warning("the folder of --node-data has no dump of a hosted cluster"),

  // Selecting: which hosted cluster an object is for.
  "unknown-kind": refusal("a misspelt kind, version or group of an object that anp handles"),
  "provider-not-supported": refusal("a wrapper of another provider than AWS"),
  "raw-object": refusal("a NodePool, NodeClaim or EC2NodeClass that is not made from a wrapper"),
  "reserved-name": refusal("an object with a name of anp's own admission policies"),
  "untrusted-policy": refusal("a rule is outside `--policy-dir`, or applies beyond the folder that its `*` matches"),
  "untrusted-program": refusal("a nested package runs a program beside `policyDir`"),
  "ambiguous-cluster": refusal("it is unclear which hosted cluster a wrapper is for"),
  "hosted-cluster-unknown": refusal("the input does not name the cluster asked for"),
  "hosted-cluster-absent": info("the input names no hosted cluster"),
  "input-not-ours": warning("the input holds no wrapper and names no hosted cluster"),
  "duplicate-resource": refusal("the same object is given twice"),
  "policy-duplicate": refusal("two policies named default in one namespace"),
  "policy-invalid": refusal("the policy is not valid"),
  "policy-required": refusal("there is no policy, and one is required"),
  "policy-absent": info("the hosted cluster has no policy"),
  "policy-ignored": warning("a policy applies to no hosted cluster"),
  "policy-empty": info("the policy has no requirements"),
  "render-config-invalid": refusal("the RenderConfig is not valid"),
  "render-config-duplicate": refusal("two RenderConfigs for one hosted cluster"),
  "rules-loosened": { ...info("a RenderConfig that no option names allows more than the defaults"), fixed: true },
  "function-config-invalid": refusal("the functionConfig of a KRM function is not valid"),
  "context-invalid": refusal("a HostedControlPlane, HostedCluster or Secret cannot be used"),
  "feature-gate-off": info("`--feature-gates AutoNode=false` renders nothing"),
  "no-wrappers": info("no wrapper was read"),

  // Reading Karpenter's own objects.
  "node-pool-invalid": refusal("Karpenter would refuse the NodePool"),
  "node-class-invalid": refusal("Karpenter would refuse the EC2NodeClass"),

  // Validating wrappers.
  "wrapper-invalid": refusal("a wrapper breaks a rule of its kind"),
  "unknown-field": warning("a field of a wrapper does not exist and is left out"),
  "field-moved": warning("a field that has moved to another path or kind"),
  "old-dialect": info("an OpenshiftEC2NodeClass is v1beta1"),

  // Rendering.
  "node-class-defaulted": info("a pool names no node class and gets `default`"),
  "node-label-overridden": warning("a label of the template is set by the provider"),
  "expire-after-bounded": warning("nodes expire earlier than the pool asks: the provider bounds the lifetime"),
  "grace-period-bounded": warning("nodes terminate faster than the pool asks: the provider bounds the grace period"),
  "drifted-budget-raised": warning("a budget for drifted nodes is below the floor of the provider"),
  "default-bounded": info("Karpenter's default for a field that a pool leaves out is beyond a bound of the provider"),
  "node-limit-not-enforced": info("Karpenter treats the hard limit as soft"),
  "name-too-long": warning("a name that is not a valid label value: Karpenter creates no NodeClaim"),
  "provider-mismatch": refusal("a node class or a label of another provider than the cluster's"),
  "limits-below-zero": warning("a limit below 0 allows no node"),
  "limits-allow-no-node": info("a limit of 0 pauses the pool"),
  "expires-at-once": warning("nodes expire as soon as they exist"),
  "requirements-conflict": warning("nothing in common on a label: no new nodes"),
  "requirement-ignored": warning("an entry that Karpenter ignores"),
  "drifts-forever": warning("nodes get a label that their own pool does not admit"),
  "requirement-crashes-karpenter": refusal("a bound on a custom label that crashes Karpenter"),
  "value-crashes-karpenter": refusal("a value that the API server accepts and that crashes Karpenter"),
  "requirements-limit": refusal("a pool, together with its policy, has too many entries"),
  "policy-bypassed": refusal("the pool would get nodes that the policy does not admit"),
  "policy-bypass-blocked": warning("a pool that would bypass the policy is rendered so that it gets no nodes"),
  "template-key-refused": refusal("a template has an annotation that Karpenter reserves"),
  "template-key-left-out": warning("a reserved label or annotation of a template is not rendered"),
  "template-key-reserved": warning("the template of a NodePool has an annotation that Karpenter reserves"),
  "root-volume-replaced": warning("the policy's root volume replaces the user's"),
  "root-volume-refused": error("EC2 refuses the root volume of policy or RenderConfig"),
  "volume-refused": warning("EC2 refuses a volume of a node class"),
  "root-volume-conflict": refusal("a root volume has the device name of a data disk"),
  "root-volume-unknown": refusal("the root device of a class's images is unknown, and the policy has a root volume"),
  "device-name-duplicate": refusal("two block devices have one name"),
  "hidden-inputs-missing": info("fields that no wrapper holds are left out"),
  "hidden-inputs-conflict": warning("the RenderConfig and the hosted cluster disagree"),
  "secret-without-ami": refusal("a user-data Secret names no AMI"),
  "user-data-left-out": info("the user data of a Secret is not written"),
  "tag-overridden": warning("a tag is set by the platform"),
  "kubelet-field-not-rendered": info("a kubelet field is not Karpenter's"),
  "kubelet-duration-invalid": refusal("a grace period is not a duration"),
  "rendered-invalid": error("Karpenter would refuse the result"),
  "guard-limit": refusal(
    "a policy that no guard can enforce, or a pool beyond its share: too many entries, or entries that are too long",
  ),

  // Checking: what Karpenter does with the result.
  "pool-unsatisfiable": warning("no instance type meets all that a pool asks for"),
  "limits-below-types": warning("the limits of a pool are below its smallest instance type"),
  "limits-no-multiple": info("no number of nodes reaches the CPU limit of a pool"),
  "static-capacity-off": warning("a static pool gets no nodes, because Karpenter's feature gate for those is off"),
  "static-never-rolls": warning("a static pool at its node limit never replaces a drifted node"),
  "policy-unsatisfiable": warning("no instance type satisfies the policy"),
  "min-values-unreachable": warning("minValues is above what is left"),
  "requirement-unmatchable": warning("an entry that nothing can meet"),
  "bound-without-effect": warning("a lower bound that all instance types meet, in a unit that is too small"),
  "value-unknown": warning("a value that no instance type has"),
  "types-unknown": info("instance types of another provider, which anp does not know"),
  "label-misspelt": warning("a label key that looks like a well-known one and is none"),
  "optional-label-bounded": info("bounds on a label that some instance types lack"),
  "custom-label-random": info("Karpenter gives a custom label that is left open a random value"),
  "policy-key-bypassable": info("a policy entry on a label that a node may lack"),
  "pools-overlap": info("pools of equal weight have instance types in common"),
  "pool-takes-all-pods": warning("a pool of GPUs, bare metal or much dearer types takes the pods that select no pool"),
  "startup-taint-permanent": warning("a pool has the taint of an agent that starts among its permanent taints"),
  "zone-pools-tie": info("pools that differ by zone only: one of them takes all pods"),
  "spot-diversity": info("a Spot pool with few instance types"),
  "overlay-below-spot": warning(
    "a NodeOverlay lowers on-demand prices alone, and Spot capacity above them is not launched",
  ),
  "overlay-conflict": warning("a NodeOverlay conflicts with another one of the same weight, and Karpenter ignores it"),
  "kind-not-served": error("a kind or version of Karpenter's groups that no Karpenter serves any more, or ever did"),
  "karpenter-kind-ignored": info("an object that changes what Karpenter does, and that anp does not evaluate"),
  "being-deleted": info("a NodePool or node class is being deleted and still there"),
  "capacity-type-unset": info("a pool does not set the capacity type: spot comes before on-demand"),
  "arch-or-os-unset": info("a pool leaves architecture or operating system open"),
  "node-class-missing": warning("a pool refers to a node class that does not exist"),
  "node-class-unused": info("no pool refers to a node class"),
  "node-class-overwritten": warning("the operator overwrites the node class default"),
  "max-pods-unset": info("kubelet.maxPods is not set"),
  "kubelet-field-unknown": warning("a setting that no kubelet has"),
  "kubelet-expression-unread": warning("a CEL expression of kubelet settings that anp does not evaluate"),
  "kubelet-field-dropped": warning("a kubelet setting that Karpenter does not apply on the images of a class"),
  "image-device-unmapped": warning("a node class maps no volume to the device that its images use"),
  "user-data-unfit": warning("the images of a node class cannot use its user data"),
  "custom-image-bootstrap": info("the user data of custom images leaves out what Karpenter needs"),
  "volume-unencrypted": info("a volume is not encrypted"),
  "root-volume-small": info("a root volume is small"),
  "iam-name-invalid": warning("a node class names a role or an instance profile by an ARN or a path"),
  "discovery-tags-differ": warning(
    "a node class selects the subnets of one cluster and the security groups of another",
  ),
  "reservations-unused": warning("a node class selects capacity reservations that none of its pools may use"),
  "reservations-absent": info("a pool admits reserved capacity, and its node class selects no reservation"),
  "namespace-ignored": info("an object of a kind without namespaces has one"),
  "annotation-deprecated": warning("an annotation that Karpenter does not read any more"),
  "kubelet-annotation-left": warning("kubelet settings in an annotation differ from those of the node class"),
  "node-claim-refused": warning("a NodeClaim lacks a field that its CRD requires since v1"),
  "budget-schedule-invalid": warning("Karpenter cannot read the schedule of a disruption budget"),
  "budget-always-blocks": info("a disruption budget allows no disruption at any time"),
  "budget-never-blocks": info("a disruption budget never limits disruption"),
  "budget-hours-open": warning("at some hours no disruption budget is active for a reason"),
  "budget-window-blocked": warning("a disruption budget allows nothing in its window"),
  "eviction-never-allowed": info("a PodDisruptionBudget allows no eviction, so nodes with its pods stay"),
  "node-never-goes": warning("nodes of a cluster are held without an end, and neither drift nor expiry replaces them"),
  "budget-expiry-goes-on": info("a disruption budget blocks drift, and nodes expire nevertheless"),
  "price-ceiling": { ...warning("the cheapest instance type of a pool costs more than the ceiling"), most: "warning" },
  "price-ceiling-exceedable": {
    ...info("a pool may launch instance types that cost more than the ceiling"),
    most: "warning",
  },
  "price-ceiling-unknown": { ...info("the price of a pool with a price ceiling is unknown"), most: "warning" },
  "hourly-cost": { ...warning("a pool may cost more at its limits than maxHourlyCost"), most: "warning" },
  "hourly-cost-unbounded": {
    ...warning("a pool has maxHourlyCost, and no limit that bounds its cost"),
    most: "warning",
  },
  "hourly-cost-unknown": { ...info("the cost of a pool with maxHourlyCost is unknown"), most: "warning" },

  // Checking raw pools against a policy.
  "outside-policy": refusal("a NodePool admits what the policy does not"),
  "outside-bounds": error("a NodePool keeps nodes for longer than a guard's bounds allow"),
  "node-claim-by-hand": refusal("a NodeClaim that Karpenter did not create, in a cluster with a policy"),
  "guard-outdated": warning("a NodePool carries an earlier policy, or another one"),
  "live-guard-missing": warning("a part of the policy's guard is not in the cluster"),
  "live-guard-weakened": warning("a part of the policy's guard is in the cluster in another form"),
  "live-guard-leftover": warning("policies of an earlier guard are still in the cluster"),
  "live-guard-removable": info("users or groups may change or remove the guard"),

  // Checking earlier output.
  "output-stale": refusal("an object that is marked as rendered by anp differs from what anp renders"),
  "operator-output-differs": info("an object of HyperShift's operator differs from what anp renders"),
  "pool-not-ready": refusal("a pool gets no nodes in its cluster, or its condition Ready is False"),

  // Checking for production.
  "limits-unset": production("a pool has no limits"),
  "limits-copied": production("a pool has the limit of Karpenter's examples, 1000 CPUs"),
  "instance-type-alone": production("only one instance type is left for a pool"),
  "instance-types-unbounded": production("a pool admits instance types of all sizes"),
  "generations-old": production("a pool admits instance types of generations 1 to 3"),
  "bare-metal-left": production("a pool admits bare-metal types among others"),
  "expiry-unbounded": production("nodes expire, and nothing bounds how long they drain"),
  "image-unpinned": production("new images replace all nodes of a class"),
  "image-family-ended": production("a node class uses Amazon Linux 2, which AWS no longer supports on EKS"),
  "instance-metadata-open": production("pods or forged requests can get the credentials of their node"),

  // Checking with the rules of ROSA.
  "rosa-instance-size": warning("ROSA does not offer an instance size"),
  "rosa-vcpu": warning("ROSA does not offer a number of vCPUs"),
  "rosa-local-zone": warning("ROSA does not offer Local Zones"),
  "rosa-node-role": warning("ROSA reserves labels of node roles"),
  "rosa-replicas": warning("ROSA does not support static pools"),
  "rosa-volume": warning("ROSA refuses a volume"),
  "rosa-tag": warning("ROSA refuses a tag"),
  "rosa-public-ip": warning("ROSA refuses public IP addresses"),
  "rosa-version": warning("a node class pins a version that ROSA does not support"),
  "rosa-upgrade": info("an upgrade of the control plane replaces the nodes of a class"),
  "rosa-not-ready": warning("a node class is not ready, and ROSA notifies about it"),

  // Accepting findings.
  "baseline-stale": info("the baseline holds a finding that is no longer there"),

  // Placing pods.
  "pod-invalid": refusal("anp cannot read what a pod asks for"),

  // Simulating.
  "node-count-assumed": info("the input does not say how many nodes a pool has"),
  "budget-window-shifts": warning("the window of a budget moves when clocks change"),

  // Adopting: raw objects to wrappers, and back.
  "adopt-invalid": refusal("Karpenter would refuse the raw object"),
  "adopt-version": refusal("a Karpenter object of an older version than v1"),
  "adopt-refused": refusal("no wrapper can replace the object without harm"),
  "adopt-pool-kind-absent": refusal("the cluster has no OpenshiftNodePool that a NodePool could become"),
  "adopt-lossy": warning("the new object cannot hold a field, and it is left out or rounded"),
  "adopt-class-absent": warning("a pool refers to a node class that is not adopted"),
  "adopt-nodes-replaced": info("nodes that are running are replaced"),
  "adopt-from-hypershift": info("HyperShift sets a field itself"),
  "adopt-repeats-policy": info("a requirement of the pool repeats one of the policy"),
  "adopt-skipped": info("the object has its wrapper already"),
  "adopt-nothing": info("no object to adopt was read"),

  // Migrating: Karpenter's objects from one version to another.
  "migrate-invalid": refusal("Karpenter would refuse the object of version v1"),
  "migrate-refused": refusal("the other version cannot express a field, and leaving it out would do harm"),
  "migrate-lossy": warning("the other version cannot hold a field, and it is left out"),
  "migrate-behaves-differently": warning("a field has another effect in the other version"),
  "migrate-nodes-replaced": warning("nodes drift and are replaced when the result is applied"),
  "migrate-expiry-forceful": info("v1 ends nodes at their age without waiting"),
  "migrate-class-split": info("pools with different kubelet settings get node classes of their own"),
  "migrate-kubelet-moved": info("the kubelet settings of pools are in their node class now"),
  "migrate-annotations-left": info("annotations of the conversion must go before Karpenter 1.1"),
  "migrate-rewritten": info("a document is rewritten and loses its comments"),
  "migrate-nothing": info("no Karpenter object of the other version was read"),

  // Upgrading Karpenter.
  "upgrade-takes-effect": warning("a field that the old version refuses or drops takes effect"),
  "upgrade-default-changed": info("new nodes get another default"),
  "upgrade-repair-paced": info("a budget restricts node repair in one version and not in the other"),
  "upgrade-metric-changed": warning("an alert rule selects labels or values that a metric no longer has"),
  "upgrade-drift": info("nodes differ from their node class before the upgrade"),
  "upgrade-version-differs": warning("another version than that of --from wrote the hash of a node class"),

  // Writing a directory.
  "output-foreign": refusal("a file in the directory was not made by anp"),
  "output-kept": refusal("files would be removed although no wrapper was read"),
  "output-unwritable": refusal("the directory, a report or a baseline cannot be written"),
} satisfies Record<string, CodeEntry>;

export type FindingCode = keyof typeof FINDING_CODES;

export function codeEntry(code: FindingCode): CodeEntry {
  return FINDING_CODES[code];
}
