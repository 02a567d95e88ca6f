/** What somebody most likely meant by a label or a value that no instance type has. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { labelMeant } from "../../karpenter/requirements/label-meant.ts";
import type { KnownLabels } from "../../karpenter/requirements/label-presence.ts";
import { nearestWord } from "../../krm/nearest-word.ts";
import { oncePer, oncePerObject } from "../../model/once.ts";
import type { Demand } from "../../resolve/demands.ts";
import { knownValues } from "./known-values.ts";
import { unknownValues } from "./lone-entries.ts";

/** What people from other systems write for the two architectures. */
const OTHER_NAMES: Readonly<Record<string, string>> = { x86_64: "amd64", x64: "amd64", aarch64: "arm64" };

/** Of a label and a value. Pools ask for the same things over and over, and each of more than a thousand words is looked at. */
export const nearestValues = oncePerObject((catalogue: Catalogue) => {
  const known = knownValues(catalogue);
  const seen = new Map<string, string | undefined>();
  return (key: string, value: string): string | undefined => {
    const id = `${key} ${value}`;
    if (!seen.has(id)) {
      const words = [...(known.get(key) ?? [])];
      const other = OTHER_NAMES[value.toLowerCase()];
      const limit = value.length < 5 ? 1 : 2;
      seen.set(id, other !== undefined && words.includes(other) ? other : nearestWord(value, words, limit));
    }
    return seen.get(id);
  };
});

/** As many words are told of one entry. */
const SHOWN = 5;

/** Of each entry the label or the values that its author most likely meant; none where it means what it says. */
export function meantWords(catalogue: Catalogue, labels: KnownLabels): (demand: Demand) => readonly string[] {
  const [known, nearest] = [knownValues(catalogue), nearestValues(catalogue)];
  const keyMeant = oncePer((key: string) => labelMeant(key, labels));
  return ({ from, requirement }) => {
    const { key } = requirement;
    if (from === "class") return [];
    // A label `zone` of one's own is common; a requirement on it is none.
    const meant = from === "label" && !key.includes("/") ? undefined : keyMeant(key);
    if (meant !== undefined) return [meant];
    return unknownValues(requirement, known)
      .slice(0, SHOWN)
      .flatMap((value) => nearest(key, value) ?? []);
  };
}
