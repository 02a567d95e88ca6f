/** The messages of Karpenter's events, logs and conditions: what each means and what to change. */

/** What decides about a message and may be among the manifests. */
export type Look =
  | "taint"
  | "label"
  | "requirement"
  | "types"
  | "limits"
  | "min-values"
  | "budgets"
  | "pod-budgets"
  | "pod"
  | { readonly of: "pool" | "class" | "node"; readonly fields: readonly string[] };

export interface KarpenterMessage {
  /** For programs; it stays the same if Karpenter changes the text. */
  readonly id: string;
  /** A part of the text that no other message has, or that part and another one after it. Case does not count. */
  readonly phrases: readonly (string | readonly [string, string])[];
  readonly means: string;
  /** Empty if there is nothing to change. */
  readonly change?: string;
  readonly look?: Look | readonly Look[];
  /** Whether it introduces another message, which answers if it is known. */
  readonly wraps?: boolean;
}

const DRAIN_ENDS: Look = { of: "pool", fields: ["spec.template.spec.terminationGracePeriod"] };

const NODE_CLASS_READY = "Karpenter launches no node of the class until its condition is True";

/** In no order: the longest phrase at a place counts (docs/upstream/karpenter.md#messages). */
export const KARPENTER_MESSAGES: readonly KarpenterMessage[] = [
  // Scheduling of pods.
  {
    id: "pod-not-scheduled",
    phrases: ["Failed to schedule pod", "could not schedule pod", "not all pods would schedule"],
    means: "no pool and no node can take the pod",
    wraps: true,
  },
  {
    id: "pool-incompatible",
    phrases: ['incompatible with nodepool "', 'incompatible with provisioner "'],
    means: "the pool cannot take the pod",
    wraps: true,
  },
  {
    id: "taint-not-tolerated",
    phrases: ["did not tolerate"],
    means: "a pool or node has the taint, and the pod has no toleration for it",
    change: "if the pod belongs there, add a toleration to it; otherwise another pool has to take it",
    look: "taint",
  },
  {
    id: "label-unknown",
    phrases: [
      ["incompatible requirements, label ", "does not have known values"],
      ["label ", "does not have known values"],
    ],
    means:
      "the pod asks for a label that is none of Karpenter's, and the pool neither requires it nor puts it on its nodes",
    change:
      "add the label to `spec.template.metadata.labels` of the pool that is meant, or correct the selector of the pod",
    look: "label",
  },
  {
    id: "requirements-contradict",
    phrases: [
      ["incompatible requirements, key ", " not in "],
      ["key ", " not in "],
    ],
    means: "pod and pool ask for values of one label that have nothing in common",
    change: "add the value to the pool's entry, or change the node selector or affinity of the pod",
    look: "requirement",
  },
  {
    id: "volume-elsewhere",
    phrases: [["incompatible volume requirements, key ", " not in "]],
    means: "a volume of the pod is bound to a zone or node that the pool excludes",
    change:
      "admit the zone of the volume in the pool, or create the volume with `volumeBindingMode: WaitForFirstConsumer`",
    look: "requirement",
  },
  {
    id: "devices-elsewhere",
    phrases: [["incompatible dynamic resource requirements, key ", " not in "]],
    means: "the devices that the pod claims are on nodes that the pool excludes",
    change: "admit them in the pool, or change the ResourceClaim",
    look: "requirement",
  },
  {
    id: "types-of-pool-and-pod",
    phrases: ["no instance type satisfied resources"],
    means: "no instance type of the pool can take the pod",
    change: "look at the requirements and amounts in the message",
    look: "types",
    wraps: true,
  },
  {
    id: "types-lack-labels",
    phrases: ["no instance type met all requirements"],
    means: "no instance type satisfies the requirements of pool and pod together",
    change: "relax the entries of the pool, or the node selector, affinity or spread of the pod",
    look: "types",
  },
  {
    id: "types-too-small",
    phrases: ["no instance type has enough resources"],
    means: "no instance type of the pool has what the pod and the DaemonSets of the node request",
    change: "admit larger instance types in the pool, or lower the requests; `--pods` compares the pod with each pool",
    look: "types",
  },
  {
    id: "types-not-offered",
    phrases: ["no instance type has the required offering"],
    means:
      "no instance type is offered in the zones and capacity types that are left; Karpenter also leaves out what EC2 refused minutes ago",
    change: "admit more zones or capacity types; look for insufficient capacity in the events of NodeClaims",
    look: "types",
  },
  {
    id: "types-fail-each",
    phrases: [
      "no instance type met the scheduling requirements or had enough resources or had a required offering",
      "no instance type met the scheduling requirements or had enough resources",
      "no instance type met the scheduling requirements or had a required offering",
      "no instance type had enough resources or had a required offering",
    ],
    means: "several conditions, which the message names, each exclude every instance type alone",
    change: "each of them has to be relaxed: entries, requests, or zones and capacity types",
    look: "types",
  },
  {
    id: "types-fail-together",
    phrases: [
      "no instance type which met the scheduling requirements and had enough resources, had a required offering",
      "no instance type which had enough resources and the required offering met the scheduling requirements",
      "no instance type which met the scheduling requirements and the required offering had the required resources",
      "no instance type met the requirements/resources/offering tuple",
    ],
    means: "some instance types satisfy each condition that the message names, but none satisfies them together",
    change: "relax one of them: the entries, the requests, or the zones and capacity types",
    look: "types",
  },
  {
    id: "cpu-in-millions",
    phrases: ["m vs M typo?"],
    means: "the pod requests a million CPUs or more: `M` is mega, `m` is milli",
    change: "write the CPU request with a small m",
  },
  {
    id: "limits-exceeded",
    phrases: [
      "all available instance types exceed limits for nodepool",
      "all available instance types exceed limits for provisioner",
    ],
    means: "what the limits of the pool leave, after its nodes, is less than its smallest instance type has",
    change: "raise `spec.limits`, admit smaller instance types, or remove nodes",
    look: "limits",
  },
  {
    id: "node-limit-reached",
    phrases: ["node limits have been exhausted for nodepool", "nodepool node limit reached"],
    means: "the pool has as many nodes as `spec.limits.nodes` allows",
    change: "raise the limit",
    look: "limits",
  },
  {
    id: "limit-exceeded",
    phrases: ["resource usage exceeds limit"],
    means: "the nodes of the pool use more than a limit allows, so Karpenter launches no more",
    change: "raise the limit, or remove nodes",
    look: "limits",
  },
  {
    id: "types-above-limits",
    phrases: ["instance types were excluded because they would breach limits"],
    means: "the larger instance types would exceed the limits of the pool; smaller ones are left",
    look: "limits",
  },
  {
    id: "min-values-missed",
    phrases: [
      "minValues requirement is not met",
      "nodepool requirements filtered out all compatible available instance types due to minValues incompatibility",
    ],
    means: "fewer different values of a label are left than `minValues` of the pool asks for",
    change: "lower `minValues`, admit more values, or set the policy for minValues of Karpenter to BestEffort",
    look: "min-values",
  },
  {
    id: "min-values-missed-after-cut",
    phrases: ["pod didn't schedule because NodePool couldn't meet minValues requirements"],
    means: "the cheapest types that Karpenter passes to the cloud have too few values for `minValues`",
    change: "lower `minValues`",
    look: "min-values",
    wraps: true,
  },
  {
    id: "pool-without-types",
    phrases: [
      "nodepool requirements filtered out all compatible available instance types",
      "nodepool requirements filtered out all available instance types",
      "nodepool requirements filtered out all instance types",
      "no resolved instance types found",
    ],
    means: "the entries of the pool leave no instance type that is available",
    change: "relax the entries of the pool",
    look: "types",
  },
  {
    id: "topology-unsatisfiable",
    phrases: ["unsatisfiable topology constraint for"],
    means:
      "no domain satisfies the spread, affinity or anti-affinity of the pod within what the pool admits; the message has the pods of each domain",
    change: "admit more zones in the pool, raise `maxSkew`, or use `whenUnsatisfiable: ScheduleAnyway`",
  },
  {
    id: "reservation-not-free",
    phrases: [
      "compatible reserved offerings are available, but could not be reserved",
      "all compatible reserved offerings are full",
      "the only compatible reserved offering is full",
      "would remove all compatible reserved offering options",
    ],
    means:
      "the capacity reservations that the pool could use are full or promised to other pods; Karpenter tries again",
    change: "admit on-demand or spot beside reserved, or enlarge the reservation",
    look: { of: "class", fields: ["spec.capacityReservationSelectorTerms"] },
  },
  {
    id: "next-pool-tried",
    phrases: ["falling through to other NodePools"],
    means: "Karpenter tries the next pool",
    wraps: true,
  },
  {
    id: "node-volumes-full",
    phrases: ["would exceed volume limit", "checking volume usage,"],
    means: "the node could not attach that many volumes",
    change: "use instance types that attach more volumes, or spread the pods",
  },
  {
    id: "host-port-taken",
    phrases: ["pod hostport conflicts", "checking host port usage,"],
    means: "another pod of the node, or a DaemonSet, uses the host port",
    change: "use another host port, or none",
  },
  {
    id: "node-full",
    phrases: ["exceeds node resources"],
    means: "the existing node has too little left for the pod",
  },
  {
    id: "existing-nodes-full",
    phrases: ["failed scheduling pod to existing nodes", "failed scheduling pod to inflight nodes"],
    means: "no node that exists or starts can take the pod",
  },
  {
    id: "devices-unsupported",
    phrases: ["Dynamic Resource Allocation requirements"],
    means: "the pod claims devices (ResourceClaims), and this Karpenter does not handle them",
    change: "use device plugins, or turn on support for ResourceClaims in Karpenter",
  },
  {
    id: "devices-not-allocated",
    phrases: [
      "allocating dynamic resources,",
      "no instance type satisfies both scheduling and dynamic resource requirements",
      ["resourceclaim ", " not found"],
      "getting resourceclaim ",
    ],
    means: "no node of the pool has the devices that the ResourceClaims of the pod ask for, or a claim is missing",
    change: "look at the ResourceClaims of the pod",
  },
  {
    id: "volume-claim-unusable",
    phrases: [
      "persistentvolumeclaim is being deleted",
      "persistentvolume is being deleted",
      "bound to non-existent persistentvolume",
      "failed to validate pvc",
      "pvc is considered unbound",
      "unbound pvc must define a storage class",
      "getting persistent volume",
      "discovering persistent volume claim",
      "getting storage class,",
    ],
    means: "Karpenter leaves the pod alone, because one of its volume claims cannot be used as it is",
    change: "look at the PersistentVolumeClaim that the message names, its volume and its storage class",
  },
  {
    id: "pod-left-alone",
    phrases: [
      "node selector term with matchFields is not supported",
      "configured to not run on a Karpenter provisioned node",
    ],
    means: "Karpenter makes no node for this pod, because its affinity excludes that",
    change: "change the node affinity of the pod",
  },
  {
    id: "no-pools",
    phrases: ["no nodepools found", "no dynamic nodepools found"],
    means: "no pool is ready: there is none, or each is static, is being deleted or has a node class that is not ready",
    change: "look at the condition Ready of the NodePools",
  },
  {
    id: "pool-not-ready",
    phrases: ["ignoring nodepool, not ready"],
    means: "the pool's condition Ready is not True, so it gets no nodes",
    change: "look at the conditions of the NodePool and of its node class",
    look: { of: "pool", fields: ["spec.template.spec.nodeClassRef"] },
  },
  {
    id: "types-not-resolved",
    phrases: ["skipping, unable to resolve instance types", "Error resolving instance types"],
    means: "Karpenter could not compute the instance types of the pool; the error says why",
    look: { of: "pool", fields: ["spec.template.spec.nodeClassRef"] },
  },
  {
    id: "overlays-not-evaluated",
    phrases: ["awaiting nodeoverlay evaluation", "is awaiting evaluation", "node overlays are not applied"],
    means: "Karpenter has not yet applied the NodeOverlays to the pool; it tries again",
  },
  {
    id: "few-types-beside-spot",
    phrases: ["instance types are recommended when flexible to spot but requesting on-demand"],
    means: "the pool admits Spot, and too few instance types are left to fall back from it",
    change: "admit more instance types in the pool",
    look: "types",
  },
  {
    id: "pod-nominated",
    phrases: ["Pod should schedule on"],
    means: "Karpenter expects the pod on this node; the kube-scheduler still decides",
  },
  // Disruption.
  {
    id: "node-not-disruptable",
    phrases: ["Cannot disrupt Node", "validating node for disruption,", "validating pod disruption,"],
    means: "the node may not be disrupted now",
    wraps: true,
  },
  {
    id: "budget-blocks",
    phrases: ["No allowed disruptions"],
    means: "a disruption budget of the pool is 0 now, so Karpenter disrupts none of its nodes for that reason",
    change: "wait for the window of the budget, or raise `nodes` of the budget; `anp simulate` shows the hours",
    look: "budgets",
  },
  {
    id: "pod-do-not-disrupt",
    phrases: [["Pod ", 'has "karpenter.sh/do-not-disrupt" annotation']],
    means: "a pod of the node has the annotation karpenter.sh/do-not-disrupt, so the node does not go",
    change: "remove the annotation from the pod; for drift, `terminationGracePeriod` of the pool ends the wait",
    look: ["pod", DRAIN_ENDS],
  },
  {
    id: "node-do-not-disrupt",
    phrases: ["disruption is blocked through the"],
    means: "the node has the annotation karpenter.sh/do-not-disrupt, of its own or from the template of its pool",
    change: "remove the annotation from the node, and from the template of the pool",
    look: [
      { of: "node", fields: ['metadata.annotations["karpenter.sh/do-not-disrupt"]'] },
      { of: "pool", fields: ['spec.template.metadata.annotations["karpenter.sh/do-not-disrupt"]'] },
    ],
  },
  {
    id: "pdb-blocks",
    phrases: [["pdb", "prevents pod evictions"]],
    means: "a PodDisruptionBudget allows no eviction of a pod on the node now, so the node does not go",
    change:
      "raise `maxUnavailable`, lower `minAvailable`, or run more replicas; for drift, `terminationGracePeriod` of the pool ends the wait",
    look: ["pod-budgets", DRAIN_ENDS],
  },
  {
    id: "several-pdbs",
    phrases: ["eviction does not support multiple PDBs"],
    means: "two PodDisruptionBudgets select one pod, and Kubernetes evicts no such pod",
    change: "let only one PodDisruptionBudget select the pod",
    look: "pod-budgets",
  },
  {
    id: "node-nominated",
    phrases: ["node is nominated for a pending pod"],
    means: "a pending pod is expected on the node, so the node does not go now",
  },
  {
    id: "node-not-initialized",
    phrases: [
      "node isn't initialized",
      "node isn't initialized nor registered",
      "nodeclaim does not have an associated node",
      "doesn't contain both a node and a nodeclaim",
    ],
    means: "the node is not up yet, so Karpenter does not disrupt it",
    change: "if it lasts, look at the conditions Registered and Initialized of the NodeClaim",
  },
  {
    id: "node-is-going",
    phrases: [
      "node is deleting or marked for deletion",
      "node is marked for deletion",
      "candidate is already being disrupted",
      "node is rebooting",
    ],
    means: "the node is already being removed, replaced or restarted",
    look: { of: "node", fields: ["metadata.deletionTimestamp"] },
  },
  {
    id: "node-not-of-karpenter",
    phrases: ["node isn't managed by karpenter", "node doesn't have required label"],
    means: "Karpenter did not make the node, or its label karpenter.sh/nodepool is gone",
    look: { of: "node", fields: ['metadata.labels["karpenter.sh/nodepool"]'] },
  },
  {
    id: "pool-not-found",
    phrases: ["NodePool not found", ['NodePool "', '" not found']],
    means: "the pool of the node is gone, or has no instance types",
    change: "apply the NodePool again, or delete its NodeClaims",
    look: { of: "pool", fields: ["metadata.name"] },
  },
  {
    id: "type-not-found",
    phrases: [['Instance Type "', '" not found']],
    means:
      "the pool no longer admits the instance type of the node, or the cloud no longer has it: without its price Karpenter does not consolidate the node",
    look: "types",
  },
  {
    id: "node-label-missing",
    phrases: ["Node does not have label"],
    means: "a label is missing on the node, without which Karpenter cannot compare prices",
    change: "restore the label, or delete the node",
    look: { of: "node", fields: ["metadata.labels"] },
  },
  {
    id: "consolidation-off",
    phrases: [
      ["NodePool ", "has consolidation disabled"],
      ["NodePool ", "has non-empty consolidation disabled"],
    ],
    means: "`consolidateAfter: Never` of the pool turns consolidation off",
    change: "set a duration, if nodes are to be consolidated",
    look: { of: "pool", fields: ["spec.disruption.consolidateAfter", "spec.disruption.consolidationPolicy"] },
  },
  {
    id: "only-empty-consolidated",
    phrases: [["NodePool ", "has consolidation policy WhenEmpty, but node is not empty"]],
    means: "the pool consolidates only nodes without pods, and the node has some",
    change: "set `consolidationPolicy: WhenEmptyOrUnderutilized`, if nodes with pods may be replaced",
    look: { of: "pool", fields: ["spec.disruption.consolidationPolicy"] },
  },
  {
    id: "not-cheaper",
    phrases: ["Can't replace with a cheaper node"],
    means:
      "the pods of the node need a node, and none that is cheaper can take them: the normal state of a node that is used",
  },
  {
    id: "needs-more-nodes",
    phrases: ["Can't remove without creating"],
    means: "without this node, its pods would need several new nodes: Karpenter replaces a node by one at most",
  },
  {
    id: "spot-to-spot-off",
    phrases: ["SpotToSpotConsolidation is disabled", "Can't replace a spot node with a spot node"],
    means: "Karpenter replaces a Spot node by a cheaper Spot node only with its feature gate SpotToSpotConsolidation",
    change: "turn on the feature gate, if that is wanted",
  },
  {
    id: "spot-to-spot-few-types",
    phrases: ["SpotToSpotConsolidation requires"],
    means:
      "Karpenter replaces one Spot node by another only if enough cheaper types are left, because few types are interrupted often",
    change: "admit more instance types in the pool",
    look: "types",
  },
  {
    id: "price-filter",
    phrases: ["Filtering by price", "filtering instance types by price"],
    means: "no cheaper set of instance types satisfies the pool",
    wraps: true,
  },
  {
    id: "buffer-pods",
    phrases: [["Node ", "has buffer pods"]],
    means: "a CapacityBuffer holds the empty node",
  },
  {
    id: "pods-would-schedule",
    phrases: ["No Pod Scheduling Errors"],
    means: "the pods of the node would fit elsewhere; another reason keeps the node",
  },
  {
    id: "waits-for-node",
    phrases: ["would schedule against uninitialized"],
    means: "the pods would go to a node that is not up yet: Karpenter waits for it",
  },
  {
    id: "consolidation-candidate",
    phrases: ["Consolidation candidate:", [">= threshold", "disruption"]],
    means: "Karpenter has found a cheaper arrangement for this node, and validates it",
  },
  {
    id: "consolidation-rejected",
    phrases: ["Consolidation rejected:"],
    means:
      "the arrangement no longer held when Karpenter validated it, for the reason in the message: budget, scheduling or churn of pods",
  },
  {
    id: "validation-failed",
    phrases: [
      "candidates are no longer valid",
      "failed validation because",
      "a candidate was nominated during validation",
      "can no longer be disrupted without violating budgets",
      "scheduling simulation produced new results",
    ],
    means: "pods, nodes or budgets changed while Karpenter validated a disruption; it tries again",
  },
  {
    id: "disrupting",
    phrases: ["Disrupting Node:", "Disrupting NodeClaim:", "Launching NodeClaim:"],
    means: "Karpenter replaces or removes the node for the reason in the message",
  },
  {
    id: "replacement-not-ready",
    phrases: ["Waiting on readiness to continue disruption"],
    means: "the old node stays until the new one is ready",
    change: "if it lasts, look at the conditions of the new NodeClaim",
  },
  {
    id: "repair-unhealthy-share",
    phrases: [
      ["of nodes in nodepool", "are unhealthy"],
      "nodes are unhealthy in the nodepool",
      "nodes are unhealthy in the cluster",
    ],
    means: "too many nodes are unhealthy at once, so Karpenter repairs none: the cause is probably not the nodes",
    change: "look for a common cause, such as the network, the image or a DaemonSet",
  },
  {
    id: "repair-without-pool",
    phrases: ["repair requires a NodePool"],
    means: "the node has no pool, so Karpenter cannot replace it",
  },
  {
    id: "repair-blocked",
    phrases: ["repair is blocked through the"],
    means: "an annotation of the node forbids its repair",
    change: "remove the annotation",
    look: { of: "node", fields: ['metadata.annotations["karpenter.sh/do-not-repair"]'] },
  },
  {
    id: "repair-waits-for-pods",
    phrases: ["repair requires a termination grace period"],
    means: "pods of the unhealthy node may not be evicted, and no time limit ends the wait",
    change: "set `terminationGracePeriod` in the template of the pool",
    look: DRAIN_ENDS,
  },
  {
    id: "static-at-limit",
    phrases: ["static NodePool is at its node limit"],
    means: "a replacement would come before the old node goes, and `spec.limits.nodes` leaves no room for it",
    change: "raise `spec.limits.nodes` above `spec.replicas`",
    look: { of: "pool", fields: ["spec.limits.nodes", "spec.replicas"] },
  },
  {
    id: "static-reservations-full",
    phrases: ["static NodePool's capacity reservations are full"],
    means: "a replacement would come before the old node goes, and the capacity reservations have no room for it",
    change: "enlarge the reservation, or admit other capacity types",
    look: { of: "class", fields: ["spec.capacityReservationSelectorTerms"] },
  },
  // The end of nodes.
  {
    id: "drain-failed",
    phrases: ["Failed to drain node"],
    means: "pods still hold the node that goes",
    wraps: true,
  },
  {
    id: "pods-not-evicted",
    phrases: ["pods are waiting to be evicted"],
    means: "the node goes when these pods are gone; PodDisruptionBudgets and grace periods hold them",
    change: "`terminationGracePeriod` of the pool limits the time",
    look: DRAIN_ENDS,
  },
  {
    id: "eviction-refused",
    phrases: ["evicting pod violates a PDB"],
    means: "a PodDisruptionBudget refuses the eviction of the pod, so the drain waits",
    change:
      "raise `maxUnavailable`, lower `minAvailable`, or run more replicas; `terminationGracePeriod` of the pool limits the time",
    look: ["pod-budgets", DRAIN_ENDS],
  },
  {
    id: "volumes-attached",
    phrases: ["Awaiting deletion of bound volumeattachments"],
    means: "the node goes when its volumes are detached",
    change: "if it lasts, look at the CSI driver of the volumes",
  },
  {
    id: "pods-deleted-at",
    phrases: ["All pods will be deleted by", "Deleting the pod to accommodate the terminationTime"],
    means:
      "`terminationGracePeriod` of the pool ends: pods are deleted, whatever PodDisruptionBudgets and annotations say",
    look: { of: "pool", fields: ["spec.template.spec.terminationGracePeriod", "spec.template.spec.expireAfter"] },
  },
  {
    id: "pod-evicted",
    phrases: ["Evicted pod:"],
    means: "the node of the pod goes, for the reason in the message",
  },
  {
    id: "annotation-invalid",
    phrases: ["Invalid karpenter.sh/do-not-disrupt annotation"],
    means:
      "Karpenter ignores the annotation, because its value is neither true nor a duration: the pod protects nothing",
    change: 'write "true", or a duration such as "30m", if this Karpenter knows durations',
    look: "pod",
  },
  {
    id: "annotation-ends",
    phrases: ["do-not-disrupt grace period will elapse at", "do-not-disrupt grace period has elapsed"],
    means: "the pod protects its node only until the time that its annotation sets",
    look: "pod",
  },
  // The start of nodes.
  {
    id: "launch-failed",
    phrases: [
      "failed launching nodeclaim",
      "launching nodeclaim,",
      ["NodeClaim ", "nominated for this pod failed to launch"],
      ["NodeClaim ", " event:"],
    ],
    means: "the launch of a node failed",
    wraps: true,
  },
  {
    id: "insufficient-capacity",
    phrases: [
      "insufficient capacity,",
      "InsufficientInstanceCapacity",
      "UnfulfillableCapacity",
      "all requested instance types were unavailable during launch",
      "no capacity offerings are currently available given the constraints",
    ],
    means:
      "EC2 has none of the instance types that were asked for, in the zones and capacity types that were admitted; Karpenter leaves them out for some minutes and tries others",
    change: "admit more instance types, zones and capacity types in the pool",
    look: "types",
  },
  {
    id: "quota-reached",
    phrases: ["MaxSpotInstanceCountExceeded", "VcpuLimitExceeded", "MaxFleetCountExceeded"],
    means: "a quota of the AWS account is reached",
    change: "raise the quota in AWS; the pool is not the cause",
  },
  {
    id: "type-not-in-zone",
    phrases: ["Unsupported:", "Unsupported - "],
    means: "EC2 does not offer the instance type in that zone, or not with these settings",
    change: "exclude the zone or the instance type in the pool",
    look: "types",
  },
  {
    id: "subnet-full",
    phrases: ["InsufficientFreeAddressesInSubnet"],
    means: "the subnet has too few free addresses",
    change: "select larger or more subnets in the node class",
    look: { of: "class", fields: ["spec.subnetSelectorTerms"] },
  },
  {
    id: "spot-price",
    phrases: ["SpotMaxPriceTooLow"],
    means: "the Spot price is above the price that was offered",
  },
  {
    id: "reservation-full",
    phrases: ["ReservationCapacityExceeded", "InvalidCapacityReservationState"],
    means: "the capacity reservation is full or no longer active",
    change: "enlarge or renew the reservation, or admit on-demand beside reserved",
    look: { of: "class", fields: ["spec.capacityReservationSelectorTerms"] },
  },
  {
    id: "placement-group-full",
    phrases: ["limit of instances in this spread placement group"],
    means: "a spread placement group takes seven instances in a zone",
    change: "use another placement strategy, or more zones",
    look: { of: "class", fields: ["spec.placementGroupSelector"] },
  },
  {
    id: "types-cut",
    phrases: ["truncating instance types based on the passed-in requirements"],
    means: "the cheapest types that Karpenter passes to EC2 have too few values for `minValues`",
    change: "lower `minValues`",
    look: "min-values",
    wraps: true,
  },
  {
    id: "not-authorized",
    phrases: ["UnauthorizedOperation", "Controller isn't authorized to call"],
    means: "the IAM role of Karpenter's controller lacks a permission",
    change: "add the permission that the message names to the role of the controller",
  },
  {
    id: "spot-role-missing",
    phrases: ["ServiceLinkedRoleCreationNotPermitted", "Attempted to launch a spot instance but failed due to"],
    means: "the account has no service-linked role for Spot, and Karpenter may not create it",
    change: "run `aws iam create-service-linked-role --aws-service-name spot.amazonaws.com` once",
  },
  {
    id: "requests-throttled",
    phrases: ["RequestLimitExceeded"],
    means: "AWS limits the number of requests; Karpenter tries again",
  },
  {
    id: "launch-template-failed",
    phrases: [
      "getting launch template configs",
      "getting subnets",
      "launch templates not found when creating fleet request",
      "creating fleet request",
    ],
    means: "EC2 refused the launch template or the request of the node class",
    change: "the rest of the message is the answer of EC2",
    look: { of: "class", fields: ["metadata.name"] },
    wraps: true,
  },
  {
    id: "class-not-ready",
    phrases: ["NodeClassRef not ready", "nodeclass is in Ready=Unknown", "Node Class Readiness Unknown"],
    means: NODE_CLASS_READY,
    change: "look at the conditions of the node class",
    look: { of: "class", fields: ["metadata.name"] },
    wraps: true,
  },
  {
    id: "class-not-current",
    phrases: ["nodeclass status has not been reconciled against the latest spec"],
    means: "Karpenter has not yet looked at the last change of the node class; it tries again",
  },
  {
    id: "class-not-found",
    phrases: [
      "Failed resolving NodeClass",
      "resolving nodeclass,",
      "NodeClass not found on cluster",
      "NodeClass is Terminating",
    ],
    means: "the node class of the pool does not exist, or is being deleted",
    change: "create it, or correct `nodeClassRef` of the pool",
    look: { of: "pool", fields: ["spec.template.spec.nodeClassRef"] },
  },
  {
    id: "subnets-not-found",
    phrases: ["SubnetSelector did not match any Subnets", "SubnetsReady=False"],
    means: `no subnet matches the terms of the node class: ${NODE_CLASS_READY}`,
    change: "correct the terms, or the tags of the subnets in AWS",
    look: { of: "class", fields: ["spec.subnetSelectorTerms"] },
  },
  {
    id: "security-groups-not-found",
    phrases: [
      "SecurityGroupSelector did not match any SecurityGroups",
      "SecurityGroupsReady=False",
      "no security groups are present in the status",
    ],
    means: `no security group matches the terms of the node class: ${NODE_CLASS_READY}`,
    change: "correct the terms, or the tags of the security groups in AWS",
    look: { of: "class", fields: ["spec.securityGroupSelectorTerms"] },
  },
  {
    id: "images-not-found",
    phrases: ["AMISelector did not match any AMIs", "AMIsReady=False", "UnsupportedAlias"],
    means: `no image matches the terms of the node class: ${NODE_CLASS_READY}`,
    change: "correct the terms; an alias exists only for families and versions that AWS publishes",
    look: { of: "class", fields: ["spec.amiSelectorTerms", "spec.amiFamily"] },
  },
  {
    id: "instance-profile-missing",
    phrases: [["Instance profile ", " not found"], "InstanceProfileReady=False", "InstanceProfileNotFound"],
    means: `the instance profile of the node class does not exist: ${NODE_CLASS_READY}`,
    change: "create the profile, or correct `role` or `instanceProfile` of the node class",
    look: { of: "class", fields: ["spec.role", "spec.instanceProfile"] },
  },
  {
    id: "reservations-not-resolved",
    phrases: ["CapacityReservationsReady=False"],
    means: `the capacity reservations of the node class could not be read: ${NODE_CLASS_READY}`,
    look: { of: "class", fields: ["spec.capacityReservationSelectorTerms"] },
  },
  {
    id: "placement-group-not-found",
    phrases: [["Placement group ", " not found"], "Failed to resolve placement group", "PlacementGroupReady=False"],
    means: `the placement group of the node class does not exist: ${NODE_CLASS_READY}`,
    change: "create it, or correct the selector",
    look: { of: "class", fields: ["spec.placementGroupSelector"] },
  },
  {
    id: "class-waits",
    phrases: [
      "Awaiting AMI, Instance Profile, Security Group, and Subnet resolution",
      "SubnetsReady=Unknown",
      "SecurityGroupsReady=Unknown",
      "AMIsReady=Unknown",
      "InstanceProfileReady=Unknown",
      "CapacityReservationsReady=Unknown",
      "PlacementGroupReady=Unknown",
      "ValidationSucceeded=Unknown",
    ],
    means: "Karpenter has not yet decided about the node class, or waits for another of its conditions",
    change: "look at the other conditions of the node class",
    look: { of: "class", fields: ["metadata.name"] },
    wraps: true,
  },
  {
    id: "class-invalid",
    phrases: ["ValidationSucceeded=False", "no compatible launch templates created", "TagValidationFailed"],
    means: `the validation of the node class failed: ${NODE_CLASS_READY}`,
    change: "look at the message of its condition ValidationSucceeded",
    look: { of: "class", fields: ["spec.tags", "spec.kubelet", "spec.userData"] },
  },
  {
    id: "kubelet-invalid",
    phrases: [
      "InvalidKubeletConfiguration",
      "UnsupportedKubeletConfiguration",
      "KubeletExpression",
      "spec.kubelet",
      "kubelet expressions are disabled",
      "NodeClassCEL feature gate is disabled",
    ],
    means: `Karpenter refuses the kubelet settings of the node class: ${NODE_CLASS_READY}`,
    change: "correct the field that the message names",
    look: { of: "class", fields: ["spec.kubelet"] },
  },
  {
    id: "user-data-too-large",
    phrases: ["rejected the rendered user data as too large", "UserDataSizeLimitExceeded"],
    means: `the user data exceeds what EC2 takes: ${NODE_CLASS_READY}`,
    change: "shorten the user data, or load a part of it at boot",
    look: { of: "class", fields: ["spec.userData"] },
  },
  {
    id: "gpu-sharing-refused",
    phrases: ["DRANVIDIAGPU feature gate is disabled", "NVIDIAConsumableCapacityInvalid"],
    means: `an annotation of the node class asks for GPU sharing that Karpenter refuses: ${NODE_CLASS_READY}`,
    change: "correct the annotation, or turn on the feature gate",
    look: { of: "class", fields: ["metadata.annotations"] },
  },
  {
    id: "cluster-cidr-unknown",
    phrases: ["Failed to detect the cluster CIDR"],
    means: `images of AL2023 need the cluster's service CIDR, which Karpenter could not read: ${NODE_CLASS_READY}`,
    change: "allow eks:DescribeCluster to the role of the controller",
    look: { of: "class", fields: ["spec.amiSelectorTerms", "spec.amiFamily"] },
  },
  {
    id: "launch-timeout",
    phrases: [
      "terminating due to timeout",
      "launch_timeout",
      "registration_timeout",
      "terminating due to registration ttl",
    ],
    means:
      "Karpenter deleted the NodeClaim: no instance was launched within 5 minutes, or no node registered within 15",
    change:
      "for launches look at the events of the NodeClaim; for registration at the user data, role and network of the node class",
    look: { of: "class", fields: ["spec.amiFamily", "spec.userData", "spec.role"] },
  },
  {
    id: "registration-failed",
    phrases: ["Failed to register node", "Node not registered with cluster"],
    means: "the instance runs, and its kubelet has not joined the cluster",
    change:
      "look at the user data, role, security groups and network of the node class, and at the log of the instance",
    look: { of: "class", fields: ["spec.amiFamily", "spec.userData", "spec.role"] },
  },
  {
    id: "unregistered-taint-missing",
    phrases: [
      ["Missing ", " taint which prevents registration related race conditions"],
      "missing taint prevents registration-related race conditions",
    ],
    means:
      "the node joined without the taint karpenter.sh/unregistered, so pods may land on it before Karpenter has set it up",
    change: "with own images or user data, register the kubelet with the taint karpenter.sh/unregistered:NoExecute",
    look: { of: "class", fields: ["spec.amiFamily", "spec.userData"] },
  },
  {
    id: "startup-taint-left",
    phrases: [["StartupTaint ", " still exists"]],
    means: "the node is not initialized until something removes its startup taint, as a DaemonSet should",
    change: "install what removes the taint, or remove it from `startupTaints` of the pool",
    look: [
      { of: "node", fields: ["spec.taints"] },
      { of: "pool", fields: ["spec.template.spec.startupTaints"] },
    ],
  },
  {
    id: "ephemeral-taint-left",
    phrases: [["KnownEphemeralTaint ", " still exists"], "Node status is NotReady"],
    means: "Kubernetes does not yet call the node ready",
    change: "if it lasts, look at the network plugin and the kubelet of the node",
    look: { of: "node", fields: ["spec.taints"] },
  },
  {
    id: "resource-not-registered",
    phrases: ["was requested but not registered", "has not published a complete resource pool"],
    means: "a device plugin or driver has not yet registered the resource on the node",
    change: "install the device plugin or driver for these nodes, and look at its pods",
  },
  {
    id: "several-nodes",
    phrases: ["matched multiple nodes"],
    means: "two nodes claim the same instance",
  },
  {
    id: "node-smaller-than-expected",
    phrases: [["of resource ", "% of expected)"]],
    means: "the node has less than 90 % of what Karpenter expected of its instance type",
    change:
      "look at `kubelet` and `blockDeviceMappings` of the node class, and at Karpenter's setting vmMemoryOverheadPercent",
    look: { of: "class", fields: ["spec.kubelet", "spec.blockDeviceMappings"] },
  },
  {
    id: "rebooted",
    phrases: ["New boot observed"],
    means: "Karpenter restarted the unhealthy node, and waits until it is ready",
  },
  {
    id: "reboot-failed",
    phrases: [
      "invalid reboot request",
      "reboot not implemented by the cloud provider",
      "reboot rejected by the cloud provider",
      "node did not recover within the observation window",
      "reboot was not issued within the issuance timeout",
    ],
    means: "the restart of the unhealthy node failed; unless the request was invalid, Karpenter replaces the node",
  },
  // The AWS provider.
  {
    id: "class-in-use",
    phrases: ["Waiting on NodeClaim termination for"],
    means: "the node class is being deleted, and stays until its NodeClaims are gone",
    change: "move the pools to another class, or delete them",
  },
  {
    id: "spot-interrupted",
    phrases: ["Spot interruption warning was triggered"],
    means: "EC2 takes the Spot instance back in two minutes; Karpenter drains it and replaces it at once",
    change: "if it is frequent, admit more instance types and zones",
  },
  {
    id: "reservation-interrupted",
    phrases: ["Capacity Reservation interruption warning was triggered"],
    means: "EC2 takes the instance back, because its capacity reservation ends",
  },
  {
    id: "spot-rebalance",
    phrases: ["Spot rebalance recommendation was triggered"],
    means: "EC2 expects to take the Spot instance back; Karpenter only reports it",
  },
  {
    id: "instance-ends",
    phrases: [
      "Instance is stopping",
      "Instance is terminating",
      "An unhealthy warning was triggered for the instance",
      "Interruption triggered termination for the",
    ],
    means: "EC2 or a person ends the instance, and Karpenter drains its node",
  },
  {
    id: "zone-shifted",
    phrases: ["Zonal shift detected", "is in zonally shifted availability zone"],
    means: "a zonal shift of AWS excludes the zone: the pool gets no nodes there until it ends",
    look: "types",
  },
  {
    id: "zone-restored",
    phrases: ["Zonal shift cleared"],
    means: "the zonal shift is over: the pool gets nodes in the zone again",
  },
];
