/** `anp why` on a pod: why it waits, or why it runs where it does, and whether it may move. */
import { textAt } from "../../krm/places/text-at.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { podBlockers } from "../disrupt/pod-blockers.ts";
import { type HeldPod, heldPodOf, isEvicted } from "../nodes/held-pod.ts";
import { isPodBudget } from "../nodes/node-pairs.ts";
import type { PlanAnswer } from "../plan/plan-answer.ts";
import { describeBlocker } from "./describe-reasons.ts";
import type { WhyAnswer } from "./why-answer.ts";
import { unanswered } from "./why-node.ts";
import type { WhyWorld } from "./why-world.ts";

/**
 * @param objects those of the dump
 * @param plan for the pending pods of the dump
 */
export function whyPod(pod: Resource, objects: readonly Resource[], plan: PlanAnswer, world: WhyWorld): WhyAnswer {
  const held = heldPodOf(pod.value, objects.filter(isPodBudget));
  const node = textAt(pod.value, ["spec", "nodeName"]) ?? null;
  const state = world.disruption.nodes.find(({ life }) => life.name === node);
  const described = node === null ? pendingPod(held.name, plan) : runningPod(pod, held, { node, state }, world);
  return { ...unanswered("pod", world), node, nodePool: state?.nodePool ?? null, pod: described };
}

type DescribedPod = NonNullable<WhyAnswer["pod"]>;

function runningPod(
  pod: Resource,
  held: HeldPod,
  { node, state }: { readonly node: string; readonly state: NodeState | undefined },
  { disruption: { at } }: WhyWorld,
): DescribedPod {
  const blockers = podBlockers(held, at);
  const going = state?.life.deleting === true ? "; the node is going" : "";
  return {
    name: held.name,
    why: `${placedWords(pod, node)}${going}`,
    movable: held.active && isEvicted(pod.value) && blockers.length === 0,
    held: blockers.map(describeBlocker),
    expected: null,
    planned: null,
    attempts: [],
  };
}

function pendingPod(pod: string, { existing, nodeClaims, unplaced }: PlanAnswer): DescribedPod {
  const isThis = ({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean =>
    `${namespace}/${name}` === pod;
  const there = existing.find(({ pods }) => pods.some(isThis));
  const claim = nodeClaims.find(({ pods }) => pods.some(isThis));
  const none = unplaced.find(isThis);
  const known = { name: pod, movable: null, held: [], attempts: none?.attempts ?? [] };
  if (there !== undefined) {
    const why = `it is pending, and Karpenter expects it on ${there.node}, which is there`;
    return { ...known, why, expected: there.node, planned: null };
  }
  if (claim !== undefined) {
    const why = `it is pending, and Karpenter starts a node of NodePool ${claim.nodePool} for it`;
    return { ...known, why, expected: null, planned: { nodePool: claim.nodePool, instanceTypes: claim.instanceTypes } };
  }
  const why =
    none === undefined
      ? "it has no node, and Karpenter starts none: the kube-scheduler has not called it unschedulable"
      : `it is pending, and gets no node: ${none.why}`;
  return { ...known, why, expected: null, planned: null };
}

function placedWords(pod: Resource, node: string): string {
  const kind = textAt(valueAt(pod.value, ["metadata", "ownerReferences", 0]), ["kind"]);
  if (kind === "DaemonSet") return `its DaemonSet runs one pod on each node that it selects, and ${node} is one`;
  if (kind === "Node") return `the kubelet of ${node} runs it from a file of the node`;
  return `the kube-scheduler placed it on ${node}`;
}
