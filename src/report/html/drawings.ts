/** Shared drawings of a page, each drawn once: outlines, maps, dots and their data. */
import type { TypeTable } from "../../analyze/pictures/type-table.ts";
import { type Kind, PATTERNS, sharedMap, sharedOutlines } from "./draw-map.ts";
import { axesOf, sharedAxes, sharedDots } from "./draw-scatter.ts";
import { html, type Markup } from "./markup.ts";
import { categoryOf } from "./type-map.ts";

export interface Drawn {
  /** The id of the shared drawings. */
  readonly id: string;
  /** The first place that shows it; undefined at that place. */
  readonly sameAs: string | undefined;
}

interface Drawing {
  readonly table: number;
  /** The kind of each type, as a number. */
  readonly fates: ArrayLike<number>;
  /** The look of each kind. */
  readonly kinds: readonly Kind[];
  readonly isSpot?: boolean;
  /** Groups of dots by kind, unless dots are coloured by category; a kind without a group has no dots. */
  readonly dots?: Readonly<Partial<Record<Kind, string>>>;
}

/** Pools of one policy often have the same types left, so equal drawings are shared. */
export class Drawings {
  readonly tables: readonly TypeTable[];
  readonly #known = new Map<string, { readonly id: string; readonly by: string }>();
  readonly #shared: Markup[] = [];
  readonly #sets: unknown[] = [];

  constructor(tables: readonly TypeTable[]) {
    this.tables = tables;
  }

  /** @param by the id of the place that shows it */
  draw(drawing: Drawing, by: string): Drawn {
    const { table: at, fates, kinds, isSpot = false, dots } = drawing;
    const table = this.tables[at]!;
    const kindOf = (type: number): Kind => kinds[fates[type]!]!;
    const runs = runsOf(table.types.length, kindOf);
    const identity = JSON.stringify([at, isSpot, runs]);
    const known = this.#known.get(identity);
    if (known !== undefined) return { id: known.id, sameAs: known.by };
    const id = `m${this.#known.size}`;
    this.#known.set(identity, { id, by });
    const groupOf = (type: number): string | undefined => {
      const kind = kindOf(type);
      if (dots !== undefined) return dots[kind];
      return kind === "left" ? categoryOf(table.types[type]!.category) : undefined;
    };
    this.#shared.push(sharedMap(id, table, kindOf), sharedDots(`${id}s`, table, { isSpot, groupOf }));
    return { id, sameAs: undefined };
  }

  /** The types of a picture, for the page's script: the text on each type. @returns the index of the set */
  describe(table: number, fates: ArrayLike<number>, words: readonly string[]): number {
    return this.#sets.push([table, runsOf(this.tables[table]!.types.length, (type) => fates[type]!), words]) - 1;
  }

  /** Comes before all uses. */
  get shared(): Markup {
    const tables = this.tables.map((table, at) => html`${sharedOutlines(table, at)}${sharedAxes(table, at)}`);
    return html`<svg width="0" height="0" aria-hidden="true" focusable="false">
      <defs>${PATTERNS} ${tables}${this.#shared}</defs>
    </svg>`;
  }

  get data(): unknown {
    return { tables: this.tables.map(tableData), sets: this.#sets };
  }
}

/** `[kind, how many, kind, how many]` in the order of the table, where families are together. */
export function runsOf<T>(length: number, of: (index: number) => T): (T | number)[] {
  const runs: (T | number)[] = [];
  let start = 0;
  for (let at = 1; at <= length; at++) {
    if (at < length && of(at) === of(start)) continue;
    runs.push(of(start), at - start);
    start = at;
  }
  return runs;
}

/** By column, to be short. */
function tableData(table: TypeTable): unknown {
  const { types, prices } = table;
  const { vcpus, price } = axesOf(table);
  return {
    names: types.map(({ name }) => name).join(" "),
    vcpus: types.map((type) => type.vcpus),
    gib: types.map(({ memory }) => Math.round(memory / 102.4) / 10),
    price: types.map((type) => type.price),
    spot: types.some(({ spot }) => spot !== null) ? types.map(({ spot }) => spot) : null,
    category: types.map(({ category }) => categoryOf(category)[0]).join(""),
    currency: prices?.currency ?? "",
    about: prices?.insteadOf === undefined ? "" : "≈ ",
    axes: [...vcpus, ...price],
  };
}
