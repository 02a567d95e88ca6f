/** `npm test`: all that needs only Node. The other tiers are in vitest.servers.config.ts and vitest.soak.config.ts. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { PROGRAMS, VALUES } from "./test/tiers.ts";

export default defineConfig({
  test: {
    setupFiles: ["test/support/environment.ts", "test/support/property/setup.ts"],
    // A suite here that uses Go fails with the tier that it belongs to.
    env: { ANP_TEST_WITHOUT_GO: "true" },
    // Dashboard frames wait for ink only, so they run at the same time as other tests.
    maxConcurrency: 24,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Time limits are asserted only in tests about them; polls are patient, because the machine may be busy.
    expect: { poll: { timeout: 120_000 } },
    // Some suites wait for programs: with one worker more than processors, no processor is idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Half of a small suite's time is the start of its process, and loading modules that were loaded before.
      { extends: true, test: { name: "values", ...VALUES, isolate: false } },
      { extends: true, test: { name: "programs", ...PROGRAMS } },
    ],
  },
});
