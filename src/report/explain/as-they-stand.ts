/** The last lines of an answer on Karpenter's own objects, which have no wrappers. */
import type { InputMode } from "../../model/input-mode.ts";
import type { Style } from "../terminal/style.ts";
import { wrapText } from "../terminal/wrap.ts";

/** Empty for a hosted cluster. */
export function asTheyStand(mode: InputMode, { style, width }: { readonly style: Style; readonly width: number }) {
  return mode === "raw" ? wrapText(WORDS, width).map(style.faint) : [];
}

const WORDS = "NodePools as they are: the input has no policy and no wrapper";
