/** The tables of settings that pages have agree with src/model/settings/settings.ts, and so do those of the library. */
import { expect, it } from "vitest";
import { PARAMETER_NAMES } from "../../../src/model/settings/plugin-parameter.ts";
import { type Interface, kebab, offered, type Setting } from "../../../src/model/settings/settings.ts";
import { readPage } from "../../support/docs/page.ts";

interface Table {
  readonly page: string;
  /** The beginning of its first line. */
  readonly head: string;
  readonly offer: Interface;
  /** The column of names; the first if it is left out. */
  readonly column?: number;
  /** How the table writes a name. */
  readonly form?: (name: string) => string;
  /** The other names in the column; any if it is left out. */
  readonly others?: readonly string[];
  /** It has names alone, without values and defaults. */
  readonly brief?: true;
}

const flag = (name: string): string => `--${kebab(name)}`;

const TABLES: readonly Table[] = [
  { page: "docs/argocd.md", head: "parameter", offer: "parameter", form: kebab, others: ["paths"] },
  { page: "docs/kpt.md", head: "key", offer: "functionConfig", others: [] },
  { page: "docs/library.md", head: "option | flag", offer: "option" },
  { page: "docs/library.md", head: "option | flag", offer: "option", column: 1, form: flag },
  { page: "docs/render-config.md", head: "field of `spec`", offer: "renderConfig" },
  { page: "docs/watch.md", head: "option | WatchConfig", offer: "watch", form: flag },
  { page: "docs/watch.md", head: "option | WatchConfig", offer: "watchConfig", column: 1 },
  { page: "docs/watch-fleet.md", head: "field | replaces", offer: "cluster", others: ["renderConfig"], brief: true },
];

it.each(TABLES)("$page has the settings of $offer, with their values and defaults", (table) => {
  const { page, head, offer, column = 0, form = (name) => name, others, brief } = table;
  const rows = rowsOf(page, head).flatMap((cells) =>
    namesIn(cells[column]).map((name) => [name, cells.join(" ")] as const),
  );
  const settings = Object.entries<Setting>(offered(offer)).map(([name, one]) => [form(name), one] as const);
  const known = settings.map(([name]) => name);
  const [ours, rest] = [true, false].map((isKnown) =>
    rows.map(([name]) => name).filter((name) => known.includes(name) === isKnown),
  );
  expect(ours!.toSorted()).toStrictEqual(known.toSorted());
  if (others !== undefined) expect(rest).toStrictEqual(others);
  if (brief) return;
  const texts = new Map(rows);
  const missing = settings.flatMap(([name, setting]) =>
    valuesOf(name, setting).flatMap((value) => (texts.get(name)!.includes(value) ? [] : `${name}: ${value}`)),
  );
  expect(missing).toStrictEqual([]);
});

it("lists the parameters of Argo CD in the order of its form", () => {
  expect(rowsOf("docs/argocd.md", "parameter").flatMap(([name]) => namesIn(name))).toStrictEqual([...PARAMETER_NAMES]);
});

/** The values that a setting can have, and its default. Profiles have a section of their own, in docs/render.md. */
function valuesOf(name: string, { choices = [], fallback = false }: Setting): string[] {
  if (/^(?:--)?profile$/.test(name)) return [];
  return [...choices.map((choice) => `\`${choice}\``), ...(fallback === false ? [] : [String(fallback)])];
}

/** The cells of the rows of the table with this head. */
function rowsOf(page: string, head: string): string[][] {
  const [, table = ""] = readPage(page).split(`\n| ${head} |`);
  const [lines = ""] = table.split("\n\n");
  return lines
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").slice(1, -1));
}

/** `--name VALUE` is an option with a value. */
function namesIn(cell = ""): string[] {
  return [...cell.matchAll(/`([^`\s]+)[^`]*`/g)].map(([, name]) => name!);
}
