/** Folders as text: their ancestors, and the target of a relative path. */

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

/** The nearest folder that holds them all; undefined for an empty list, and if it would be the root of a disk. */
export function commonFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map(ancestors);
  const common = first?.find((folder) => others.every((other) => other.includes(folder)));
  return common === "" && folders.some((folder) => folder.startsWith("/")) ? undefined : common;
}

/** Resolves a relative path from a folder; nothing is above the root. */
export function folderAt(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const isStream = !folder.startsWith("/");
  return (isStream ? parts.filter((part) => part !== "") : parts).join("/");
}
