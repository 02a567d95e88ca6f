/** Determines the values that a label can get on the nodes of a pool. */
import { canGenerateValue } from "./generated-value.ts";
import { MAX_INT64 } from "../../model/values/int64.ts";
import { PLACEMENT_GROUP_PARTITION } from "../../model/requirements/labels.ts";
import { AWS_LABELS, type KnownLabels, labelPresence } from "./label-presence.ts";
import { admitsAbsence, has, isEmpty, type Requirement, sortedValues } from "./requirement.ts";

/**
 * Karpenter copies the template labels to a NodeClaim, whose labels become those of the node. For a custom label it
 * takes a value of the merged requirement: a listed one, or else a number within the bounds, even if it is excluded
 * (`ToNodeClaim` in pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go, `Any` in
 * pkg/scheduling/requirement.go). Labels of the provider come last and do not overwrite these
 * (`PopulateNodeClaimDetails` in pkg/controllers/nodeclaim/lifecycle/launch.go).
 */
export type NodeLabel =
  | { readonly from: "template"; readonly value: string }
  /** One of the values; undefined means that the label is absent. */
  | { readonly from: "list"; readonly values: readonly LabelValue[] }
  | { readonly from: "range"; readonly first: bigint; readonly last: bigint }
  /** The label of the instance: a value that the merged requirement admits, or one of `beyond`. */
  | { readonly from: "instance"; readonly beyond: readonly string[]; readonly only: boolean };

/** Undefined: the label is absent. */
type LabelValue = string | undefined;

/** A label value that a requirement does not admit. */
export interface Misfit {
  readonly value: LabelValue;
  /** Whether every node gets such a value, or only some. */
  readonly always: boolean;
  readonly label: NodeLabel;
}

/** Inputs other than the requirements of the pool. */
export interface NodeOrigin {
  /** The value of the template's own label. */
  readonly template?: string | undefined;
  /**
   * Whether the pool is static: its NodeClaims list no instance types, and lose excluded values if there are bounds.
   */
  readonly isStatic?: boolean | undefined;
  /** The node class's requirement on the label; undefined if the class is unknown. */
  readonly ofClass?: Requirement | undefined;
}

export function nodeLabel(
  merged: Requirement,
  { template, isStatic = false, ofClass }: NodeOrigin,
  known: KnownLabels = AWS_LABELS,
): NodeLabel {
  if (template !== undefined) return { from: "template", value: template };
  const presence = labelPresence(merged.key, known);
  if (presence === "class" && ofClass !== undefined && isEmpty(ofClass)) return { from: "list", values: [undefined] };
  if (presence !== "custom") {
    const beyond = merged.key === PLACEMENT_GROUP_PARTITION ? partitionsBeyond(merged) : [];
    const lost = isStatic ? lostValues(merged) : [];
    return { from: "instance", beyond: [...beyond, ...lost], only: isOnly(merged, lost) };
  }
  if (!merged.complement) {
    // Karpenter treats the empty value as absent.
    const values = [...merged.values].map((value) => (value === "" ? undefined : value));
    return { from: "list", values: values.length === 0 ? [undefined] : values };
  }
  return { from: "range", first: merged.gte ?? 0n, last: merged.lte ?? MAX_INT64 - 1n };
}

/**
 * A possible value of the label that `asked`, one of the merged requirements, does not admit.
 *
 * @param nodes generated numbers that occur on fewer than one in this many nodes are ignored
 */
export function misfitOf(label: NodeLabel, asked: Requirement, nodes = NODES_EVER): Misfit | undefined {
  switch (label.from) {
    case "template":
      return has(asked, label.value) ? undefined : { value: label.value, always: true, label };
    case "list": {
      const misfits = label.values.filter((value) => !admits(asked, value));
      return misfits.length === 0
        ? undefined
        : { value: misfits[0], always: misfits.length === label.values.length, label };
    }
    case "range":
      return misfitInRange(label, asked, nodes);
    case "instance": {
      const misfit = label.beyond.find((value) => !has(asked, value));
      return misfit === undefined ? undefined : { value: misfit, always: label.only, label };
    }
  }
}

/** Numbers excluded within bounds, which a NodeClaim cannot express (`serialize`), ascending. */
function lostValues(merged: Requirement): string[] {
  const isBounded = merged.gte !== undefined || merged.lte !== undefined;
  return isBounded ? excludedNumbers(merged).map(String) : [];
}

/** Whether the bounds allow only lost values. */
function isOnly({ gte, lte }: Requirement, lost: readonly string[]): boolean {
  if (gte === undefined || lte === undefined) return false;
  return BigInt(lost.length) === lte - gte + 1n;
}

/** The maximum number of partitions of a placement group. */
export const PARTITIONS: readonly string[] = ["1", "2", "3", "4", "5", "6", "7"];

/**
 * The provider uses the partition in the values of the NodeClaim's entry, even if they are excluded, and any partition
 * if there is none (provider: pkg/cloudprovider/cloudprovider.go, instanceToNodeClaim, and
 * pkg/providers/launchtemplate/launchtemplate.go, EnsureAll).
 */
function partitionsBeyond(merged: Requirement): string[] {
  if (!merged.complement) return [];
  return [...sortedValues(merged), ...PARTITIONS.filter((one) => !merged.values.has(one) && !has(merged, one))];
}

/** As Karpenter compares the labels of a NodeClaim with what its pool asks for (`Compatible` in pkg/scheduling/requirements.go). */
function admits(asked: Requirement, value: LabelValue): boolean {
  return value === undefined ? admitsAbsence(asked) : has(asked, value);
}

/** Chances below one in a trillion nodes are ignored: without an upper bound, the excluded number is one of 2^63. */
export const NODES_EVER = 2n ** 40n;

/** The range is within the bounds of `asked`, so only excluded values can be misfits. */
function misfitInRange(
  label: NodeLabel & { readonly from: "range" },
  asked: Requirement,
  nodes: bigint,
): Misfit | undefined {
  const { first, last } = label;
  if (!canGenerateValue({ ...asked, complement: true, gte: first, lte: last })) return undefined;
  const misfits = excludedNumbers(asked).filter((number) => number >= first && number <= last);
  const [misfit] = misfits;
  const size = last - first + 1n;
  if (misfit === undefined || BigInt(misfits.length) * nodes <= size) return undefined;
  return { value: String(misfit), always: BigInt(misfits.length) === size, label };
}

/** Excluded numbers that Karpenter could generate, ascending: it never writes `05`. */
export function excludedNumbers({ complement, values }: Requirement): bigint[] {
  if (!complement) return [];
  const numbers = [...values].filter((value) => /^(0|[1-9]\d*)$/.test(value)).map(BigInt);
  return numbers.filter((number) => number < MAX_INT64).toSorted((a, b) => (a < b ? -1 : 1));
}
