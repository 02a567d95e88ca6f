/** The look of a report: colours as functions, so that reports stay pure. */

export interface Style {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly info: (text: string) => string;
  readonly good: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

export const PLAIN: Style = { error: same, warning: same, info: same, good: same, strong: same, faint: same };
