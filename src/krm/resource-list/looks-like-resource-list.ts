/** A cheap test whether a text may be a ResourceList: only a negative answer is certain. */
export function looksLikeResourceList(text: string): boolean {
  if (/^["']?kind["']? *: *["']?ResourceList\b/m.test(text)) return true;
  return /^\s*\{/.test(text) && /"kind"\s*:\s*"ResourceList"/.test(text);
}
