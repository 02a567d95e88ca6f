/** The fields of a pod's spec that decide on which nodes it may run; other fields pass. */
import * as z from "zod/mini";
import { mapOf } from "../schema/map-of.ts";
import { parseQuantity } from "../values/quantity.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";

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

/** The API server reads numbers without quotes as well: `cpu: 0.5`. */
const quantity = z
  .union([z.string(), z.number(), z.bigint()], { error: "write a Kubernetes quantity, such as 500m, 1.5 or 64Gi" })
  .check(
    z.refine((value) => (parseQuantity(String(value))?.nano ?? -1n) >= 0n, {
      error: "no Kubernetes quantity of 0 or more, such as 500m, 1.5 or 64Gi",
    }),
  );

const quantities = mapOf(quantity);

const resources = z.looseObject({
  requests: z.optional(quantities),
  limits: z.optional(quantities),
  claims: z.optional(z.array(z.unknown())),
});

const port = z.looseObject({
  containerPort: z.optional(z.int()),
  hostPort: z.optional(z.int()),
  hostIP: z.optional(z.string()),
  protocol: z.optional(z.string()),
});

const container = z.looseObject({
  resources: z.optional(resources),
  ports: z.optional(z.array(port)),
  restartPolicy: z.optional(z.string()),
});

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"] as const;

const expression = z
  .looseObject({
    key: z.string().check(z.minLength(1)),
    operator: z.enum(OPERATORS),
    values: z.optional(z.array(z.string())),
  })
  .check(
    z.refine(({ operator, values = [] }) => values.length > 0 || !["In", "NotIn"].includes(operator), {
      error: "In and NotIn need a value",
      path: ["values"],
    }),
    z.refine(({ operator, values = [] }) => values.length === 0 || !["Exists", "DoesNotExist"].includes(operator), {
      error: "Exists and DoesNotExist take no values",
      path: ["values"],
    }),
    z.refine(({ operator, values = [] }) => values.length === 1 || !["Gt", "Lt"].includes(operator), {
      error: "Gt and Lt take exactly one value",
      path: ["values"],
    }),
  );

export const nodeSelectorTermSchema = z.looseObject({
  matchExpressions: z.optional(z.array(expression)),
  matchFields: z.optional(z.array(z.unknown())),
});

const nodeAffinity = z.looseObject({
  requiredDuringSchedulingIgnoredDuringExecution: z.optional(
    z.looseObject({ nodeSelectorTerms: z.array(nodeSelectorTermSchema).check(z.minLength(1)) }),
  ),
  preferredDuringSchedulingIgnoredDuringExecution: z.optional(
    z.array(z.looseObject({ weight: z.int(), preference: nodeSelectorTermSchema })),
  ),
});

/** The API server accepts an empty text for a missing field. */
function oneOf(what: string, words: readonly string[]): z.ZodMiniString {
  const error = `no ${what}: write one of ${words.join(", ")}`;
  return z.string().check(z.refine((word) => word === "" || words.includes(word), { error }));
}

const toleration = z
  .looseObject({
    key: z.optional(z.string()),
    operator: z.optional(oneOf("operator of a toleration", ["Equal", "Exists", "Lt", "Gt"])),
    value: z.optional(z.string()),
    effect: z.optional(oneOf("effect of a taint", ["NoSchedule", "PreferNoSchedule", "NoExecute"])),
  })
  .check(
    z.refine(({ key = "", operator }) => key !== "" || operator === "Exists", {
      error: "without a key it must be Exists",
      path: ["operator"],
    }),
    z.refine(({ operator, value = "" }) => operator !== "Exists" || value === "", {
      error: "Exists takes no value",
      path: ["value"],
    }),
  );

const volume = z.looseObject({
  persistentVolumeClaim: z.optional(z.unknown()),
  ephemeral: z.optional(z.unknown()),
});

export const podSpecSchema = z.looseObject({
  containers: z.array(container).check(z.minLength(1)),
  initContainers: z.optional(z.array(container)),
  resources: z.optional(resources),
  overhead: z.optional(quantities),
  nodeSelector: z.optional(mapOf(z.string())),
  affinity: z.optional(
    z.looseObject({
      nodeAffinity: z.optional(nodeAffinity),
      podAffinity: z.optional(z.unknown()),
      podAntiAffinity: z.optional(z.unknown()),
    }),
  ),
  tolerations: z.optional(z.array(toleration)),
  topologySpreadConstraints: z.optional(z.array(z.unknown())),
  volumes: z.optional(z.array(volume)),
  hostNetwork: z.optional(z.boolean()),
  nodeName: z.optional(z.string()),
  runtimeClassName: z.optional(z.string()),
  schedulingGates: z.optional(z.array(z.unknown())),
  resourceClaims: z.optional(z.array(z.unknown())),
});

export type PodSpec = z.output<typeof podSpecSchema>;
export type Container = z.output<typeof container>;
export type Quantities = z.output<typeof quantities>;
export type Toleration = z.output<typeof toleration>;
export type NodeSelectorTerm = z.output<typeof nodeSelectorTermSchema>;

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
