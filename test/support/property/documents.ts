/** Converts a scenario to Kubernetes objects, and objects to one stream or to files of a directory. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Pool, Scenario, UserData } from "./scenario.ts";
import { NAMESPACE } from "./scenario.ts";

type KubeObject = Readonly<Record<string, unknown>>;

const GROUP = "karpenter.hypershift.openshift.io";

export function objectsOf(scenario: Scenario): KubeObject[] {
  const { policy, pools, nodeClasses, userData, hostedControlPlane, config } = scenario;
  const namespaced = (name: string) => ({ name, namespace: NAMESPACE });
  return [
    ...(policy === undefined
      ? []
      : [
          {
            apiVersion: `${GROUP}/v1beta1`,
            kind: "AutoNodePolicy",
            metadata: namespaced("default"),
            spec: specOf(policy),
          },
        ]),
    ...pools.map(poolObject),
    ...nodeClasses.map(({ name, spec }) => ({
      apiVersion: `${GROUP}/v1`,
      kind: "OpenshiftEC2NodeClass",
      metadata: { name },
      spec,
    })),
    ...userData.map(secret),
    ...(hostedControlPlane === undefined
      ? []
      : [
          {
            apiVersion: "hypershift.openshift.io/v1beta1",
            kind: "HostedControlPlane",
            metadata: namespaced("shop"),
            spec: hostedControlPlane,
          },
        ]),
    {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      metadata: { name: "render" },
      spec: config,
    },
  ];
}

function specOf({ requirements, rootVolume }: NonNullable<Scenario["policy"]>) {
  return {
    ...(requirements === undefined ? {} : { nodePoolDefaults: { requirements } }),
    ...(rootVolume === undefined ? {} : { ec2NodeClassDefaults: { rootVolume } }),
  };
}

function poolObject({ name, requirements, labels, template, rest }: Pool): KubeObject {
  const metadata = Object.keys(labels).length === 0 ? {} : { metadata: { labels } };
  const spec = { ...template, ...(requirements === undefined ? {} : { requirements }) };
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name },
    spec: { template: { ...metadata, spec }, ...rest },
  };
}

function secret({ nodeClass, text, encoded }: UserData): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: `user-data-${nodeClass}`,
      namespace: NAMESPACE,
      labels: {
        "hypershift.openshift.io/managed-by-karpenter": "true",
        "hypershift.openshift.io/ami": "ami-0a1b2c3d",
      },
      annotations: { "hypershift.openshift.io/nodePool": `${NAMESPACE}/${nodeClass}-karpenter` },
    },
    ...(encoded ? { data: { value: base64(text) } } : { stringData: { value: text } }),
  };
}

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

export function stream(objects: readonly KubeObject[]): string {
  return objects.map((object) => stringify(object)).join("---\n");
}

/** The file of each object: an index for each object, in shuffled order. */
export const PLACES = ["a.yaml", "b.yml", "pools/a.yaml", "pools/deep/z.yaml", "list.json", "pools/list.yaml"] as const;

/** The same folder in other formats: streams of documents, a List in YAML and in JSON. */
export function writeFiles(folder: string, objects: readonly KubeObject[], places: readonly number[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, group] of Map.groupBy(objects, (_, index) => PLACES[places[index]!]!)) {
    const list = { apiVersion: "v1", kind: "List", items: group };
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const text = path.endsWith(".json")
      ? JSON.stringify(list)
      : path.endsWith("list.yaml")
        ? stringify(list)
        : stream(group);
    writeFileSync(join(folder, path), text);
  }
}
