/** Names of files as URI references. */

/** Relative stays relative, everything special is percent-encoded. */
export function uriOf(file: string): string {
  // Encoded with its colon, a first segment such as `a:b` cannot be taken for a scheme.
  const path = file.toWellFormed().split("/").map(encodeURIComponent).join("/");
  return file.startsWith("/") ? `file://${path}` : path;
}
