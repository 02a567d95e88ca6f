/** Names the keys that ink reports; ignores keys without a meaning here. */
import type { Key } from "ink";
import type { KeyName } from "./ui-state.ts";

const NAMED: readonly (readonly [keyof Key, Extract<KeyName, string>])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  // Many terminals send this for the backspace key.
  ["delete", "backspace"],
];

const CONTROL: Readonly<Record<string, KeyName>> = {
  c: "ctrl-c",
  u: "ctrl-u",
  h: "backspace",
  f: "pageDown",
  b: "pageUp",
  n: "down",
  p: "up",
};

/** Several keys, if the user types faster than frames are drawn. */
export function keyNames(input: string, key: Key): KeyName[] {
  const named = NAMED.find(([flag]) => key[flag] === true);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return [CONTROL[input] ?? []].flat();
  if (key.meta || key.tab) return [];
  return [...input].map((character) => ({ character })).filter(({ character }) => !/\p{Cc}/u.test(character));
}
