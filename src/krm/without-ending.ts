/** A text without the signs that it ends with: linear, which a pattern such as `0+$` is not. */
export function withoutEnding(text: string, sign: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
