/** The long texts that a pattern has most to do with: its own signs and words again and again, and something that ends the match. */

/** What a class may mean; of each class those are taken that it has. */
const SAMPLES = [..."aAzZf019 \t\n\r\f\v-_.,:;/\\\"'#*+@=<>()[]{}!?~&|%$^`é\u00a0\u{2028}"];

/** No pattern of ours asks for it. */
const NOBODY = "\u{10}";

export function worstTexts(source: string, size: number): string[] {
  const parts = partsOf(source);
  const pairs = parts.flatMap((one, index) => parts.slice(index + 1, index + 4).map((other) => one + other));
  const texts = [...parts, ...pairs].map((part) => part.repeat(Math.ceil(size / part.length)));
  // The first part alone often lets a match begin.
  const [first = ""] = parts;
  return texts.flatMap((text) => [text + NOBODY, first + text, `${text}\n${first}`]);
}

/** Words of letters, and of each class and escape two signs. */
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
