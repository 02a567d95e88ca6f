/** Which nodes a pool may have over a catalogue, and which of them meet other requirements. */
import { type Catalogue, type Offering, UNKNOWN } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { intersection, isEmpty, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import type { Requirements } from "../../../karpenter/requirements/requirements.ts";
import { oncePer } from "../../../model/once.ts";
import { type AskedLabels, type LabelOfNodes, labelOfNodes } from "../../explain/label-of-nodes.ts";
import { type Stays, whoStays } from "../change-requirements.ts";
import { isOpenTo } from "./places.ts";

/** Of all nodes that a pool may have. */
export interface KindsStay {
  /** Whether there are any. */
  readonly exist: boolean;
  readonly byKey: ReadonlyMap<string, Stays>;
  readonly together: Stays;
}

/**
 * A node is of one type in one offering, and these settle most of its labels together; what they leave open is any
 * that the pool leaves, label by label.
 *
 * @param types that the pool may launch
 * @param asked what its nodes are launched for: entries, template labels, what the class needs
 * @param now what is asked of the nodes that there are
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
  const open = oncePer((set: number) => offerings.sets[set]!.filter((one) => isOpenTo(asked, one, catalogue)));
  const anyOf = oncePer((key: string) => labelOfNodes(key, from));
  const staysAnyhow = oncePer((key: string) => judge(anyOf(key), now.get(key)));
  const ofType = oncePer((key: string) =>
    oncePer((set: number) => judge(narrowed(key, labels.get(key)!.sets[set]!, from), now.get(key))),
  );
  const inOffering = oncePer((offering: Offering) =>
    keys.flatMap((key) => {
      const label = labelInOffering(key, offering, from);
      return label === undefined ? [] : [{ key, stays: judge(label, now.get(key)) }];
    }),
  );
  const tally = new Tally(keys);
  // Where its own pool replaces each of them as soon as it is up, there is none to keep.
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

/** Undefined where no node has such a label. */
export type Judged = Stays | undefined;

export function judge(label: LabelOfNodes, asked: Requirement | undefined): Judged {
  return isEmpty(label.values) && !label.absent ? undefined : whoStays(label, asked);
}

/** What becomes of kinds of nodes, one after the other. */
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

/** Of what a type, or an offering, says of a label, what the pool and its class leave. */
function narrowed(key: string, said: Requirement, { requirements, ofClass }: AskedLabels): LabelOfNodes {
  const asked = [requirements.get(key), ofClass?.get(key)].filter((one) => one !== undefined);
  // A type without the label passes a contradiction: its nodes lack the label.
  const absent = isEmpty(said);
  return { values: asked.reduce((left, one) => intersection(left, one), said), absent };
}

/** Undefined where the offering does not say it; the template's own label stays. */
function labelInOffering(key: string, offering: Offering, from: AskedLabels): LabelOfNodes | undefined {
  if (from.labels.has(key)) return undefined;
  const said = offering.requirements.get(key);
  return said === undefined ? undefined : narrowed(key, said, from);
}
