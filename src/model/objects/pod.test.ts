/** Pods in objects: every kind of Kubernetes that makes them, and others by their shape. */
import { expect, it } from "vitest";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { isDaemonSet, podSpecPath } from "./pod.ts";

const TEMPLATE = "spec.template.spec";

it.each<[apiVersion: string, kind: string, path: string | undefined, spec?: object]>([
  ["v1", "Pod", "spec"],
  ["v1", "PodTemplate", "template.spec"],
  ["v1", "ReplicationController", TEMPLATE],
  ["apps/v1", "Deployment", TEMPLATE],
  ["apps/v1", "ReplicaSet", TEMPLATE],
  ["apps/v1", "StatefulSet", TEMPLATE],
  ["apps/v1", "DaemonSet", TEMPLATE],
  ["batch/v1", "Job", TEMPLATE],
  ["batch/v1", "CronJob", "spec.jobTemplate.spec.template.spec"],
  ["argoproj.io/v1alpha1", "Rollout", TEMPLATE, { template: { spec: { containers: [] } } }],
  ["apps.openshift.io/v1", "DeploymentConfig", TEMPLATE, { template: { spec: { containers: [{}] } } }],
  ["karpenter.sh/v1", "NodePool", undefined, { template: { spec: { requirements: [] } } }],
  ["v1", "Service", undefined],
  ["example.com/v1", "Pod", undefined],
  ["v1", "toString", undefined],
])("%s %s: %s", (apiVersion, kind, path, spec = {}) => {
  const text = JSON.stringify({ apiVersion, kind, metadata: { name: "x" }, spec });
  const [resource] = parseSources([testSource(text)]).value;
  const found = podSpecPath(resource!);
  expect(found && formatFieldPath(found)).toBe(path);
  expect(isDaemonSet(resource!)).toBe(kind === "DaemonSet");
});
