/** Runs the suites that take long on purpose: many random cases, and input larger than anybody should have. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    setupFiles: ["test/property/setup.ts"],
    include: ["test/soak/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
  },
});
