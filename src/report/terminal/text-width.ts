/** How many columns of a terminal characters take. */

const ON_OTHERS = /^[\p{Mn}\p{Me}]$|^[\u200b-\u200d]$/u;

/** East Asian wide and full-width characters, and what is drawn as a picture. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u;

/** None for marks on others, two for wide ones, one for the rest. */
export function textWidth(characters: readonly string[]): number {
  const widths = characters.map((character) => (ON_OTHERS.test(character) ? 0 : WIDE.test(character) ? 2 : 1));
  return widths.reduce<number>((sum, width) => sum + width, 0);
}
