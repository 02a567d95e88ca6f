/** Values of an option or argument that its own definition does not say. */
import type { Argument, Option } from "commander";
import { INSTANCE_TYPE } from "../../karpenter/catalogue/catalogue.ts";
import { PRICE_KEYS } from "../../karpenter/catalogue/price-condition.ts";
import { REPORT_FORMATS } from "../../report/findings/format-findings.ts";
import { KIND_NAMES } from "../get/kinds.ts";
import type { Candidate, Completion } from "./line.ts";
import { namesOfInput } from "./names.ts";
import type { TypedLine } from "./words.ts";
import type { Context } from "../cli/context.ts";
import { priceTable } from "../input/load-prices.ts";
import { loadCatalogue } from "../input/load-catalogue.ts";

type Values = (line: TypedLine, context: Context) => Completion;

/** By the long name; an option that is not here says in its definition what it takes. */
const VALUES: Readonly<Record<string, Values>> = {
  "--nodepool": (line, context) => words(namesOfInput(line, context).nodePools),
  "--hosted-cluster": (line, context) => words(namesOfInput(line, context).hostedClusters),
  "--where": conditions,
  "--region": (_line, context) => words(plain(Object.keys(priceTable(context)().regions))),
  "--report": reports,
  // Or a git ref, which nobody lists here.
  "--against": () => ({ candidates: [], paths: "folders", space: true }),
  "--feature-gates": () => words(plain(["AutoNode=true", "AutoNode=false"])),
};

export function valuesOf({ long }: Option, line: TypedLine, context: Context): Completion | undefined {
  return long !== undefined && Object.hasOwn(VALUES, long) ? VALUES[long]?.(line, context) : undefined;
}

/** Of `anp get`: several kinds have commas between them. */
export function valuesOfArgument(argument: Argument, { typed }: TypedLine): Completion | undefined {
  if (argument.name() !== "types") return undefined;
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const others = KIND_NAMES.filter((name) => !before.split(",").includes(name));
  return words(plain(others.map((name) => `${before}${name}`)));
}

/** A format, and a file behind `=`. */
function reports({ typed }: TypedLine): Completion {
  if (typed.includes("=")) return { candidates: [], paths: "files", space: true };
  return { candidates: plain(REPORT_FORMATS), paths: "none", space: false };
}

/** A label key, or behind `=` and `!=` its values. */
function conditions({ typed, given }: TypedLine, context: Context): Completion {
  const { labels, offerings, wellKnown, names } = loadCatalogue(given.get("--catalogue")?.at(-1), context);
  const [, before, key] = /^(([^\s!=<>(),]+)(?:!?=|==))/.exec(typed) ?? [];
  if (before === undefined || key === undefined) {
    const offered = offerings.sets.flat().flatMap(({ requirements }) => [...requirements.keys()]);
    const keys = new Set([...wellKnown, ...labels.keys(), ...offered]);
    return { candidates: plain([...PRICE_KEYS, ...[...keys].toSorted()]), paths: "none", space: false };
  }
  const sets = labels.get(key)?.sets ?? [];
  const values = key === INSTANCE_TYPE ? names : sets.flatMap((set) => (set.complement ? [] : [...set.values]));
  return words(plain([...new Set(values)].toSorted(inNumbers).map((value) => `${before}${value}`)));
}

/** 4 comes before 16. */
function inNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function words(candidates: readonly Candidate[]): Completion {
  return { candidates, paths: "none", space: true };
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: "" }));
}
