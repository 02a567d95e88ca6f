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
  /** The names of dependencies that are not in `charts/`. */
  readonly missing: readonly string[];
  /** `Chart.yaml` for helm: without the dependencies that are missing. */
  readonly ownText: string;
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
    const dependencies = listOf(fields["dependencies"]);
    const isMissing = (one: unknown): boolean => lacks(files, one);
    const missing = dependencies.filter(isMissing).map((one) => String(fieldsOf(one)["name"]));
    const present = dependencies.filter((one) => !isMissing(one));
    const chart: Chart = {
      top,
      name: typeof name === "string" ? name : posix.basename(top.folder),
      isLibrary: type === "library",
      files,
      textAt,
      problem: problem === undefined ? refusalOf(files) : { message: `it ${problem}` },
      missing,
      ownText: missing.length === 0 ? top.text : JSON.stringify({ ...fields, dependencies: present }),
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

function refusalOf(files: ReadonlyMap<string, Buffer>): ChartProblem | undefined {
  for (const [path, bytes] of files)
    if (bytes.includes("getHostByName")) return { message: `${path} names getHostByName, which asks the network` };
  return undefined;
}

/** Whether the chart of a dependency is not in `charts/`, as a folder or an archive. */
function lacks(files: ReadonlyMap<string, Buffer>, dependency: unknown): boolean {
  const { name } = fieldsOf(dependency);
  if (typeof name !== "string") return false;
  const isOf = (path: string) => path.startsWith(`charts/${name}/`) || path.startsWith(`charts/${name}-`);
  return ![...files.keys()].some(isOf);
}
