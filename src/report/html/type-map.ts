/** The layout of a treemap: instance types in families, families in categories. */
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import type { PictureType, TypeTable } from "../../analyze/pictures/type-table.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";

/** The measure of an area. */
export const MEASURES = ["vcpu", "price"] as const;

export type Measure = (typeof MEASURES)[number];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Family extends Box {
  readonly name: string;
  /** Indexes of types in the table. */
  readonly types: readonly number[];
}

export interface TypeMap {
  /** By type; size 0 if the measure is unknown. */
  readonly cells: readonly Box[];
  readonly families: readonly Family[];
}

/** The size of all maps, which pages stretch to fit. */
export const MAP_SIZE = { width: 1600, height: 900 } as const;

interface Branch {
  readonly name: string;
  readonly type?: number;
  readonly children?: readonly Branch[];
}

/** Both maps of a table, computed once. */
export const mapsOf = memoizeByObject(({ types }: TypeTable): Readonly<Record<Measure, TypeMap>> => ({
  vcpu: layOut(types, ({ vcpus }) => vcpus),
  price: layOut(types, ({ price, spot }) => price ?? spot ?? 0),
}));

function layOut(types: readonly PictureType[], figure: (type: PictureType) => number): TypeMap {
  const isKnown = types.some((type) => figure(type) > 0);
  const root = hierarchy<Branch>(treeOf(types))
    .sum(({ type }) => (type === undefined ? 0 : isKnown ? figure(types[type]!) : 1))
    // oxlint-disable-next-line unicorn/no-array-sort -- of a hierarchy, which d3 orders in place
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0) || (a.data.name < b.data.name ? -1 : 1));
  const laid = treemap<Branch>().tile(treemapSquarify.ratio(1.3)).size([MAP_SIZE.width, MAP_SIZE.height]).round(true)(
    root,
  );
  const cells: Box[] = types.map(() => NOWHERE);
  for (const leaf of laid.leaves()) if (leaf.data.type !== undefined) cells[leaf.data.type] = boxOf(leaf);
  const families = laid
    .descendants()
    .filter(({ depth, value = 0 }) => depth === 2 && value > 0)
    .map((node) => ({
      ...boxOf(node),
      name: node.data.name,
      types: node.leaves().flatMap(({ data }) => data.type ?? []),
    }));
  return { cells, families };
}

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 };

function boxOf({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }): Box {
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}

function treeOf(types: readonly PictureType[]): Branch {
  const group = (some: readonly number[], of: (type: PictureType) => string): [string, number[]][] =>
    [...Map.groupBy(some, (type) => of(types[type]!))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const children = group([...types.keys()], ({ category }) => categoryOf(category)).map(
    ([name, ofCategory]): Branch => ({
      name,
      children: group(ofCategory, ({ family }) => family).map(([family, ofFamily]) => ({
        name: family,
        children: ofFamily.map((type) => ({ name: types[type]!.name, type })),
      })),
    }),
  );
  return { name: "", children };
}

export const CATEGORIES = {
  general: "general purpose",
  compute: "compute",
  memory: "memory",
  storage: "storage",
  accelerated: "accelerated",
  other: "other",
} as const;

export type Category = keyof typeof CATEGORIES;

const LETTERS: Readonly<Record<string, Category>> = {
  m: "general",
  t: "general",
  a: "general",
  c: "compute",
  hpc: "compute",
  r: "memory",
  x: "memory",
  u: "memory",
  z: "memory",
  i: "storage",
  d: "storage",
  h: "storage",
  im: "storage",
  is: "storage",
  g: "accelerated",
  p: "accelerated",
  inf: "accelerated",
  trn: "accelerated",
  dl: "accelerated",
  f: "accelerated",
  vt: "accelerated",
};

/** The category for the letters that Karpenter uses for the category of an instance type: `m`. */
export function categoryOf(letters: string): Category {
  return Object.hasOwn(LETTERS, letters) ? LETTERS[letters]! : "other";
}
