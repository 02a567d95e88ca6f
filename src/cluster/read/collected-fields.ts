/** The fields of an object that decide where pods run, without what may be secret. */
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { type Fields, fieldsOf, isFields, listOf } from "../../krm/values/fields.ts";

/**
 * Fields are listed, so that a field of a later Kubernetes is left out until it is known: environments, commands and
 * volumes of containers, user data, parameters of volumes, and annotations of other programs may hold secrets.
 */
export function collectedFields(resource: Resource): Fields {
  const { apiVersion, kind, value } = resource;
  const fields = fieldsOf(value);
  const metadata = metadataOf(fields["metadata"]);
  if (kind.endsWith("NodeClass")) return { apiVersion, kind, metadata, ...partsOf(fields, withoutUserData) };
  const reduce = OF_KIND[`${groupOf(apiVersion)}/${kind}`];
  return reduce === undefined
    ? { apiVersion, kind, metadata, ...partsOf(fields, (spec) => spec) }
    : { apiVersion, kind, metadata, ...reduce(fields) };
}

type Reduce = (fields: Fields) => Fields;

const OF_KIND: Readonly<Record<string, Reduce>> = {
  "/Pod": (fields) => partsOf(fields, podSpec),
  "/Namespace": () => ({}),
  "/Node": ({ spec, status }) => ({
    spec: some(spec, ["providerID", "taints", "unschedulable"]),
    status: some(status, ["allocatable", "capacity", "conditions", "nodeInfo"]),
  }),
  "/PersistentVolume": ({ spec }) => ({
    spec: {
      ...some(spec, [
        "accessModes",
        "capacity",
        "claimRef",
        "nodeAffinity",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "volumeMode",
      ]),
      ...part("csi", some(fieldsOf(spec)["csi"], ["driver"])),
      // Whether it is a volume of one node.
      ...Object.fromEntries(["hostPath", "local"].flatMap((of) => (of in fieldsOf(spec) ? [[of, {}]] : []))),
    },
  }),
  "/PersistentVolumeClaim": ({ spec, status }) => ({
    spec: some(spec, ["accessModes", "resources", "storageClassName", "volumeMode", "volumeName"]),
    status: some(status, ["phase"]),
  }),
  "apps/DaemonSet": ({ spec }) => ({
    spec: { ...some(spec, ["selector"]), template: templateOf(fieldsOf(spec)["template"]) },
  }),
  "apps/Deployment": ({ metadata, spec }) =>
    isKarpenter(metadata) ? { spec: { template: { spec: { containers: optionsOf(spec) } } } } : workload({ spec }),
  "apps/StatefulSet": workload,
  "apps/ReplicaSet": workload,
  "/ReplicationController": workload,
  "/PodTemplate": ({ template }) => ({ template: templateOf(template) }),
  "/Service": ({ spec }) => ({ spec: some(spec, ["selector"]) }),
  "storage.k8s.io/StorageClass": (fields) =>
    some(fields, ["allowedTopologies", "provisioner", "reclaimPolicy", "volumeBindingMode"]),
};

function partsOf({ spec, status }: Fields, reduce: Reduce): Fields {
  return { ...part("spec", reduce(fieldsOf(spec))), ...part("status", fieldsOf(status)) };
}

function part(name: string, fields: Fields): Fields {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

function some(value: unknown, names: readonly string[]): Fields {
  const fields = fieldsOf(value);
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])));
}

function metadataOf(value: unknown): Fields {
  const metadata = fieldsOf(value);
  const annotations = Object.entries(fieldsOf(metadata["annotations"])).filter(([key]) => ANNOTATION.test(key));
  return {
    ...some(metadata, ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "generation", "labels"]),
    ...part("annotations", Object.fromEntries(annotations)),
    ...some(metadata, ["finalizers", "ownerReferences"]),
  };
}

/** Those of Kubernetes, Karpenter and the platforms. kubectl's own has a copy of the whole object. */
const ANNOTATION =
  /^(?!kubectl\.)(?:[a-z0-9-]{1,63}\.){0,9}(?:kubernetes\.io|k8s\.io|karpenter\.sh|karpenter\.k8s\.aws|openshift\.io)\//;

function workload({ spec }: Fields): Fields {
  return { spec: { ...some(spec, ["replicas", "selector"]), template: templateOf(fieldsOf(spec)["template"]) } };
}

function isKarpenter(metadata: unknown): boolean {
  const { name, labels } = fieldsOf(metadata);
  return name === KARPENTER || fieldsOf(labels)["app.kubernetes.io/name"] === KARPENTER;
}

const KARPENTER = "karpenter";

function templateOf(template: unknown): Fields {
  const { metadata, spec } = fieldsOf(template);
  return { ...part("metadata", some(metadataOf(metadata), ["annotations", "labels"])), spec: podSpec(fieldsOf(spec)) };
}

const OF_POD = [
  "affinity",
  "hostNetwork",
  "nodeName",
  "nodeSelector",
  "os",
  "overhead",
  "preemptionPolicy",
  "priority",
  "priorityClassName",
  "resourceClaims",
  "resources",
  "restartPolicy",
  "runtimeClassName",
  "schedulerName",
  "schedulingGates",
  "terminationGracePeriodSeconds",
  "tolerations",
  "topologySpreadConstraints",
];

function podSpec(spec: Fields): Fields {
  const containers = (name: string): Fields => {
    const list = listOf(spec[name]).map((one) => some(one, ["name", "ports", "resources", "restartPolicy"]));
    return list.length === 0 ? {} : { [name]: list };
  };
  const volumes = listOf(spec["volumes"]).flatMap((volume): Fields[] => {
    const { name, persistentVolumeClaim, ephemeral, csi } = fieldsOf(volume);
    if (persistentVolumeClaim !== undefined) return [{ name, persistentVolumeClaim }];
    if (ephemeral !== undefined) return [{ name, ephemeral: claimTemplate(ephemeral) }];
    return csi === undefined ? [] : [{ name, csi: some(csi, ["driver"]) }];
  });
  return {
    ...some(spec, OF_POD),
    ...containers("initContainers"),
    ...containers("containers"),
    ...(volumes.length === 0 ? {} : { volumes }),
  };
}

function claimTemplate(ephemeral: unknown): Fields {
  const { spec } = fieldsOf(fieldsOf(ephemeral)["volumeClaimTemplate"]);
  return { volumeClaimTemplate: { spec: some(spec, ["accessModes", "resources", "storageClassName", "volumeMode"]) } };
}

function withoutUserData(spec: Fields): Fields {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !/(?:user|custom)data/i.test(name)));
}

/** Of Karpenter's own Deployment: the options that change its choices (model/settings/karpenter-options.ts). */
function optionsOf(spec: unknown): Fields[] {
  const template = fieldsOf(fieldsOf(spec)["template"]);
  return listOf(fieldsOf(template["spec"])["containers"]).map((container) => {
    const { name, env, args, command } = fieldsOf(container);
    const words = [...listOf(command), ...listOf(args)];
    const kept = words.filter((word, at) => isOption(word) || (isOption(words[at - 1]) && !isFlag(word)));
    const variables = listOf(env).filter((one) => isFields(one) && VARIABLE.test(String(one["name"])));
    return {
      name,
      ...(kept.length === 0 ? {} : { args: kept }),
      ...(variables.length === 0 ? {} : { env: variables.map((one) => some(one, ["name", "value"])) }),
    };
  });
}

const VARIABLE = /^(?:AWS_)?FEATURE_GATES$|^(?:MIN_VALUES|PREFERENCE)_POLICY$|^SCHEDULER_CONFIG$/;

function isOption(word: unknown): boolean {
  return (
    typeof word === "string" &&
    /^--?(?:(?:aws-)?feature-gates|(?:min-values|preference)-policy|scheduler-config)(?:=|$)/.test(word)
  );
}

function isFlag(word: unknown): boolean {
  return typeof word !== "string" || word.startsWith("-");
}
