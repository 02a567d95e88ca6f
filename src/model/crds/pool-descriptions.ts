/** Descriptions of the fields of policies, pools and NodeClaims, by the end of a field's path. */

/** Fields of every kind. */
const COMMON = {
  apiVersion: "The API group and version of the object.",
  kind: "The kind of the object.",
  metadata: "The object's name, labels and annotations.",
  spec: "The desired state.",
  status: "The observed state. Controllers write it.",
  "status.conditions": "Whether the object is ready, and what it waits for.",
  "conditions.type": "The aspect of the object, such as Ready.",
  "conditions.status": "Whether it holds.",
  "conditions.lastTransitionTime": "When status changed last.",
  "conditions.observedGeneration": "The generation of the object that the condition is about.",
  "conditions.reason": "The reason, in one word for programs.",
  "conditions.message": "The reason, in words for people.",
} as const;

const REQUIREMENTS = {
  requirements: "Requirements on the labels of a node. All entries must hold.",
  "requirements.key": "The label, such as karpenter.sh/capacity-type.",
  "requirements.operator": "How the label's value relates to values.",
  "requirements.values":
    "One or more for In, any number for NotIn, one whole number for Gt, Lt, Gte and Lte; none for Exists and DoesNotExist.",
  "requirements.minValues": "The minimum number of different values of the label that must be left to choose from.",
} as const;

const POLICY = {
  "AutoNodePolicy.spec": "The service provider's rules. The object must be named default to be recognised.",
  "AutoNodePolicy.spec.nodePoolDefaults": "Defaults and restrictions for all NodePools.",
  "nodePoolDefaults.requirements": "Put before the requirements of every OpenshiftNodePool. Empty allows everything.",
  "AutoNodePolicy.spec.ec2NodeClassDefaults": "Defaults and restrictions for all EC2NodeClasses.",
  "ec2NodeClassDefaults.rootVolume": "Replaces the root volume of every EC2NodeClass.",
  "rootVolume.volumeSize": "The size, in Gi, G, Ti or T, such as 75Gi.",
  "rootVolume.volumeType": "The EBS volume type, such as gp3, in any case of its letters.",
  "rootVolume.encrypted": "Whether EBS encrypts the volume.",
  "rootVolume.iops": "Operations a second, for volume types with a settable number.",
  "rootVolume.throughput": "MiB a second, for gp3.",
} as const;

const TEMPLATE = {
  "spec.template": "The template of the pool's nodes.",
  "template.metadata": "Labels and annotations of the nodes.",
  "template.metadata.labels": "Set on every node of the pool.",
  "template.metadata.annotations": "Set on every node of the pool.",
  "template.spec": "The spec of the pool's NodeClaims.",
  nodeClassRef: "The node class of the nodes.",
  "nodeClassRef.group": "The API group of the node class, without a version.",
  "nodeClassRef.kind": "The kind of the node class.",
  "nodeClassRef.name": "The name of the node class.",
  taints: "Keep away all pods that do not tolerate them.",
  "taints.key": "The name of the taint.",
  "taints.value": "The value of the taint.",
  "taints.effect": "The effect on pods that do not tolerate it.",
  "taints.timeAdded": "When it was added.",
  startupTaints: "Initial taints, which another component removes, such as a daemon that has started.",
  "startupTaints.key": "The name of the taint.",
  "startupTaints.value": "The value of the taint.",
  "startupTaints.effect": "The effect on pods that do not tolerate it.",
  "startupTaints.timeAdded": "When it was added.",
  expireAfter: "Nodes are replaced when they reach this age. Never turns that off.",
  terminationGracePeriod:
    "How long a terminating node waits for its pods, even for those that block eviction. No bound when left out.",
} as const;

const POOL = {
  "spec.disruption": "When Karpenter may remove nodes on its own.",
  "disruption.budgets": "How many nodes may be disrupted at once. The lowest of the active budgets counts.",
  "budgets.nodes": 'A number of nodes, or a percentage of the pool, as text: "5" or "10%".',
  "budgets.reasons": "Applies to these reasons only; to all when left out.",
  "budgets.schedule":
    "When the budget becomes active: a cron expression in UTC, or @daily and the like. Requires duration.",
  "budgets.duration": "How long it stays active, in hours and minutes. Requires schedule.",
  "disruption.consolidateAfter":
    "How long a node's pods must stay the same before it may be consolidated. Never turns that off.",
  "disruption.consolidationPolicy": "Which nodes may be consolidated.",
  "disruption.nodeLimitMode":
    "Whether limits.nodes also holds back graceful disruption (Hard) or only provisioning (Soft).",
  "spec.limits": "The maximum of all nodes of the pool together, by resource. Karpenter adds no nodes beyond it.",
  "spec.weight": "If several pools fit a pod, Karpenter takes the one with the highest weight. 0 when left out.",
  "spec.replicas": "A fixed number of nodes, whether or not pods wait for them.",
  "status.nodeClassObservedGeneration": "The generation of the node class that was observed.",
  "status.nodes": "How many nodes the pool has.",
  "status.resources": "The resources of all nodes of the pool together.",
} as const;

const NODE_CLAIM = {
  "NodeClaim.spec.resources": "The resources that the node's pods need.",
  "resources.requests": "Amounts by resource.",
  "status.allocatable": "The resources of the node that pods can use.",
  "status.capacity": "The resources of the node.",
  "status.imageID": "The image that the node runs.",
  "status.lastPodEventTime": "When a pod last came to the node or left it.",
  "status.nodeName": "The name of the Node.",
  "status.providerID": "The id of the instance at the cloud provider.",
} as const;

export const POOL_DESCRIPTIONS = { ...COMMON, ...REQUIREMENTS, ...POLICY, ...TEMPLATE, ...POOL, ...NODE_CLAIM };
