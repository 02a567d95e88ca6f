/** Runs every suite that answers within minutes; what takes longer is in vitest.soak.config.ts. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Suites that hold no more than values: beside the code, and these. Nothing of one file is left for the next. */
const OF_VALUES = [
  "src/**/*.test.ts",
  ...["adopt", "docs", "golden", "hostile", "migrate", "oracle", "oracle-v1beta1", "property", "schemas"].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
];

export default defineConfig({
  test: {
    setupFiles: ["test/environment.ts", "test/property/setup.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // How long something takes on a busy machine is asserted where it is the point, and nowhere by the patience of a poll.
    expect: { poll: { timeout: 30_000 } },
    // Many suites wait for servers: with one more than there are processors, none of those stands idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Half of the time of a small suite is the start of its process, and loading what the last one had loaded.
      { extends: true, test: { name: "values", include: OF_VALUES, isolate: false } },
      {
        extends: true,
        test: {
          name: "programs",
          globalSetup: ["test/watch/lend-rigs.ts"],
          include: ["test/**/*.test.ts"],
          exclude: ["test/soak/**", "node_modules/**", ...OF_VALUES],
        },
      },
    ],
  },
});
