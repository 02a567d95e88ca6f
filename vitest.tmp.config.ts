/** `npm run test:servers`: every suite with a program that is not ours, built of its Go module before the first test. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SERVERS } from "./test/tiers.ts";

export default defineConfig({
  test: {
    name: "servers",
    setupFiles: ["test/support/environment.ts", "test/support/property/setup.ts"],
    globalSetup: ["test/support/watch/lend-rigs.ts"],
    include: SERVERS,
    // Most of them wait for servers: with one worker more than processors, no processor is idle.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
