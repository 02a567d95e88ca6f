/** Answers as pages for a browser: what commands load when somebody asks for one. */

export { type ExplainedAnswer, explainPage } from "./explain-page.ts";
export { diffPage } from "./diff-page.ts";
export { simulatePage } from "./simulate-page.ts";
