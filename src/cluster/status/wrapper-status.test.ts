/** A wrapper mirrors Karpenter's status, but is not Ready if the pool can get no nodes. */
import { describe, expect, it } from "vitest";
import type { LiveObject } from "../api/live-object.ts";
import type { NotReady } from "./outcomes.ts";
import { wrapperStatus } from "./wrapper-status.ts";

const OF_CLASS = { type: "NodeClassReady", status: "True", reason: "NodeClassReady", lastTransitionTime: "t0" };
const READY = { ...OF_CLASS, type: "Ready", reason: "Ready" };
const MIRRORED = { conditions: [OF_CLASS, READY], resources: { nodes: "0" } };
const STARVED: NotReady = { reason: "NoInstanceTypes", message: "nothing is left" };
const HELD: NotReady = { reason: "Held", message: "its class is not complete" };

const NOT_READY = {
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
  it.each<[string, LiveObject, NotReady | "unknown" | undefined, Readonly<Record<string, unknown>>, object]>([
    ["nodes come", wrapper([READY]), undefined, MIRRORED, MIRRORED],
    ["nodes come again", wrapper([NOT_READY]), undefined, MIRRORED, MIRRORED],
    ["no nodes come", wrapper([READY]), STARVED, MIRRORED, { ...MIRRORED, conditions: [OF_CLASS, NOT_READY] }],
    [
      "no nodes come, as before",
      wrapper([OF_CLASS, { ...NOT_READY, lastTransitionTime: "t0" }]),
      STARVED,
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, { ...NOT_READY, lastTransitionTime: "t0" }] },
    ],
    [
      "no nodes come, for another reason than before",
      wrapper([{ ...NOT_READY, message: "another", lastTransitionTime: "t0" }]),
      STARVED,
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, { ...NOT_READY, lastTransitionTime: "t0" }] },
    ],
    ["Karpenter has written no status", wrapper(), STARVED, { conditions: null }, { conditions: [NOT_READY] }],
    ["without a verdict, and Ready before", wrapper([READY]), "unknown", MIRRORED, MIRRORED],
    [
      "without a verdict, and not Ready before",
      wrapper([NOT_READY]),
      "unknown",
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, NOT_READY] },
    ],
    ["held, and never applied", wrapper(), HELD, {}, { conditions: [{ ...NOT_READY, ...HELD }] }],
    [
      "held, and not judged now",
      wrapper([{ ...NOT_READY, ...HELD }]),
      "unknown",
      MIRRORED,
      { ...MIRRORED, conditions: [OF_CLASS, { ...NOT_READY, ...HELD }] },
    ],
  ])("%s", (_, before, found, mirrored, expected) => {
    expect(wrapperStatus(mirrored, before, found, "t1")).toEqual(expected);
  });
});
