/** The elements that ink draws for a screen's lines. */
import { Box, Text } from "ink";
import { createElement, type ReactElement } from "react";
import type { Screen, Size } from "./screen.ts";

/** The top is at the top, the bottom at the bottom of the terminal. */
export function Frame({ screen, size }: { readonly screen: Screen; readonly size: Size }): ReactElement {
  const { top, body, bottom } = screen;
  return createElement(
    Box,
    { flexDirection: "column", width: size.columns, height: size.rows },
    createElement(Box, { flexDirection: "column", flexShrink: 0 }, ...top.map(lineElement)),
    createElement(Box, { flexDirection: "column", flexGrow: 1, overflow: "hidden" }, ...body.map(lineElement)),
    createElement(Box, { flexDirection: "column", flexShrink: 0 }, ...bottom.map(lineElement)),
  );
}

function lineElement(line: string, index: number): ReactElement {
  // An empty text has no height. What were too wide would go on in the next line.
  return createElement(Text, { key: index, wrap: "truncate-end" }, line === "" ? " " : line);
}
