/** What the change of a field of an EC2NodeClass does to the nodes of its pools: both classes in, a judge of their fields out. */
import { valueAt } from "../krm/field-path.ts";
import { canonical } from "./compare-canonical.ts";
import type { Effect } from "./change-effect.ts";
import { nodeClassHashForm } from "./change-hash-form.ts";
import type { JudgeField } from "./change-node-pool.ts";

type Terms = readonly string[];

/**
 * What Karpenter resolves anew and compares with each node (provider, cloudprovider/drift.go). Offline nobody knows what
 * terms resolve to, so each is judged by what it can do at worst:
 *
 * - subnets, capacity reservations: terms are alternatives, so that one more loses no node, and one less may;
 * - security groups: a node must have exactly those that are found;
 * - images: a node must have the newest that fits it, so that one more may replace too.
 */
const RESOLVED: Readonly<Record<string, (from: Terms, to: Terms) => Effect>> = {
  subnetSelectorTerms: alternatives,
  capacityReservationSelectorTerms: alternatives,
  securityGroupSelectorTerms: () => "replaces-all",
  amiSelectorTerms: (from, to) => (from.some((term) => to.includes(term)) ? "replaces-some" : "replaces-all"),
  // Not hashed, and not compared either.
  ipPrefixCount: () => "new-nodes",
};

/** All the other fields are hashed, and another hash drifts every node of the class (NodeClassDrift, hypershift.md 2). */
export function judgeEC2NodeClass(from: unknown, to: unknown): JudgeField {
  const [old, now] = [nodeClassHashForm(valueAt(from, ["spec"])), nodeClassHashForm(valueAt(to, ["spec"]))];
  return ({ oldPath, newPath }) => {
    const [root, field] = newPath ?? oldPath ?? [];
    if (root !== "spec" || field === undefined) return "none";
    const judge = RESOLVED[field];
    const part = ["spec", field];
    if (judge !== undefined) return judge(termsOf(valueAt(from, part)), termsOf(valueAt(to, part)));
    if (canonical(old[field]) !== canonical(now[field])) return "replaces-all";
    return field === IN_ORDER && orderOf(valueAt(from, part)) !== orderOf(valueAt(to, part)) ? "new-nodes" : "none";
  };
}

/** The hash takes it for a set, and a node that starts does not. */
const IN_ORDER = "blockDeviceMappings";

function orderOf(devices: unknown): string {
  return canonical(Array.isArray(devices) ? devices.map((device) => valueAt(device, ["deviceName"])) : []);
}

function alternatives(from: Terms, to: Terms): Effect {
  // Without terms of its own a class has no reservations at all, and every subnet is one that must have been selected.
  return from.every((term) => to.includes(term)) ? "new-nodes" : "replaces-some";
}

function termsOf(terms: unknown): Terms {
  return Array.isArray(terms) ? terms.map(canonical) : [];
}
