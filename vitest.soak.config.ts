/** Runs the suites that take long: many random cases, a watch under faults, each permission taken away once, whole releases. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    setupFiles: ["test/environment.ts", "test/property/setup.ts"],
    include: ["test/soak/**/*.test.ts"],
    // Faults are waited for most of the time, so that no processor has to be kept free.
    maxWorkers: availableParallelism(),
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
