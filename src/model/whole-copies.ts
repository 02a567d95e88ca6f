/** Annotations in which tools keep the whole object as they applied it, secrets and all. */

const COPIES = [
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
  /^kapp\.k14s\.io\/original$/,
  // Packed: nobody sees what is in it.
  /^objectset\.rio\.cattle\.io\/applied$/,
];

export function isWholeCopy(annotation: string): boolean {
  return COPIES.some((pattern) => pattern.test(annotation));
}
