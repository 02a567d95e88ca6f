/** The formats that `anp diff -o` can name. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { diffGithub } from "./github.ts";
import { diffJson } from "./json.ts";
import { diffMarkdown } from "./markdown.ts";
import { diffText, type DiffTextOptions } from "./text.ts";

export const DIFF_FORMATS = ["text", "json", "markdown", "github"] as const;

export type DiffFormat = (typeof DIFF_FORMATS)[number];

interface DiffOptions extends DiffTextOptions {
  readonly mode: InputMode;
  /** How many keep something from being compared. */
  readonly errors?: number;
}

/** @param options for text; the other formats are never coloured */
export function formatDiff(format: DiffFormat, changes: readonly Change[], options: DiffOptions): string {
  switch (format) {
    case "text":
      return diffText(changes, options);
    case "json":
      return diffJson(changes, options.mode, options.policies);
    case "markdown":
      return diffMarkdown(changes, options.errors, options.policies);
    case "github":
      return diffGithub(changes, options.policies);
  }
}
