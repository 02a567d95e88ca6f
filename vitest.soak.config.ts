/**
 * `npm run test:soak`: suites that take long: many random cases, a watch under faults, each permission taken away once,
 * whole releases. `npm run test:soak:short` is the part that each change has to pass, with fewer cases.
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isShort } from "./test/support/soak/size.ts";
import { OLDER_CLUSTER, SHORT_SOAK, SOAK } from "./test/tiers.ts";

const WHOLE = [
  { extends: true, test: { name: "soak", include: SOAK } },
  {
    extends: true,
    test: { name: "soak, older cluster", include: OLDER_CLUSTER, env: { ANP_TEST_CLUSTER: "older" } },
  },
] as const;

export default defineConfig({
  test: {
    setupFiles: ["test/support/environment.ts", "test/support/property/setup.ts"],
    globalSetup: ["test/support/go/build-programs.ts"],
    ...(isShort ? { name: "soak, short", include: SHORT_SOAK } : { projects: [...WHOLE] }),
    // Tests mostly wait for faults, so no processor has to be kept free.
    maxWorkers: availableParallelism(),
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
