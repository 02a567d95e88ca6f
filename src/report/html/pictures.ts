/** Answers as pages for a browser, loaded by commands with `-o html`. */

export { type ExplainedAnswer, explainPage } from "./explain-page.ts";
export { poolImage } from "./pool-image.ts";
export { planPage } from "./plan-page.ts";
export { diffPage } from "./diff-page.ts";
export { rolloutPage } from "./rollout-page.ts";
export { simulatePage } from "./simulate-page.ts";
export { whyPage } from "./why-page.ts";
export { movesPage } from "./moves-page.ts";
