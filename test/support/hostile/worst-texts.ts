/** Generates the worst long texts for a pattern: its own characters and words repeated, then a mismatch. */

/** Candidates for character classes; those that a class contains are used. */
const SAMPLES = [..."aAzZf019 \t\n\r\f\v-_.,:;/\\\"'#*+@=<>()[]{}!?~&|%$^`é\u00a0\u{2028}"];

/** None of our patterns needs it. */
const UNUSED_CHARACTER = "\u{10}";

export function worstTexts(source: string, size: number): string[] {
  const parts = partsOf(source);
  const pairs = parts.flatMap((one, index) => parts.slice(index + 1, index + 4).map((other) => one + other));
  const texts = [...parts, ...pairs].map((part) => part.repeat(Math.ceil(size / part.length)));
  // The first part alone often starts a match.
  const [first = ""] = parts;
  return texts.flatMap((text) => [text + UNUSED_CHARACTER, first + text, `${text}\n${first}`]);
}

/** Words of letters, and two characters of each class and escape. */
function partsOf(source: string): string[] {
  const parts = new Set<string>();
  for (const [token] of source.matchAll(
    /\[(?:[^\]\\]|\\[^])*\]|\\(?:[pPu]\{[^}]*\}|[^])|[A-Za-z-]{2,}|[^()?*+{}|^$\\]/g,
  )) {
    if (/^[A-Za-z0-9-]{2,}$/.test(token) || /^[^[\\.]$/.test(token)) parts.add(token);
    else if (!/^\\[bBk]$/.test(token)) for (const sample of samplesOf(token)) parts.add(sample);
  }
  return [...parts].slice(0, 14);
}

function samplesOf(token: string): string[] {
  const one = new RegExp(`^(?:${token})$`, /\\[pP]|\\u\{/.test(token) ? "u" : "");
  return SAMPLES.filter((sample) => one.test(sample)).slice(0, 2);
}
