/** Renders CEL rules on keys of Karpenter's own domains, in templates and on NodeClaims. */
import {
  RESERVED_DOMAIN,
  TEMPLATE_ANNOTATIONS,
  TEMPLATE_LABELS,
  TERMINATION_TIMESTAMP,
  WRITTEN_LATER,
} from "../model/requirements/reserved-keys.ts";

/** A rule of an admission policy. */
export interface Validation {
  readonly expression: string;
  readonly message: string;
}

/** Maps of a template's metadata, with the allowed keys of Karpenter's domains. */
export const TEMPLATE_MAPS = { labels: TEMPLATE_LABELS, annotations: TEMPLATE_ANNOTATIONS } as const;

export const RESERVED_MESSAGE = `labels and annotations of karpenter.sh and karpenter.k8s.aws are Karpenter's own: of these a template may carry labels that requirements may name, and the annotations ${TEMPLATE_ANNOTATIONS.slice(0, 2).join(" and ")}; take the others out of spec.template.metadata`;

/**
 * CEL: whether `key` is Karpenter's own and not in `allowed`. `contains` costs less than the pattern, so it is checked
 * first.
 */
export function isReserved(key: string, allowed: readonly string[]): string {
  const among = allowed.length === 0 ? "" : ` && !(${key} in [${allowed.map((one) => `'${one}'`).join(", ")}])`;
  return `(${key}.contains('karpenter.') && ${key}.matches('${RESERVED_DOMAIN.source.replace("\\/", "/")}')${among})`;
}

/** The template of a NodePool must have none of these keys. */
export const NO_RESERVED_KEYS: Validation = {
  expression: Object.entries(TEMPLATE_MAPS)
    .map(
      ([field, allowed]) => `object.spec.template.?metadata.?${field}.orValue({}).all(k, !${isReserved("k", allowed)})`,
    )
    .join(" && "),
  message: RESERVED_MESSAGE,
};

const mapIn = (side: string, field: string): string => `${side}.metadata.?${field}.orValue({})`;

/** A new NodeClaim must not have what Karpenter writes later, regardless of the template of its pool. */
export const BEGINS_WITHOUT: Validation = {
  expression: `request.operation != 'CREATE' || [${WRITTEN_LATER.map((key) => `'${key}'`).join(", ")}].all(k, !(k in ${mapIn("object", "annotations")}))`,
  message: `a NodeClaim begins without what Karpenter writes on it later, such as ${TERMINATION_TIMESTAMP}: the template of its NodePool carries it, or another mutation adds it`,
};

const TIMESTAMP = `'${TERMINATION_TIMESTAMP}'`;
/** CEL parses it without an error, except for invalid days of a month. */
const PLAIN_TIMESTAMP = "'^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$'";

/**
 * Others may move the end of a drain forward, as HyperShift does (docs/upstream/hypershift.md#going-and-pausing), or
 * remove it: Karpenter then writes the value of terminationGracePeriod.
 */
const ENDS_SOONER = [
  `n[k].matches(${PLAIN_TIMESTAMP}) && (o[?k].orValue('').matches(${PLAIN_TIMESTAMP}) ? timestamp(n[k]) <= timestamp(o[k])`,
  " : has(object.metadata.deletionTimestamp) && (!has(object.spec.terminationGracePeriod)",
  " || timestamp(n[k]) <= timestamp(object.metadata.deletionTimestamp) + duration(object.spec.terminationGracePeriod)))",
].join("");

/** CEL: no reserved key is added, changed or removed between `o` and `n`. */
function same(field: string, allowed: readonly string[], comes = "", goes = ""): string {
  const free = `!${isReserved("k", allowed)}`;
  return `[${mapIn("object", field)}].all(n, [${mapIn("oldObject", field)}].all(o, n.all(k, ${free} || o[?k] == optional.of(n[k])${comes}) && o.all(k, ${free} || k in n${goes})))`;
}

/** @param isKarpenter CEL condition on the user, with which the expression begins */
export function keysOfKarpenter(isKarpenter: string): Validation {
  const isEnd = ` || k == ${TIMESTAMP}`;
  const annotations = same("annotations", TEMPLATE_ANNOTATIONS, `${isEnd} && ${ENDS_SOONER}`, isEnd);
  return {
    expression: `${isKarpenter} || request.operation != 'UPDATE' || (${same("labels", [])} && ${annotations})`,
    message: `labels and annotations of karpenter.sh and karpenter.k8s.aws on a NodeClaim are Karpenter's to write, but for ${TEMPLATE_ANNOTATIONS.slice(0, 2).join(" and ")}; once it is being deleted, others may take ${TERMINATION_TIMESTAMP} out or write an earlier time`,
  };
}
