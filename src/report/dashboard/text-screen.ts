/** A screen of lines to read: as many as fit from the current place, and how many there are. */
import { keyBar, type KeyHint, rule, titleLines, windowWords } from "./bars.ts";
import type { Look, Screen } from "./screen.ts";
import type { TextPlace, UiState } from "./ui-state.ts";

interface Page {
  readonly title: string;
  /** Painted, and at most as wide as the screen. */
  readonly lines: readonly string[];
}

export function textScreen({ title, lines }: Page, place: TextPlace, ui: UiState, look: Look): Screen {
  const room = look.rows - 4;
  const last = Math.max(0, lines.length - room);
  const top = place.top === "end" ? last : Math.min(place.top, last);
  const keys: KeyHint[] = [
    ["↑↓", "scroll"],
    ["PgUp PgDn", "page"],
    ["Esc", "back"],
    ["q", "quit"],
  ];
  return {
    top: titleLines(title, "", look),
    body: lines.slice(top, top + room),
    bottom: [rule(look, windowWords(top, room, lines.length)), keyBar(keys, ["PgUp PgDn", "↑↓"], ui.note, look)],
    content: { kind: "text", lines: lines.length, top, room },
  };
}
