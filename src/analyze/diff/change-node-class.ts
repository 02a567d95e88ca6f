/** What a changed field of an EC2NodeClass does to the nodes of its pools. */
import { valueAt } from "../../krm/field-path.ts";
import { canonical } from "../../krm/canonical.ts";
import type { Effect } from "./change-effect.ts";
import { nodeClassHashForm } from "../../karpenter/drift/change-hash-form.ts";
import type { Beside, JudgeField } from "./change-node-pool.ts";

/** Undefined where none are written: a cluster then has terms of its own, but for reservations. */
type Terms = readonly string[] | undefined;

/**
 * What Karpenter resolves anew and compares with each node (provider, pkg/cloudprovider/drift.go). Offline nobody knows
 * what terms resolve to, so each is judged by what it can do at worst:
 *
 * - subnets: a node's must be among those that are found, so that one more loses no node, one less may lose some, and
 *   others in place of all may lose every node;
 * - capacity reservations: the same, but only the nodes that run in one are looked at;
 * - security groups: a node must have exactly those that are found;
 * - images: a node must have the newest that fits it, so that one more may replace too.
 */
const RESOLVED: Readonly<Record<string, (from: Terms, to: Terms) => Effect>> = {
  subnetSelectorTerms: (from, to) => (isKept(from, to) ? "new-nodes" : keepsSome(from, to)),
  // A class without terms has no reservations.
  capacityReservationSelectorTerms: (from = [], to = []) => (isKept(from, to) ? "new-nodes" : "replaces-some"),
  securityGroupSelectorTerms: () => "replaces-all",
  amiSelectorTerms: keepsSome,
  // Not hashed, and not compared either.
  ipPrefixCount: () => "new-nodes",
};

/**
 * All the other fields are hashed, and another hash drifts every node of the class (NodeClassDrift). What is written of
 * the kubelet in a wrapper HyperShift hashes as texts.
 */
export function judgeEC2NodeClass(from: unknown, to: unknown, { written = false }: Beside = {}): JudgeField {
  const formOf = (object: unknown) => {
    const spec = valueAt(object, ["spec"]);
    const form = nodeClassHashForm(spec);
    return written ? { ...form, kubelet: valueAt(spec, ["kubelet"]) } : form;
  };
  const [old, now] = [formOf(from), formOf(to)];
  return ({ oldPath, newPath }) => {
    const [root, field] = newPath ?? oldPath ?? [];
    if (root !== "spec" || field === undefined) return "none";
    const judge = RESOLVED[field];
    const part = ["spec", field];
    if (judge !== undefined) {
      const [before, after] = [termsOf(valueAt(from, part)), termsOf(valueAt(to, part))];
      return sameTerms(before, after) && before !== undefined ? "none" : judge(before, after);
    }
    if (canonical(old[field]) !== canonical(now[field])) return "replaces-all";
    const order = (nodeClass: unknown): string => orderOf(String(field), valueAt(nodeClass, ["spec"]));
    return order(from) === order(to) ? "none" : "new-nodes";
  };
}

/** The hash takes these for sets, and a node that starts does not. */
function orderOf(field: string, spec: unknown): string {
  if (field === "kubelet") return canonical(valueAt(spec, ["kubelet", "clusterDNS"]));
  const devices = field === "blockDeviceMappings" ? valueAt(spec, [field]) : [];
  return canonical(Array.isArray(devices) ? devices.map((device) => valueAt(device, ["deviceName"])) : []);
}

/** Terms are alternatives: what an old one finds is found by it again. */
function isKept(from: Terms, to: Terms): boolean {
  return from !== undefined && to !== undefined && from.every((term) => to.includes(term));
}

function keepsSome(from: Terms, to: Terms): Effect {
  return from?.some((term) => to?.includes(term)) === true ? "replaces-some" : "replaces-all";
}

function sameTerms(from: Terms, to: Terms): boolean {
  return canonical([...new Set(from)].toSorted()) === canonical([...new Set(to)].toSorted());
}

function termsOf(terms: unknown): Terms {
  return Array.isArray(terms) ? terms.map(canonical) : undefined;
}
