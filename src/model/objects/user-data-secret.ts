/** The user-data Secret of a node class: AMIs in its labels, ignition in its data. */
import * as z from "zod/mini";
import type { Resource } from "../../krm/places/resource.ts";
import { mapOf } from "../schema/map-of.ts";

export const AMI_LABELS = { amd64: "hypershift.openshift.io/ami", arm64: "hypershift.openshift.io/ami-arm64" } as const;
const MANAGED_LABEL = "hypershift.openshift.io/managed-by-karpenter";
const NODE_POOL_ANNOTATION = "hypershift.openshift.io/nodePool";
const TOKEN_ANNOTATION = "hypershift.openshift.io/ignition-config";

/** As in docs/upstream/hypershift.md#user-data. */
export const userDataSecretSchema = z.looseObject({
  metadata: z.looseObject({
    labels: z.optional(mapOf(z.string())),
    annotations: z.optional(mapOf(z.string())),
  }),
  data: z.optional(z.looseObject({ value: z.optional(z.base64({ error: "is not base64" })) })),
  stringData: z.optional(z.looseObject({ value: z.optional(z.string()) })),
});

/**
 * The node class of a user-data Secret: `<namespace>/<class>`, or undefined for any other Secret. The name of the
 * Secret is not the key; Secrets marked as token Secrets are ignored, as HyperShift's operator does.
 */
export function userDataOwner(secret: Resource): string | undefined {
  if (secret.kind !== "Secret" || secret.apiVersion !== "v1") return undefined;
  const { labels, annotations } = metadataMaps(secret);
  if (labels[MANAGED_LABEL] !== "true" || annotations[TOKEN_ANNOTATION] === "true") return undefined;
  const owner = annotations[NODE_POOL_ANNOTATION];
  return typeof owner === "string" ? /^(.+)-karpenter$/.exec(owner)?.[1] : undefined;
}

function metadataMaps(secret: Resource): { labels: Record<string, unknown>; annotations: Record<string, unknown> } {
  const metadata = (secret.value["metadata"] ?? {}) as { labels?: unknown; annotations?: unknown };
  const map = (value: unknown) =>
    typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { labels: map(metadata.labels), annotations: map(metadata.annotations) };
}
