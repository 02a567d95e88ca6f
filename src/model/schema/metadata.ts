/** What objects have beside their spec: metadata, conditions, printer columns. */
import * as z from "zod/mini";
import { withKeywords } from "./keywords.ts";
import { mapOf } from "./map-of.ts";

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Unknown metadata fields are left to the API server. */
export const metadataSchema = z.looseObject({
  name: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(253),
      z.regex(DNS_SUBDOMAIN, { error: "is not an object name: lower-case letters, digits, - and . only" }),
    ),
  labels: z.optional(mapOf(z.string())),
  annotations: z.optional(mapOf(z.string())),
});

const given = z.optional(z.unknown());

/** A whole object. Beside `spec`, an API server drops fields that it does not know. */
export function objectWithSpec<S extends z.ZodMiniType>(spec: S) {
  return z.strictObject({ apiVersion: given, kind: given, metadata: metadataSchema, spec, status: given });
}

/** Kubernetes' metav1.Condition; Karpenter requires less (docs/design.md#the-v1-api-proposal). */
const condition = () =>
  z.strictObject({
    type: z.string().check(z.maxLength(316)),
    status: z.enum(["True", "False", "Unknown"]),
    lastTransitionTime: z.iso.datetime({ offset: true }),
    observedGeneration: z.optional(withKeywords(z.int().check(z.minimum(0)), { format: "int64" })),
    reason: z.optional(z.string().check(z.maxLength(1024))),
    message: z.optional(z.string().check(z.maxLength(32_768))),
  });

/** Only the CRDs require it. */
export const conditionsSchema = () =>
  withKeywords(z.array(condition()).check(z.maxLength(100)), {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
  });

export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  /** 1 shows the column only with `-o wide`. */
  readonly priority?: number;
}

/** Whether an object is ready, and if not, why in one word. */
export const READY_COLUMNS: readonly PrinterColumn[] = [
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Reason", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
];
