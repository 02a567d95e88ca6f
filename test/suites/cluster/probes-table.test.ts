/** When the program is alive and ready: how long its clusters have been doing what they do in, the failures out. */
import { expect, test } from "vitest";
import { livenessFailures, readinessFailures, type Heartbeat, longPasses } from "../../../src/cluster/serve/probes.ts";

const heart = (phase: Heartbeat["phase"], seconds: number, passes = 1): Heartbeat => ({
  name: "c1",
  phase,
  phaseMs: seconds * 1000,
  passes,
});

test.each<[Heartbeat["phase"], number, number, string[]]>([
  ["running", 36_000, 60, []],
  ["waiting", 179, 60, []],
  ["waiting", 181, 60, ["c1: no pass has been started for 181 seconds"]],
  ["backing-off", 181, 1, ["c1: no pass has been started for 181 seconds"]],
  ["waiting", 3600, 3600, []],
  ["queued", 3600, 60, []],
  ["paused", 36_000, 60, []],
  ["standby", 36_000, 60, []],
])("%s for %i s at an interval of %i s", (phase, seconds, interval, failures) => {
  expect(livenessFailures([heart(phase, seconds)], interval * 1000)).toEqual(failures);
});

test("how long a pass takes is told, and changes nothing: a tenant's API server may be slow", () => {
  expect(longPasses([heart("running", 299), heart("waiting", 301)])).toEqual([]);
  expect(longPasses([heart("running", 301)])).toEqual(["c1: a pass has been running for 301 seconds"]);
});

test("who leads and has lost the lease is to start anew", () => {
  const complain = (leads: boolean, mayLead: boolean) => livenessFailures([], 60_000, { leads, mayLead });
  expect(complain(true, false)).toEqual(["the lease is lost"]);
  expect([complain(true, true), complain(false, false)]).toEqual([[], []]);
});

const leading = { isLeader: true, isInformed: true };

test.each<[string, Heartbeat, Parameters<typeof readinessFailures>[1], string[]]>([
  [
    "before the first pass",
    heart("running", 1, 0),
    { isEnding: false, leader: undefined },
    ["c1: the first pass has not ended"],
  ],
  ["one that hangs delays no other cluster", heart("queued", 61, 0), { isEnding: false, leader: undefined }, []],
  ["after it, whatever came of it", heart("backing-off", 1), { isEnding: false, leader: undefined }, []],
  [
    "leading, before it",
    heart("queued", 1, 0),
    { isEnding: false, leader: leading },
    ["c1: the first pass has not ended"],
  ],
  ["standing by", heart("standby", 1, 0), { isEnding: false, leader: { isLeader: false, isInformed: true } }, []],
  [
    "not knowing who leads",
    heart("standby", 1, 0),
    { isEnding: false, leader: { isLeader: false, isInformed: false } },
    ["the holder of the lease is not known yet"],
  ],
  ["ending", heart("waiting", 1), { isEnding: true, leader: leading }, ["ending"]],
])("ready: %s", (_, beat, facts, failures) => {
  expect(readinessFailures([beat], facts)).toEqual(failures);
});
