/** Karpenter's EC2NodeClass as an API kind: names, columns and status. */
import * as z from "zod/mini";
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import type { CustomResource } from "../crds/crd.ts";
import type { Profile } from "../crds/profile.ts";
import { plainKarpenterConditions } from "../pools/karpenter-conditions.ts";
import { nodeClaimResource } from "../pools/node-claim.ts";
import { nodePoolResource } from "../pools/node-pool-resource.ts";
import { withKeywords } from "../schema/keywords.ts";
import { kubernetesTime } from "../values/kubernetes-time.ts";
import { ec2NodeClassSpec } from "./node-class.ts";

const text = () => z.optional(z.string());

const ami = () =>
  z.strictObject({
    id: z.string(),
    name: text(),
    deprecated: z.optional(z.boolean()),
    requirements: z.array(
      z.strictObject({
        key: z.string(),
        operator: z.string(),
        values: z.optional(withKeywords(z.array(z.string()), { "x-kubernetes-list-type": "atomic" })),
      }),
    ),
  });

const capacityReservation = () =>
  z.strictObject({
    availabilityZone: z.string(),
    endTime: z.optional(kubernetesTime()),
    id: z.string().check(z.regex(/^cr-[0-9a-z]+$/)),
    instanceMatchCriteria: z.enum(["open", "targeted"]),
    instanceType: z.string(),
    interruptible: z.optional(z.boolean()),
    ownerID: z.string().check(z.regex(/^[0-9]{12}$/)),
    reservationType: z.optional(withKeywords(z.enum(["default", "capacity-block"]), { default: "default" })),
    state: z.optional(withKeywords(z.enum(["active", "expiring"]), { default: "active" })),
  });

const status = () =>
  z.strictObject({
    amis: z.optional(z.array(ami())),
    capacityReservations: z.optional(z.array(capacityReservation())),
    conditions: z.optional(plainKarpenterConditions()),
    instanceProfile: text(),
    securityGroups: z.optional(z.array(z.strictObject({ id: z.string(), name: text() }))),
    subnets: z.optional(z.array(z.strictObject({ id: z.string(), zone: z.string(), zoneID: text() }))),
  });

/** The columns of Karpenter's AWS provider; the proposal of the v1 API has none for this kind. */
const EC2_NODE_CLASS_COLUMNS: CustomResource["columns"] = [
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  { name: "Role", type: "string", jsonPath: ".spec.role", priority: 1 },
];

/** The schema of its spec is the one that rendering checks with. */
export function ec2NodeClassResource(profile: Profile): CustomResource {
  return {
    group: KARPENTER_AWS_GROUP,
    version: "v1",
    kind: "EC2NodeClass",
    plural: "ec2nodeclasses",
    singular: "ec2nodeclass",
    shortNames: ["ec2nc", "ec2ncs"],
    categories: ["karpenter"],
    scope: "Cluster",
    description: "What nodes on AWS are made of.",
    spec: () => ec2NodeClassSpec(profile),
    // Upstream does not require it, by mistake.
    specRequired: false,
    status,
    columns: EC2_NODE_CLASS_COLUMNS,
  };
}

export function karpenterResources(profile: Profile): CustomResource[] {
  return [nodePoolResource(profile), nodeClaimResource, ec2NodeClassResource(profile)];
}
