/** Reads the files of a Helm chart: what helm gets of it, and why it gets nothing. */
import { posix } from "node:path";
import type { Source } from "../places/source.ts";
import { below, type FilesBeside } from "../read/file-tree.ts";
import { MAX_INPUT_BYTES, utf8Text } from "../read/input-bytes.ts";
import { fieldsOf, listOf } from "../values/fields.ts";
import { valueIn } from "./whole-file.ts";

export function isChartFile(file: string): boolean {
  return posix.basename(file) === "Chart.yaml";
}

export interface Chart {
  /** Its `Chart.yaml`. */
  readonly top: Source;
  readonly name: string;
  readonly isLibrary: boolean;
  /** By their paths in the chart. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** A file of it as text, by its path in the chart. */
  readonly textAt: (path: string) => Source | undefined;
  readonly problem: ChartProblem | undefined;
}

export interface ChartProblem {
  readonly message: string;
  /** What to run in place of `helm template`. */
  readonly command?: string;
}

const MOST_FILES = 10_000;
const MOST_DEEP = 20;

/** Reads charts, all together within the limits of an input. */
export class ChartReader {
  readonly #files: FilesBeside;
  readonly #known = new Map<string, Chart>();
  #bytes = 0;

  constructor(files: FilesBeside) {
    this.#files = files;
  }

  read(top: Source): Chart {
    const known = this.#known.get(top.folder);
    if (known !== undefined) return known;
    const files = new Map<string, Buffer>();
    const fields = fieldsOf(valueIn(top));
    const problem = this.#collect(top, files);
    const texts = new Map<string, Source | undefined>();
    const textAt = (path: string): Source | undefined => {
      if (!texts.has(path)) texts.set(path, this.#sourceOf(top, path, files.get(path)));
      return texts.get(path);
    };
    const { name, type } = fields;
    const refused =
      problem === undefined ? refusalOf(top, files, fields["dependencies"]) : { message: `it ${problem}` };
    const chart: Chart = {
      top,
      name: typeof name === "string" ? name : posix.basename(top.folder),
      isLibrary: type === "library",
      files,
      textAt,
      problem: refused,
    };
    this.#known.set(top.folder, chart);
    return chart;
  }

  /** Why not all of them are there. */
  #collect(top: Source, files: Map<string, Buffer>): string | undefined {
    const waiting = [""];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (path.split("/").length > MOST_DEEP) return `has more than ${MOST_DEEP} folders in each other`;
      const entries = this.#files.entriesOf(below(top.folder, path).replace(/\/$/, ""), top);
      if (typeof entries === "string") return `has the folder ${path}, which ${entries}`;
      for (const { name, type } of entries) {
        const inside = path === "" ? name : `${path}/${name}`;
        // A schema can name addresses, and helm reads them (docs/upstream/hosts.md#helm).
        if (name === ".git" || name === SCHEMA) continue;
        if (type === "folder") waiting.push(inside);
        else if (type === "link") return `holds the link ${inside}, and links are not followed`;
        else if (type !== "file") return `holds ${inside}, which is no file`;
        else {
          const found = this.#files.at(below(top.folder, inside), top);
          if (found === "folder") return `holds ${inside}, which is no file`;
          if ("problem" in found) return `holds ${inside}, which ${found.problem}`;
          this.#bytes += found.bytes.length;
          if (this.#bytes > MAX_INPUT_BYTES || files.size >= MOST_FILES) return `holds more than anp reads`;
          files.set(inside, found.bytes);
        }
      }
    }
    return undefined;
  }

  #sourceOf(top: Source, path: string, bytes: Buffer | undefined): Source | undefined {
    const text = bytes === undefined ? undefined : utf8Text(bytes);
    if (typeof text !== "string") return undefined;
    const place = below(top.folder, path);
    return textSource(top, this.#files.fileOf(place, top), place, text);
  }
}

const SCHEMA = "values.schema.json";

/** A file that is read beside another one. */
export function textSource({ trusted }: Source, file: string, place: string, text: string): Source {
  // A line of it may hold both.
  const hidden = /secret|user-?data/i.test(text) ? { withoutExcerpts: true } : {};
  return { file, folder: posix.dirname(place), text, explicit: false, trusted, config: false, ...hidden };
}

function refusalOf(top: Source, files: ReadonlyMap<string, Buffer>, dependencies: unknown): ChartProblem | undefined {
  for (const [path, bytes] of files)
    if (bytes.includes("getHostByName")) return { message: `${path} names getHostByName, which asks the network` };
  const paths = [...files.keys()];
  const missing = listOf(dependencies).flatMap((one) => {
    const { name } = fieldsOf(one);
    if (typeof name !== "string") return [];
    return paths.some((path) => path.startsWith(`charts/${name}/`) || path.startsWith(`charts/${name}-`)) ? [] : [name];
  });
  if (missing.length === 0) return undefined;
  const command = `helm dependency build ${posix.dirname(top.file)}`;
  return { message: `its dependency ${missing[0]} is not in charts/, and anp fetches nothing`, command };
}
