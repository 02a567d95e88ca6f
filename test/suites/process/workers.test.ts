/** The built program starts worker threads of itself, and they do the work. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, NODE } from "../../support/process/built.ts";
import { workOnce } from "../../support/watch-workers/fake-management.ts";

test(
  "a watch that finds its clusters works on them in threads of the built program",
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "anp-workers-"));
    const { exit, log } = await workOnce(folder, [NODE, BIN]);
    expect(log).toMatch(/msg="worker started" worker=1 memory=96Mi/);
    expect(log).toMatch(/there is no Secret clusters-lonely\/hcco-kubeconfig/);
    expect(exit).toBe(0);
  },
);
