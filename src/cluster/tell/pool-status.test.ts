/** What a wrapper's status says: Karpenter's words, but Ready False where no node can come. */
import { describe, expect, it } from "vitest";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { LiveObject } from "../api/live-object.ts";
import { poolStatus } from "./pool-status.ts";

const OF_CLASS = { type: "NodeClassReady", status: "True", reason: "NodeClassReady", lastTransitionTime: "t0" };
const READY = { ...OF_CLASS, type: "Ready", reason: "Ready" };
const MIRRORED = { conditions: [OF_CLASS, READY], resources: { nodes: "0" } };
const STARVED: JudgedPool = { pool: "web", verdict: "unsatisfiable", why: "nothing is left", byPolicy: true };

const TOLD = {
  type: "Ready",
  status: "False",
  reason: "NoInstanceTypes",
  message: "nothing is left",
  observedGeneration: 3,
  lastTransitionTime: "t1",
};

function wrapper(conditions?: readonly object[]): LiveObject {
  const metadata = { name: "web", uid: "u", resourceVersion: "1", generation: 3 };
  return { apiVersion: "v1", kind: "OpenshiftNodePool", metadata, spec: {}, status: { conditions } };
}

describe("the status of a wrapper", () => {
  it.each<[string, LiveObject, JudgedPool | undefined, Readonly<Record<string, unknown>>, object]>([
    ["nodes come", wrapper([READY]), { ...STARVED, verdict: "ok" }, MIRRORED, MIRRORED],
    ["nodes come again", wrapper([TOLD]), { ...STARVED, verdict: "narrowed" }, MIRRORED, MIRRORED],
    ["nobody can tell any more", wrapper([TOLD]), { ...STARVED, verdict: "unknown" }, MIRRORED, MIRRORED],
    ["none comes", wrapper([READY]), STARVED, MIRRORED, { ...MIRRORED, conditions: [OF_CLASS, TOLD] }],
    [
      "none comes, as it was said before",
      wrapper([OF_CLASS, { ...TOLD, lastTransitionTime: "t0" }]),
      STARVED,
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, { ...TOLD, lastTransitionTime: "t0" }] },
    ],
    [
      "none comes, for another reason than before",
      wrapper([{ ...TOLD, message: "another", lastTransitionTime: "t0" }]),
      STARVED,
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, { ...TOLD, lastTransitionTime: "t0" }] },
    ],
    ["Karpenter has said nothing", wrapper(), STARVED, { conditions: null }, { conditions: [TOLD] }],
    ["not judged, and said nothing before", wrapper([READY]), undefined, MIRRORED, MIRRORED],
    [
      "not judged, and not ready before",
      wrapper([TOLD]),
      undefined,
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, TOLD] },
    ],
  ])("%s", (_, before, judged, mirrored, expected) => {
    expect(poolStatus(mirrored, before, judged, "t1")).toEqual(expected);
  });
});
