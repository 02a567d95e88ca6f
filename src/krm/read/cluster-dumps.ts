/** Finds the files that `anp collect` wrote in a folder: one folder for each cluster. */
import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { posix } from "node:path";
import { withSlashes } from "./disk-tree.ts";

/** The name of the file in the folder of a cluster. */
const DUMP_FILE = "cluster.json";

export interface ClusterDump {
  /** The name of the folder. */
  readonly name: string;
  readonly file: string;
  /** Whether the folder or the file is a link, which must not be followed. */
  readonly isLink: boolean;
}

/** By name; undefined if the path is no folder. Folders without the file are left out. */
export function clusterDumps(folder: string): ClusterDump[] | undefined {
  if (attempt(() => statSync(folder))?.isDirectory() !== true) return undefined;
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .flatMap((entry): ClusterDump[] => {
      const file = posix.join(withSlashes(folder), entry.name, DUMP_FILE);
      const kind = attempt(() => lstatSync(file));
      if (kind === undefined || kind.isDirectory()) return [];
      return [{ name: entry.name, file, isLink: entry.isSymbolicLink() || kind.isSymbolicLink() }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function attempt<T extends Stats | readonly unknown[]>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
