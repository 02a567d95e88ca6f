/**
 * Runs attacks against a guard in the API and in files, on real API servers: the table of docs/guard.md, row by row.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Attack } from "../../support/guard/attacks/attack.ts";
import { OF_CLUSTER_ADMINS } from "../../support/guard/attacks/cluster-admin.ts";
import { type Guarded, startGuarded } from "../../support/guard/attacks/guarded-clusters.ts";
import { OF_POOL_AUTHORS } from "../../support/guard/attacks/pool-author.ts";
import { OF_TENANTS } from "../../support/guard/attacks/tenant.ts";

const ATTACKS: readonly Attack[] = [...OF_POOL_AUTHORS, ...OF_TENANTS, ...OF_CLUSTER_ADMINS];

describe.each(["api", "static"] as const)("against a guard of the form %s", (form) => {
  let on: Guarded;

  beforeAll(async () => {
    on = await startGuarded(form);
  });

  afterAll(async () => {
    await on?.stop();
  });

  test.each(
    ATTACKS.filter(({ files }) => form === "api" || files !== "–").map(
      (attack) => [attack.who, attack.tries, attack] as const,
    ),
  )("a %s tries to %s", async (_who, _tries, { act, api, files = api }) => {
    expect(await act(on)).toBe(form === "api" ? api : files);
  });
});

test("docs/guard.md lists each attack with its user, outcome and defence", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/guard.md"), "utf8");
  const rows = ATTACKS.map(
    ({ who, tries, api, files = api, by }) => `| ${who} | ${tries} | ${api} | ${files} | ${by} |`,
  );
  const [, table = ""] = /\n## Attacks\n[^#]*?\n\| --- [^\n]*\n((?:\|[^\n]*\n)+)/.exec(docs) ?? [];
  expect(table.trimEnd().split("\n")).toEqual(rows);
});
