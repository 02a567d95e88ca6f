/** Folders as text: those above one, and where a relative path leads to. */

/** The folder itself and every folder above it; the root of a stream is `""`. */
export function ancestors(folder: string): string[] {
  const found = [folder];
  for (let slash = folder.lastIndexOf("/"); slash !== -1; slash = folder.lastIndexOf("/", slash - 1)) {
    found.push(folder.slice(0, slash));
    if (slash === 0) break;
  }
  if (!found.includes("")) found.push("");
  return found;
}

/** The nearest folder that holds them all; undefined of none, and where that is but the root of a disk. */
export function commonFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map(ancestors);
  const common = first?.find((folder) => others.every((other) => other.includes(folder)));
  return common === "" && folders.some((folder) => folder.startsWith("/")) ? undefined : common;
}

/** A relative path from a folder; nothing is above the root. */
export function folderAt(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const isStream = !folder.startsWith("/");
  return (isStream ? parts.filter((part) => part !== "") : parts).join("/");
}
