/** How many folders above an application's belong to its repository. */

/**
 * @param folder absolute: where the commands of the plugin run
 * @param sourcePath the application's folder in the repository (`ARGOCD_APP_SOURCE_PATH`). Argo CD may send less than
 * the whole repository (`manifest-generate-paths`): only the common end of both paths is certain to belong to it.
 * Folders above it hold other applications.
 */
export function repositoryDepth(folder: string, sourcePath: string | undefined): number {
  const actual = segments(folder);
  const expected = segments(sourcePath ?? "");
  let depth = 0;
  while (depth < expected.length && expected.at(-1 - depth) === actual.at(-1 - depth)) depth += 1;
  return depth;
}

/** The topmost folder that is known to belong to the repository. */
export function repositoryRoot(folder: string, sourcePath: string | undefined): string {
  const all = segments(folder);
  return `/${all.slice(0, all.length - repositoryDepth(folder, sourcePath)).join("/")}`;
}

/** Whether a relative path climbs over the topmost folder on its way. */
export function leavesRepository(path: string, depth: number): boolean {
  let level = depth;
  for (const segment of segments(path)) {
    level += segment === ".." ? -1 : 1;
    if (level < 0) return true;
  }
  return false;
}

function segments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
