/** Whether a text may be a ResourceList: cheap, and sure only of a no. */
export function looksLikeResourceList(text: string): boolean {
  if (/^["']?kind["']? *: *["']?ResourceList\b/m.test(text)) return true;
  return /^\s*\{/.test(text) && /"kind"\s*:\s*"ResourceList"/.test(text);
}
