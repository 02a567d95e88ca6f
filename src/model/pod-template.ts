/** Finds the spec of a pod in a pod, or in any object with a pod template. */
import { type FieldPath, valueAt } from "../krm/field-path.ts";
import { groupOf, type Resource } from "../krm/resource.ts";

const TEMPLATE: FieldPath = ["spec", "template", "spec"];

const KNOWN: Readonly<Record<string, FieldPath>> = {
  "/Pod": ["spec"],
  "/PodTemplate": ["template", "spec"],
  "/ReplicationController": TEMPLATE,
  "apps/Deployment": TEMPLATE,
  "apps/ReplicaSet": TEMPLATE,
  "apps/StatefulSet": TEMPLATE,
  "apps/DaemonSet": TEMPLATE,
  "batch/Job": TEMPLATE,
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template", "spec"],
};

/**
 * Undefined for objects that make no pods. Other kinds count by their shape: a Rollout or a DeploymentConfig has a
 * template as well.
 */
export function podSpecPath({ apiVersion, kind, value }: Resource): FieldPath | undefined {
  const known = `${groupOf(apiVersion)}/${kind}`;
  if (Object.hasOwn(KNOWN, known)) return KNOWN[known];
  return Array.isArray(valueAt(value, [...TEMPLATE, "containers"])) ? TEMPLATE : undefined;
}

export function isDaemonSet({ apiVersion, kind }: Pick<Resource, "apiVersion" | "kind">): boolean {
  return kind === "DaemonSet" && groupOf(apiVersion) === "apps";
}
