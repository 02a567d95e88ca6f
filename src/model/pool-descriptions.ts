/** What is told of the fields of policies, pools and NodeClaims, by the end of a field's path. */

/** Of every kind. */
const COMMON = {
  apiVersion: "The API group and version of the object.",
  kind: "The kind of the object.",
  metadata: "The object's name, labels and annotations.",
  spec: "What is wanted.",
  status: "What was last seen. Controllers write it.",
  "status.conditions": "Whether the object is ready, and what it waits for.",
  "conditions.type": "What the condition speaks of, such as Ready.",
  "conditions.status": "Whether it holds.",
  "conditions.lastTransitionTime": "When status changed last.",
  "conditions.observedGeneration": "The generation of the object that was looked at.",
  "conditions.reason": "Why, in one word for programs.",
  "conditions.message": "Why, in words for people.",
} as const;

const REQUIREMENTS = {
  requirements: "What the labels of a node have to be. All entries hold together.",
  "requirements.key": "The label, such as karpenter.sh/capacity-type.",
  "requirements.operator": "How the label's value relates to values.",
  "requirements.values":
    "One or more for In, any number for NotIn, one whole number for Gt, Lt, Gte and Lte; none for Exists and DoesNotExist.",
  "requirements.minValues": "So many different values of the label, or more, have to be left to choose from.",
} as const;

const POLICY = {
  "AutoNodePolicy.spec": "What the service provider allows. The object must be named default to be recognised.",
  "AutoNodePolicy.spec.nodePoolDefaults": "Defaults and restrictions for all NodePools.",
  "nodePoolDefaults.requirements": "Put before the requirements of every OpenshiftNodePool. Empty allows everything.",
  "AutoNodePolicy.spec.ec2NodeClassDefaults": "Defaults and restrictions for all EC2NodeClasses.",
  "ec2NodeClassDefaults.rootVolume": "Replaces the root volume of every EC2NodeClass.",
  "rootVolume.volumeSize": "The size, in Gi, G, Ti or T, such as 75Gi.",
  "rootVolume.volumeType": "The EBS volume type, such as gp3, in any case of its letters.",
  "rootVolume.encrypted": "Whether EBS encrypts the volume.",
  "rootVolume.iops": "Operations a second, for the types that take a number of them.",
  "rootVolume.throughput": "MiB a second, for gp3.",
} as const;

const TEMPLATE = {
  "spec.template": "What each node of the pool is made from.",
  "template.metadata": "Labels and annotations of the nodes.",
  "template.metadata.labels": "Put on every node of the pool.",
  "template.metadata.annotations": "Put on every node of the pool.",
  "template.spec": "What the NodeClaims of the pool ask for.",
  nodeClassRef: "The node class that says what the nodes are made of.",
  "nodeClassRef.group": "The API group of the node class, without a version.",
  "nodeClassRef.kind": "The kind of the node class.",
  "nodeClassRef.name": "The name of the node class.",
  taints: "Keep away all pods that do not tolerate them.",
  "taints.key": "The name of the taint.",
  "taints.value": "The value of the taint.",
  "taints.effect": "What becomes of pods that do not tolerate it.",
  "taints.timeAdded": "When it was put there.",
  startupTaints: "Taints that nodes begin with, and something else takes away, such as a daemon that has started.",
  "startupTaints.key": "The name of the taint.",
  "startupTaints.value": "The value of the taint.",
  "startupTaints.effect": "What becomes of pods that do not tolerate it.",
  "startupTaints.timeAdded": "When it was put there.",
  expireAfter: "Nodes are replaced when they are so old. Never turns that off.",
  terminationGracePeriod: "How long a node that goes waits for its pods, whatever holds them. No bound when left out.",
} as const;

const POOL = {
  "spec.disruption": "When Karpenter may take nodes away by itself.",
  "disruption.budgets": "How many nodes may go at once. Of those in force the lowest counts.",
  "budgets.nodes": 'A number of nodes, or a percentage of the pool, as text: "5" or "10%".',
  "budgets.reasons": "Holds for these reasons only; for all when left out.",
  "budgets.schedule":
    "When the budget comes into force: a cron expression in UTC, or @daily and the like. With duration.",
  "budgets.duration": "For how long it stays in force, in hours and minutes. With schedule.",
  "disruption.consolidateAfter":
    "How long a node's pods have to stay the same before it may be consolidated. Never turns that off.",
  "disruption.consolidationPolicy": "Which nodes may be consolidated.",
  "disruption.nodeLimitMode":
    "Whether limits.nodes also holds back graceful disruption (Hard) or only provisioning (Soft).",
  "spec.limits": "What all nodes of the pool may have together, by resource. At it Karpenter makes no more.",
  "spec.weight": "Of several pools that fit a pod, the one with the highest weight is taken. 0 when left out.",
  "spec.replicas": "A fixed number of nodes, whether or not pods wait for them.",
  "status.nodeClassObservedGeneration": "The generation of the node class that was looked at.",
  "status.nodes": "How many nodes the pool has.",
  "status.resources": "What all nodes of the pool have together.",
} as const;

const NODE_CLAIM = {
  "NodeClaim.spec.resources": "What the pods need that the node is made for.",
  "resources.requests": "Amounts by resource.",
  "status.allocatable": "What the node leaves for pods, by resource.",
  "status.capacity": "What the node has, by resource.",
  "status.imageID": "The image that the node runs.",
  "status.lastPodEventTime": "When a pod last came to the node or left it.",
  "status.nodeName": "The name of the Node.",
  "status.providerID": "The instance, as the cloud names it.",
} as const;

export const POOL_DESCRIPTIONS = { ...COMMON, ...REQUIREMENTS, ...POLICY, ...TEMPLATE, ...POOL, ...NODE_CLAIM };
