/** Runs the suites that take long on purpose: many random cases, and input larger than anybody should have. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    setupFiles: ["test/property/setup.ts"],
    include: ["test/soak/**/*.test.ts"],
    // Faults are waited for most of the time, so that no processor has to be kept free.
    maxWorkers: availableParallelism(),
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
  },
});
