/** Which fields of objects anp collect keeps, and that it keeps no secret. */
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Resource } from "../../krm/places/resource.ts";
import { collectedFields } from "./collected-fields.ts";

function collected(text: string): unknown {
  const value = parse(text) as { apiVersion: string; kind: string; metadata: { name: string } };
  return collectedFields({ ...value, name: value.metadata.name, value } as unknown as Resource);
}

/** A pod as an API server has it; `SECRET` is in every place that may hold one. */
const POD = `
apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  uid: u1
  labels: {app: web}
  managedFields: [{manager: SECRET}]
  annotations:
    karpenter.sh/do-not-disrupt: "true"
    controller.kubernetes.io/pod-deletion-cost: "5"
    kubectl.kubernetes.io/last-applied-configuration: SECRET
    vault.example.com/token: SECRET
    notkubernetes.io/token: SECRET
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: u2, controller: true}]
spec:
  nodeName: n1
  nodeSelector: {disk: ssd}
  serviceAccountName: SECRET
  imagePullSecrets: [{name: SECRET}]
  initContainers:
    - {name: init, image: SECRET, command: [SECRET], restartPolicy: Always, resources: {requests: {cpu: 1}}}
  containers:
    - name: main
      image: SECRET
      args: [SECRET]
      env: [{name: TOKEN, value: SECRET}]
      envFrom: [{secretRef: {name: SECRET}}]
      lifecycle: {preStop: {exec: {command: [SECRET]}}}
      livenessProbe: {httpGet: {httpHeaders: [{name: Authorization, value: SECRET}]}}
      ports: [{containerPort: 80, hostPort: 80}]
      resources: {requests: {cpu: 100m}}
  volumes:
    - {name: data, persistentVolumeClaim: {claimName: data}}
    - {name: scratch, ephemeral: {volumeClaimTemplate: {metadata: {annotations: {token: SECRET}}, spec: {storageClassName: gp3, selector: SECRET}}}}
    - {name: inline, csi: {driver: ebs.csi.aws.com, volumeAttributes: {token: SECRET}, nodePublishSecretRef: {name: SECRET}}}
    - {name: files, secret: {secretName: SECRET}}
  tolerations: [{operator: Exists}]
status: {phase: Running}
`;

it("keeps of a pod what decides where it runs", () => {
  expect(collected(POD)).toStrictEqual({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "web",
      namespace: "shop",
      uid: "u1",
      labels: { app: "web" },
      annotations: { "karpenter.sh/do-not-disrupt": "true", "controller.kubernetes.io/pod-deletion-cost": "5" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: "u2", controller: true }],
    },
    spec: {
      nodeName: "n1",
      nodeSelector: { disk: "ssd" },
      tolerations: [{ operator: "Exists" }],
      initContainers: [{ name: "init", resources: { requests: { cpu: 1 } }, restartPolicy: "Always" }],
      containers: [
        { name: "main", ports: [{ containerPort: 80, hostPort: 80 }], resources: { requests: { cpu: "100m" } } },
      ],
      volumes: [
        { name: "data", persistentVolumeClaim: { claimName: "data" } },
        { name: "scratch", ephemeral: { volumeClaimTemplate: { spec: { storageClassName: "gp3" } } } },
        { name: "inline", csi: { driver: "ebs.csi.aws.com" } },
      ],
    },
    status: { phase: "Running" },
  });
});

it.each([
  [
    "an EC2NodeClass",
    "{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: a}, spec: {role: r, userData: SECRET}}",
    { spec: { role: "r" } },
  ],
  [
    "HyperShift's wrapper of one",
    "{apiVersion: karpenter.hypershift.openshift.io/v1, kind: OpenshiftEC2NodeClass, metadata: {name: a}, spec: {userData: SECRET}}",
    {},
  ],
  [
    "a node class of another provider",
    "{apiVersion: karpenter.example.com/v1, kind: ExampleNodeClass, metadata: {name: a}, spec: {image: i, customData: SECRET}}",
    { spec: { image: "i" } },
  ],
  [
    "Karpenter's Deployment",
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: karpenter, annotations: {token: SECRET}}, spec: {template: {spec: {containers: [
      {name: controller, image: SECRET, args: [--token=SECRET, --feature-gates, NodeRepair=true, --preference-policy=Ignore, --token, SECRET],
       env: [{name: FEATURE_GATES, value: StaticCapacity=true}, {name: TOKEN, value: SECRET}, {name: MIN_VALUES_POLICY, valueFrom: {secretKeyRef: {name: SECRET}}}]}]}}}}`,
    {
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: "controller",
                args: ["--feature-gates", "NodeRepair=true", "--preference-policy=Ignore"],
                env: [{ name: "FEATURE_GATES", value: "StaticCapacity=true" }, { name: "MIN_VALUES_POLICY" }],
              },
            ],
          },
        },
      },
    },
  ],
  [
    "a volume",
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: {storageClassName: gp3, csi: {driver: d, volumeAttributes: {token: SECRET}, nodeStageSecretRef: {name: SECRET}}}}",
    { spec: { storageClassName: "gp3", csi: { driver: "d" } } },
  ],
  [
    "a volume of one node",
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: {volumeMode: Filesystem, local: {path: SECRET}}}",
    { spec: { volumeMode: "Filesystem", local: {} } },
  ],
  [
    "a storage class",
    "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: p, parameters: {token: SECRET}, volumeBindingMode: Immediate}",
    { provisioner: "p", volumeBindingMode: "Immediate" },
  ],
  [
    "a namespace",
    "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {t: x}}, status: {phase: Active}}",
    {},
  ],
  [
    "a DaemonSet",
    "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a}, spec: {template: {metadata: {labels: {a: b}, annotations: {token: SECRET}}, spec: {containers: [{name: c, env: [{name: T, value: SECRET}]}]}}}}",
    { spec: { template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c" }] } } } },
  ],
  [
    "a NodePool, whole",
    "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: a}, spec: {weight: 1}, status: {resources: {cpu: 1}}}",
    { spec: { weight: 1 }, status: { resources: { cpu: 1 } } },
  ],
])("leaves out what may be secret of %s", (_what, text, expected) => {
  const { spec, status, provisioner, volumeBindingMode } = collected(text) as Record<string, unknown>;
  const got = Object.entries({ spec, status, provisioner, volumeBindingMode }).filter(
    ([, value]) => value !== undefined,
  );
  expect(Object.fromEntries(got)).toStrictEqual(expected);
  expect(JSON.stringify(collected(text))).not.toContain("SECRET");
});

it("leaves out every secret of a pod", () => {
  expect(POD).toContain("SECRET");
  expect(JSON.stringify(collected(POD))).not.toContain("SECRET");
});
