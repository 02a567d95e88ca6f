/** An index that finds the objects with a selector that matches given labels. */
import { type Labels, selects } from "../../karpenter/scheduling/label-selector.ts";
import { textsAt } from "../../krm/places/text-at.ts";

/**
 * The index returns the first two items of a namespace that select the labels. Callers need to know if there are
 * several.
 */
export function bySelector<T>(
  items: readonly T[],
  namespaceOf: (item: T) => string,
  selectorOf: (item: T) => unknown,
): (namespace: string, labels: Labels) => readonly T[] {
  const namespaces = Map.groupBy(items.keys(), (index) => namespaceOf(items[index]!));
  const indices = new Map([...namespaces].map(([name, own]) => [name, indexOf(own, (at) => selectorOf(items[at]!))]));
  return (namespace, labels) => (indices.get(namespace)?.(labels) ?? []).map((at) => items[at]!);
}

/** A selector with matchLabels is listed under the rarest of them, so only objects with that label evaluate it. */
function indexOf(own: readonly number[], selectorOf: (at: number) => unknown): (labels: Labels) => readonly number[] {
  const matchLabels = new Map(
    own.map((at) => [at, Object.entries(textsAt(selectorOf(at), ["matchLabels"])).map(pairOf)]),
  );
  const counts = new Map<string, number>();
  for (const pairs of matchLabels.values()) for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const rarest = (pairs: readonly string[]) =>
    pairs.reduce<string | undefined>(
      (best, pair) => (best === undefined || counts.get(pair)! < counts.get(best)! ? pair : best),
      undefined,
    );
  const byPair = Map.groupBy(own, (at) => rarest(matchLabels.get(at)!));
  const answers = new Map<string, readonly number[]>();
  return (labels) => {
    // Pods of one workload have the same labels, so answers are kept.
    const pairs = Object.entries(labels).map(pairOf);
    const key = JSON.stringify(pairs.toSorted());
    let answer = answers.get(key);
    if (answer === undefined) {
      const asked = [undefined, ...pairs].map((pair) => firstTwo(byPair.get(pair) ?? [], labels, selectorOf));
      answer = asked
        .flat()
        .toSorted((a, b) => a - b)
        .slice(0, 2);
      answers.set(key, answer);
    }
    return answer;
  };
}

function firstTwo(of: readonly number[], labels: Labels, selectorOf: (at: number) => unknown): number[] {
  const found: number[] = [];
  for (const at of of) {
    if (selects(selectorOf(at), labels)) found.push(at);
    if (found.length === 2) break;
  }
  return found;
}

function pairOf(pair: readonly [string, string]): string {
  return JSON.stringify(pair);
}
