/** Tests for which pods Karpenter provisions nodes: one field of a pod is changed at a time. */
import { expect, it } from "vitest";
import { isProvisionable } from "./provisionable.ts";

const waiting = { type: "PodScheduled", status: "False", reason: "Unschedulable" };
const owned = (apiVersion: string, kind: string) => ({
  metadata: { ownerReferences: [{ apiVersion, kind, name: "a", controller: true }] },
});
const status = (more: object) => ({ status: { phase: "Pending", conditions: [waiting], ...more } });

it.each<[what: string, changes: object, expected: boolean]>([
  ["one that the scheduler has found no node for", {}, true],
  ["with other conditions before", status({ conditions: [{ type: "Ready" }, waiting] }), true],
  ["one that the scheduler has not seen", status({ conditions: [] }), false],
  ["without a status", { status: undefined }, false],
  ["one that is gated", status({ conditions: [{ ...waiting, reason: "SchedulingGated" }] }), false],
  ["one that another scheduler has seen", status({ conditions: [{ ...waiting, reason: "MATCH_NODE" }] }), false],
  ["one with a node", { spec: { nodeName: "node-a" } }, false],
  ["one that takes the place of others", status({ nominatedNodeName: "node-a" }), false],
  ["one whose nomination is empty", status({ nominatedNodeName: "" }), true],
  ["one that has ended", status({ phase: "Failed" }), false],
  ["one of a ReplicaSet", owned("apps/v1", "ReplicaSet"), true],
  ["one of a DaemonSet", owned("apps/v1", "DaemonSet"), false],
  ["one of another group's DaemonSet", owned("apps.kruise.io/v1alpha1", "DaemonSet"), true],
  ["a mirror of the kubelet's own", owned("v1", "Node"), false],
])("%s", (_what, changes, expected) => {
  expect(isProvisionable({ metadata: { name: "a" }, spec: {}, ...status({}), ...changes })).toBe(expected);
});
