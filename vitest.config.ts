/** Runs every suite that answers within minutes; what takes longer is in vitest.soak.config.ts. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    setupFiles: ["test/property/setup.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/soak/**", "node_modules/**"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
