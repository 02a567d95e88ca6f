/** Each lazily loaded part of the built program has all exports of its source. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const require = createRequire(import.meta.url);

test.each([
  ["show-dashboard.cjs", "report/dashboard/show-dashboard.ts"],
  ["run-watch.cjs", "cluster/run/run-watch.ts"],
  ["run-mcp.cjs", "mcp/run-mcp.ts"],
  ["run-webhook.cjs", "cluster/webhook/run-webhook.ts"],
  ["live-queries.cjs", "cluster/run/live-queries.ts"],
])("%s", async (chunk, source) => {
  const built = require(fileURLToPath(new URL(`../../../dist/${chunk}`, import.meta.url))) as object;
  const written = (await import(new URL(`../../../src/${source}`, import.meta.url).href)) as object;
  expect(Object.keys(built).toSorted()).toEqual(Object.keys(written).toSorted());
});
