/** What the label of one key can come to on the nodes of a pool. */
import { canInventValue } from "./invented-value.ts";
import { MAX_INT64 } from "../../model/int64.ts";
import { AWS_LABELS, type KnownLabels, labelPresence } from "./label-presence.ts";
import { admitsAbsence, has, type Requirement } from "./requirement.ts";

/**
 * Karpenter gives a NodeClaim, whose labels its node gets, the labels of the template as they stand. For a custom label
 * it then takes a value of the merged requirement: one that is listed, or where none is, a number within the bounds,
 * whatever is excluded (`ToNodeClaim` in pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go, `Any` in
 * pkg/scheduling/requirement.go). What the provider says of the instance comes last and overwrites neither
 * (`PopulateNodeClaimDetails` in pkg/controllers/nodeclaim/lifecycle/launch.go).
 */
export type NodeLabel =
  | { readonly from: "template"; readonly value: string }
  /** One of them; none: the label is absent. */
  | { readonly from: "list"; readonly values: readonly LabelValue[] }
  | { readonly from: "range"; readonly first: bigint; readonly last: bigint }
  /** What the type has that was launched, and only types that the merged requirement admits are. */
  | { readonly from: "instance-type" };

/** Undefined: the label is absent. */
type LabelValue = string | undefined;

/** A value that a side's requirement does not admit. */
export interface Misfit {
  readonly value: LabelValue;
  /** Every node gets such a value; else some do. */
  readonly always: boolean;
  readonly label: NodeLabel;
}

/** @param template the value of the template's own label */
export function nodeLabel(
  merged: Requirement,
  template: string | undefined,
  known: KnownLabels = AWS_LABELS,
): NodeLabel {
  if (template !== undefined) return { from: "template", value: template };
  if (labelPresence(merged.key, known) !== "custom") return { from: "instance-type" };
  if (!merged.complement) {
    // Karpenter takes the empty value for none.
    const values = [...merged.values].map((value) => (value === "" ? undefined : value));
    return { from: "list", values: values.length === 0 ? [undefined] : values };
  }
  return { from: "range", first: merged.gte ?? 0n, last: merged.lte ?? MAX_INT64 - 1n };
}

/**
 * A value that the label can come to and that `asked`, one of the requirements that were merged, does not admit.
 *
 * @param nodes a made-up number that is rarer than one on so many nodes counts as none
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
    case "instance-type":
      return undefined;
  }
}

/** As Karpenter compares the labels of a NodeClaim with what its pool asks for (`Compatible` in pkg/scheduling/requirements.go). */
function admits(asked: Requirement, value: LabelValue): boolean {
  return value === undefined ? admitsAbsence(asked) : has(asked, value);
}

/**
 * A chance of less than one in a trillion nodes counts as none: where nobody gives an upper bound, the number that is
 * excluded is one of 2^63.
 */
export const NODES_EVER = 2n ** 40n;

/** The bounds of `asked` are among those of the range, so that only what it excludes can be missed. */
function misfitInRange(
  label: NodeLabel & { readonly from: "range" },
  asked: Requirement,
  nodes: bigint,
): Misfit | undefined {
  const { first, last } = label;
  if (!canInventValue({ ...asked, complement: true, gte: first, lte: last })) return undefined;
  const misfits = excludedNumbers(asked).filter((number) => number >= first && number <= last);
  const [misfit] = misfits;
  const size = last - first + 1n;
  if (misfit === undefined || BigInt(misfits.length) * nodes <= size) return undefined;
  return { value: String(misfit), always: BigInt(misfits.length) === size, label };
}

/** Numbers that `asked` excludes and Karpenter could make up, smallest first: it never writes `05`. */
export function excludedNumbers({ complement, values }: Requirement): bigint[] {
  if (!complement) return [];
  const numbers = [...values].filter((value) => /^(0|[1-9]\d*)$/.test(value)).map(BigInt);
  return numbers.filter((number) => number < MAX_INT64).toSorted((a, b) => (a < b ? -1 : 1));
}
