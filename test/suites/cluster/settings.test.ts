/** Settings of one hosted cluster that are large or cannot be used affect no other cluster. */
import { describe, expect, test } from "vitest";
import { readSettings } from "../../../src/cluster/discover/read-settings.ts";
import { fleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import type { LogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { type KeepOptions, keepClusters } from "../../../src/cluster/run/keep-clusters.ts";

const NAMESPACE = "clusters-a";

function settingsOf(text: string) {
  const metadata = { name: "anp-watch-settings", namespace: NAMESPACE };
  return readSettings({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { "settings.yaml": text } } as never);
}

/** A list of nine, which the next line has nine times, and so on. */
function nested(levels: number, item: string): string {
  const row = (index: number): string =>
    `  x${index}: &x${index} [${Array(9)
      .fill(index === 0 ? item : `*x${index - 1}`)
      .join(",")}]\n`;
  return `renderConfig:\n${Array.from({ length: levels }, (_, index) => row(index)).join("")}`;
}

describe("settings with aliases", () => {
  test.each([
    ["many small values", nested(9, "a"), "is larger than 256 KiB"],
    ["long texts", nested(4, "a".repeat(1000)), "is larger than 256 KiB"],
    [
      "long keys",
      `renderConfig:\n  x0: &x0 {${"k".repeat(1000)}: 1}\n  x1: [${Array(300).fill("*x0").join(",")}]\n`,
      "is larger than 256 KiB",
    ],
    [
      "many levels",
      `renderConfig:\n  x0: &x0 []\n${Array.from({ length: 20_000 }, (_, index) => `  x${index + 1}: &x${index + 1} [*x${index}]\n`).join("")}`,
      "is nested deeper than 100 levels",
    ],
    ["itself", "renderConfig: &x\n  a: *x\n", "is nested deeper than 100 levels"],
  ])("that come to %s are refused", (_, text, why) => {
    const { value, problem } = settingsOf(text);
    expect(value).toEqual({});
    expect(problem).toBe(
      `ConfigMap ${NAMESPACE}/anp-watch-settings is not used: settings.yaml ${why} when its aliases are followed`,
    );
  });

  test("that come to little are taken", () => {
    const { value, problem } = settingsOf("renderConfig:\n  a: &a {team: web}\n  b: *a\n");
    expect(problem).toBeUndefined();
    expect(value).toEqual({ renderConfig: { a: { team: "web" }, b: { team: "web" } } });
  });
});

function keeping(begin: KeepOptions["begin"]) {
  const lines: LogEntry[] = [];
  const state = fleetState([], () => undefined);
  const log = (entry: LogEntry): void => void lines.push(entry);
  const keeper = keepClusters({ nameOf: (namespace) => namespace, state, log, isOurs: () => true, begin });
  return { keeper, state, lines };
}

test("what cannot be set up is its own cluster's trouble", () => {
  const begun: string[] = [];
  const { keeper, state, lines } = keeping(({ namespace }) => {
    if (namespace === NAMESPACE) throw new RangeError("Invalid string length");
    begun.push(namespace);
    return {} as never;
  });
  const settings = settingsOf("dryRun: true");
  keeper.found({ namespace: NAMESPACE, settings });
  keeper.found({ namespace: "clusters-b", settings });
  expect(begun).toEqual(["clusters-b"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: "error", msg: "not watched", fields: { cluster: NAMESPACE } });
  expect(state.fleet.clusters()[0]?.broken).toContain("RangeError: Invalid string length");
});

test("a cluster is begun anew when its settings are others, and only then", async () => {
  const begun: unknown[] = [];
  const { keeper } = keeping(({ settings }) => {
    begun.push(settings.value);
    return { stop: () => Promise.resolve() } as never;
  });
  for (const text of ["dryRun: true", "dryRun: true", "dryRun: false"]) {
    keeper.found({ namespace: NAMESPACE, settings: settingsOf(text) });
    await keeper.settled(() => true);
  }
  expect(begun).toEqual([{ dryRun: true }, { dryRun: false }]);
});
