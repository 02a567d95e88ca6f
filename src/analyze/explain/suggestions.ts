/** Suggests the label or value that was most likely meant, if the given one is unknown. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { labelSuggestion } from "../../karpenter/requirements/label-presence.ts";
import type { KnownLabels } from "../../karpenter/requirements/label-presence.ts";
import { nearestAmong } from "../../krm/values/nearest-word.ts";
import { memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { isOfNamesOnly, knownValues, unknownValues } from "./lone-entries.ts";

/** Names that other systems use for the two architectures. */
const OTHER_NAMES: Readonly<Record<string, string>> = { x86_64: "amd64", x64: "amd64", aarch64: "arm64" };

/**
 * Returns the nearest known value of a label. Memoized, because pools repeat the same values and each lookup compares
 * more than a thousand words.
 */
export const nearestValues = memoizeByObject((catalogue: Catalogue) => {
  const known = knownValues(catalogue);
  const nearest = memoizeByKey((key: string) => nearestAmong([...(known.get(key) ?? [])]));
  const seen = new Map<string, string | undefined>();
  return (key: string, value: string): string | undefined => {
    const id = `${key} ${value}`;
    if (!seen.has(id)) {
      // Numbers are near each other anyway.
      if (/^\d+$/.test(value)) return undefined;
      const other = OTHER_NAMES[value.toLowerCase()];
      const meant = nearest(key)(value, value.length < 5 ? 1 : 2);
      const isOther = meant !== undefined && OF_CODES.test(key) && isOtherCode(value, meant);
      seen.set(id, other !== undefined && known.get(key)?.has(other) === true ? other : isOther ? undefined : meant);
    }
    return seen.get(id);
  };
});

/** Labels with values that differ from each other by one letter, such as us-east-1a and us-east-1b, or c7gn and m7gn. */
const OF_CODES = /\/(?:region|zone(?:-id)?|instance-(?:type|family|category|generation|size))$/;

/** Whether the value is most likely one of its own, that the catalogue does not have. */
function isOtherCode(value: string, meant: string): boolean {
  const family = meant.split(".", 1)[0]!.length;
  const differing = [...meant].flatMap((letter, index) => (letter === value[index] ? [] : [index]));
  return value.length === meant.length && differing.length === 1 && differing[0]! < family;
}

/** The number of suggestions for one entry. */
const SHOWN = 5;

/** Suggests a label or values for an entry; none if all of its words are known. */
export function suggestionWords(
  catalogue: Catalogue,
  labels: KnownLabels,
): (demand: PoolRequirement) => readonly string[] {
  const [known, nearest] = [knownValues(catalogue), nearestValues(catalogue)];
  const keyMeant = memoizeByKey((key: string) => labelSuggestion(key, labels));
  return ({ from, requirement }) => {
    const { key } = requirement;
    if (from === "class") return [];
    // A template label `zone` is common and intended; a requirement on `zone` is most likely a mistake.
    const meant = from === "label" && !key.includes("/") ? undefined : keyMeant(key);
    if (meant !== undefined) return [meant];
    return unknownValues(requirement, known)
      .filter((value) => !isOfNamesOnly(catalogue, key, value))
      .slice(0, SHOWN)
      .flatMap((value) => nearest(key, value) ?? []);
  };
}
