/** The nodes that a pool may have over a catalogue, and which of them meet new requirements. */
import { type Catalogue, type Offering, UNKNOWN } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { intersection, isEmpty, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import type { Requirements } from "../../../karpenter/requirements/requirements.ts";
import { memoizeByKey } from "../../../model/schema/memoize.ts";
import { type AskedLabels, type LabelOfNodes, labelOfNodes } from "../../explain/label-of-nodes.ts";
import { type Stays, nodesThatStay } from "../change-requirements.ts";
import { isOpenTo } from "./pool-offer.ts";

/** Which of all nodes that a pool may have meet the new requirements. */
export interface KindsStay {
  /** Whether the pool may have any node. */
  readonly exist: boolean;
  readonly byKey: ReadonlyMap<string, Stays>;
  readonly together: Stays;
}

/**
 * A node has one type and one offering, which determine most of its labels. Other labels may have any value that the
 * pool admits.
 *
 * @param types the types that the pool may launch
 * @param asked all requirements of its nodes: entries, template labels, node class
 * @param now the new requirements for existing nodes
 */
export function kindsThatStay(
  from: AskedLabels,
  types: TypeMask,
  asked: Requirements,
  now: Requirements,
  catalogue: Catalogue,
): KindsStay {
  const keys = [...now.keys()];
  const { labels, offerings } = catalogue;
  const open = memoizeByKey((set: number) => offerings.sets[set]!.filter((one) => isOpenTo(asked, one, catalogue)));
  const anyOf = memoizeByKey((key: string) => labelOfNodes(key, from));
  const staysAnyhow = memoizeByKey((key: string) => judge(anyOf(key), now.get(key)));
  const ofType = memoizeByKey((key: string) =>
    memoizeByKey((set: number) => judge(narrowed(key, labels.get(key)!.sets[set]!, from), now.get(key))),
  );
  const inOffering = memoizeByKey((offering: Offering) =>
    keys.flatMap((key) => {
      const label = labelInOffering(key, offering, from);
      return label === undefined ? [] : [{ key, stays: judge(label, now.get(key)) }];
    }),
  );
  const tally = new Tally(keys);
  // If the pool replaces each node as soon as it is initialized, no node stays.
  if ([...from.requirements.keys()].some((key) => judge(anyOf(key), undefined) === undefined)) return tally;
  for (const type of indexesOf(types)) {
    const byType = keys.map((key) => {
      const set = from.labels.has(key) ? UNKNOWN : (labels.get(key)?.of[type] ?? UNKNOWN);
      return set === UNKNOWN ? staysAnyhow(key) : ofType(key)(set);
    });
    for (const offering of open(offerings.of[type]!)) {
      const placed = inOffering(offering);
      if (placed.length === 0) tally.add(byType);
      else tally.add(byType.map((one, at) => placed.find(({ key }) => key === keys[at])?.stays ?? one));
    }
  }
  return tally;
}

/** Undefined if no node has such a label. */
export type Judged = Stays | undefined;

export function judge(label: LabelOfNodes, asked: Requirement | undefined): Judged {
  return isEmpty(label.values) && !label.absent ? undefined : nodesThatStay(label, asked);
}

/** Sums up the results for kinds of nodes. */
export class Tally implements KindsStay {
  exist = false;
  readonly byKey = new Map<string, { all: boolean; some: boolean }>();
  readonly together = { all: true, some: false };

  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
    for (const key of keys) this.byKey.set(key, { all: true, some: false });
  }

  /** @param kind in the order of the keys */
  add(kind: readonly Judged[]): void {
    if (kind.includes(undefined)) return;
    this.exist = true;
    let [all, some] = [true, true];
    for (const [index, key] of this.#keys.entries()) {
      const [stays, known] = [kind[index]!, this.byKey.get(key)!];
      all &&= stays.all;
      some &&= stays.some;
      known.all &&= stays.all;
      known.some ||= stays.some;
    }
    this.together.all &&= all;
    this.together.some ||= some;
  }
}

/** The label of a type or an offering, narrowed by the pool and its class. */
function narrowed(key: string, offered: Requirement, { requirements, ofClass }: AskedLabels): LabelOfNodes {
  const asked = [requirements.get(key), ofClass?.get(key)].filter((one) => one !== undefined);
  // A type without the label passes a contradiction, and its nodes lack the label.
  const absent = isEmpty(offered);
  return { values: asked.reduce((left, one) => intersection(left, one), offered), absent };
}

/** Undefined if the offering does not determine it, or the template sets the label. */
function labelInOffering(key: string, offering: Offering, from: AskedLabels): LabelOfNodes | undefined {
  if (from.labels.has(key)) return undefined;
  const offered = offering.requirements.get(key);
  return offered === undefined ? undefined : narrowed(key, offered, from);
}
