/** What anp needs of an object's metadata: a name the API server accepts, and string maps. */
import * as z from "zod";

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Unknown metadata fields are the API server's business. */
export const metadataSchema = z.looseObject({
  name: z
    .string()
    .min(1)
    .max(253)
    .regex(DNS_SUBDOMAIN, { error: "is no object name: lower-case letters, digits, - and . only" }),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

/** Kubernetes' metav1.Condition; Karpenter asks for less (designs/karpenter-v1-api.md). */
const condition = () =>
  z.strictObject({
    type: z.string().max(316),
    status: z.enum(["True", "False", "Unknown"]),
    lastTransitionTime: z.iso.datetime({ offset: true }),
    observedGeneration: z.int().min(0).meta({ format: "int64" }).optional(),
    reason: z.string().max(1024).optional(),
    message: z.string().max(32_768).optional(),
  });

/** Only the CRDs ask for it. */
export const conditionsSchema = () =>
  z
    .array(condition())
    .max(100)
    .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] });
