/** `npm test`: all that needs only Node. The other tiers are in vitest.servers.config.ts and vitest.soak.config.ts. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { PROGRAMS, VALUES } from "./test/tiers.ts";

export default defineConfig({
  test: {
    setupFiles: ["test/support/environment.ts", "test/support/property/setup.ts"],
    // A suite that asks Go here is told where it belongs.
    env: { ANP_TEST_WITHOUT_GO: "true" },
    // Frames of the dashboard, which wait for ink, and for nothing that another test does.
    maxConcurrency: 24,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // How long something takes on a busy machine is asserted where it is the point, and nowhere by the patience of a poll.
    expect: { poll: { timeout: 30_000 } },
    // Some suites wait for programs: with one more than there are processors, none of those stands idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Half of the time of a small suite is the start of its process, and loading what the last one had loaded.
      { extends: true, test: { name: "values", ...VALUES, isolate: false } },
      { extends: true, test: { name: "programs", ...PROGRAMS } },
    ],
  },
});
