/** Removes trailing characters in linear time, unlike a pattern such as `0+$`. */

/** @param signs each of its characters is removed */
export function withoutEnding(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
