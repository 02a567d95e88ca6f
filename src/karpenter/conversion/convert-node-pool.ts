/** Converts a NodePool between v1beta1 and v1, exactly as Karpenter's webhook does. */
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import {
  annotationOf,
  KUBELET_ANNOTATION,
  NODE_CLASS_ANNOTATION,
  STORED_VERSION_ANNOTATION,
  withAnnotations,
  without,
} from "./convert-annotations.ts";
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import { kubeletJson, kubeletOfJson } from "./convert-kubelet.ts";
import { type ClassKind, refJson, refToV1, refToV1beta1 } from "./convert-node-class-ref.ts";
import { withUpstreamConditions } from "./convert-status.ts";
import type { Converted } from "./malformed-field.ts";
import { type Fields, fieldsOf, isFields, listOf, withChanges } from "../../krm/values/fields.ts";
import { DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";

const DEFAULTS = { consolidationPolicy: "WhenUnderutilized", expireAfter: DEFAULT_EXPIRY, budgets: DEFAULT_BUDGETS };

const V1_DEFAULTS = { consolidationPolicy: "WhenEmptyOrUnderutilized", budgets: DEFAULT_BUDGETS };

/** The rules are those of docs/upstream/karpenter.md#nodepools-of-v1beta1. */
export function nodePoolToV1(pool: Fields, meant: ClassKind | undefined): Fields {
  const spec = fieldsOf(pool["spec"]);
  const template = fieldsOf(spec["template"]);
  const { kubelet, nodeClassRef, ...templateSpec } = fieldsOf(template["spec"]);
  const disruption = withV1beta1Defaults(spec["disruption"]);
  const converted = withChanges(pool, {
    apiVersion: `${KARPENTER_GROUP}/v1`,
    spec: withChanges(spec, {
      template: withChanges(template, {
        spec: withChanges(templateSpec, {
          nodeClassRef: refToV1(nodeClassRef, meant),
          requirements: listOf(templateSpec["requirements"]),
          resources: undefined,
          expireAfter: disruption["expireAfter"],
        }),
      }),
      disruption: disruptionToV1(disruption),
    }),
  });
  return withUpstreamConditions(
    withAnnotations(converted, {
      ...without(KUBELET_ANNOTATION),
      [KUBELET_ANNOTATION]: isFields(kubelet) ? kubeletJson(kubelet) : undefined,
      [NODE_CLASS_ANNOTATION]: refJson(nodeClassRef),
    }),
  );
}

export function nodePoolToV1beta1(pool: Fields): Converted {
  const spec = fieldsOf(pool["spec"]);
  const template = fieldsOf(spec["template"]);
  const { expireAfter = DEFAULT_EXPIRY, nodeClassRef, ...templateSpec } = fieldsOf(template["spec"]);
  const restored = restoredFields(pool, nodeClassRef);
  if ("refusal" in restored) return restored;
  const converted = withChanges(pool, {
    apiVersion: `${KARPENTER_GROUP}/v1beta1`,
    spec: withChanges(spec, {
      template: withChanges(template, {
        spec: withChanges(templateSpec, {
          ...restored.value,
          requirements: listOf(templateSpec["requirements"]),
          terminationGracePeriod: undefined,
        }),
      }),
      disruption: disruptionToV1beta1(spec["disruption"] ?? undefined, expireAfter),
    }),
  });
  return { value: withUpstreamConditions(withoutConversionAnnotations(converted)) };
}

/** The fields of pools and claims that are restored from annotations. */
export function restoredFields(object: Fields, ref: unknown): Converted {
  const annotation = annotationOf(object, KUBELET_ANNOTATION);
  const kubelet = annotation === undefined ? undefined : kubeletOfJson(annotation);
  if (annotation !== undefined && kubelet === undefined) return { refusal: { annotation: KUBELET_ANNOTATION } };
  const nodeClassRef = refToV1beta1(ref, annotationOf(object, NODE_CLASS_ANNOTATION));
  if (nodeClassRef === undefined) return { refusal: { annotation: NODE_CLASS_ANNOTATION } };
  return { value: fieldsOf({ nodeClassRef, kubelet }) };
}

export function withoutConversionAnnotations(object: Fields): Fields {
  const gone = without(KUBELET_ANNOTATION, NODE_CLASS_ANNOTATION);
  return withAnnotations(object, { ...gone, [STORED_VERSION_ANNOTATION]: undefined });
}

/** The API server sets these defaults before the webhook gets a v1beta1 pool. */
function withV1beta1Defaults(disruption: unknown): Fields {
  return { ...DEFAULTS, ...fieldsOf(disruption) };
}

/** @param disruption with its defaults */
function disruptionToV1(disruption: Fields): Fields {
  const { consolidationPolicy, consolidateAfter = "Never" } = disruption;
  const underutilized = consolidationPolicy === "WhenUnderutilized";
  return withChanges(disruption, {
    expireAfter: undefined,
    consolidationPolicy: underutilized ? "WhenEmptyOrUnderutilized" : consolidationPolicy,
    consolidateAfter: underutilized ? "0s" : consolidateAfter,
    budgets: notEmpty(disruption["budgets"]),
  });
}

function disruptionToV1beta1(given: unknown, expireAfter: unknown): Fields {
  const disruption = { ...V1_DEFAULTS, ...(given === undefined ? { consolidateAfter: "0s" } : fieldsOf(given)) };
  const { consolidationPolicy, consolidateAfter = "Never" } = disruption as Fields;
  const underutilized = consolidationPolicy === "WhenEmptyOrUnderutilized";
  return withChanges(disruption, {
    consolidationPolicy: underutilized ? "WhenUnderutilized" : consolidationPolicy,
    consolidateAfter: underutilized ? undefined : consolidateAfter,
    expireAfter: expireAfter ?? DEFAULT_EXPIRY,
    budgets: notEmpty(disruption.budgets)?.map((budget) => withChanges(fieldsOf(budget), { reasons: undefined })),
  });
}

/** Karpenter omits an empty list, and the API server then sets the default. */
function notEmpty(budgets: unknown): readonly unknown[] {
  const list = listOf(budgets);
  return list.length === 0 ? DEFAULT_BUDGETS : list;
}
