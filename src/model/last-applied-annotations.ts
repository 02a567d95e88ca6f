/** Annotations in which tools keep the whole object as they applied it, including secrets. */

const COPIES = [
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
  /^kapp\.k14s\.io\/original$/,
  // Compressed, so its content cannot be inspected.
  /^objectset\.rio\.cattle\.io\/applied$/,
];

export function isLastAppliedAnnotation(annotation: string): boolean {
  return COPIES.some((pattern) => pattern.test(annotation));
}
