/** The effect of a changed field of an EC2NodeClass on the nodes of its pools. */
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { DEFAULT_PROFILE } from "../../model/crds/profile.ts";
import type { Effect } from "./change-effect.ts";
import { nodeClassHashForm } from "../../karpenter/drift/change-hash-form.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import type { Beside, JudgeField } from "./change-node-pool.ts";

/** The provider's name for it, beside `spec`: each class is hashed with the CA bundle of its cluster. */
export const CA_BUNDLE = "clusterCABundle";

const HASH = "karpenter.k8s.aws/ec2nodeclass-hash";
const annotation = (key: string): FieldPath => ["metadata", "annotations", key];

/**
 * Whether two states of a class in a cluster have hashes of different CA bundles. Undefined if they cannot tell: without
 * hashes, or if something else that is hashed may differ (docs/upstream/karpenter.md#hash-of-a-node-class).
 */
export function hasOtherCABundle(from: unknown, to: unknown): boolean | undefined {
  const [version, newVersion] = [from, to].map((object) => valueAt(object, annotation(`${HASH}-version`)));
  const [hash, newHash] = [from, to].map((object) => valueAt(object, annotation(HASH)));
  const sameSpec = canonical(valueAt(from, ["spec"])) === canonical(valueAt(to, ["spec"]));
  const comparable = typeof hash === "string" && typeof newHash === "string" && version !== undefined;
  return comparable && version === newVersion && sameSpec ? hash !== newHash : undefined;
}

/** Undefined if none are written. Except for reservations, HyperShift adds terms of its own then. */
type Terms = ReadonlySet<string> | undefined;

const NO_TERMS: ReadonlySet<string> = new Set();

/**
 * Fields that Karpenter resolves and compares with each node (provider, pkg/cloudprovider/drift.go). Without a cluster the
 * result of a term is unknown, so each change is judged by its worst effect:
 *
 * - subnets: a node's subnet must be among those found, so an added term drifts no node, a removed one may drift some,
 *   and a full replacement may drift every node;
 * - capacity reservations: the same, but only for nodes that run in one;
 * - security groups: a node must have exactly those that are found;
 * - images: a node must have the newest one that fits it, so an added term may drift nodes too.
 */
const RESOLVED: Readonly<Record<string, (from: Terms, to: Terms) => Effect>> = {
  subnetSelectorTerms: (from, to) => (isKept(from, to) ? "new-nodes" : keepsSome(from, to)),
  // A class without terms selects no reservations.
  capacityReservationSelectorTerms: (from = NO_TERMS, to = NO_TERMS) =>
    isKept(from, to) ? "new-nodes" : "replaces-some",
  securityGroupSelectorTerms: () => "replaces-all",
  amiSelectorTerms: keepsSome,
  // Neither hashed nor compared.
  ipPrefixCount: () => "new-nodes",
};

/**
 * All other fields are hashed, and a changed hash drifts every node of the class (NodeClassDrift). HyperShift hashes
 * the kubelet settings of a wrapper as text.
 */
export function judgeEC2NodeClass(
  from: unknown,
  to: unknown,
  { written = false, profile = DEFAULT_PROFILE }: Beside = {},
): JudgeField {
  const formOf = (object: unknown) => {
    const spec = valueAt(object, ["spec"]);
    const form = nodeClassHashForm(spec, profile);
    return written ? { ...form, kubelet: valueAt(spec, ["kubelet"]) } : form;
  };
  const [old, now] = [formOf(from), formOf(to)];
  // Memoized, because thousands of tags may differ.
  const judgeField = memoizeByKey((field: string | number): Effect => {
    const judge = RESOLVED[field];
    const part = ["spec", field];
    if (judge !== undefined) {
      const [before, after] = [termsOf(valueAt(from, part)), termsOf(valueAt(to, part))];
      return sameTerms(before, after) && before !== undefined ? "none" : judge(before, after);
    }
    if (canonical(old[field]) !== canonical(now[field])) return "replaces-all";
    const order = (nodeClass: unknown): string => orderOf(String(field), valueAt(nodeClass, ["spec"]));
    return order(from) === order(to) ? "none" : "new-nodes";
  });
  return ({ oldPath, newPath }) => {
    const [root, field] = newPath ?? oldPath ?? [];
    if (root === CA_BUNDLE) return "replaces-all";
    return root !== "spec" || field === undefined ? "none" : judgeField(field);
  };
}

/** The order of these lists is not part of the hash, but new nodes depend on it. */
function orderOf(field: string, spec: unknown): string {
  if (field === "kubelet") return canonical(valueAt(spec, ["kubelet", "clusterDNS"]));
  const devices = field === "blockDeviceMappings" ? valueAt(spec, [field]) : [];
  return canonical(Array.isArray(devices) ? devices.map((device) => valueAt(device, ["deviceName"])) : []);
}

/** Terms are alternatives, so everything that an old term finds is still found if the term remains. */
function isKept(from: Terms, to: Terms): boolean {
  return from !== undefined && to !== undefined && from.isSubsetOf(to);
}

function keepsSome(from: Terms, to: Terms): Effect {
  return from !== undefined && to?.isDisjointFrom(from) === false ? "replaces-some" : "replaces-all";
}

function sameTerms(from: Terms, to: Terms): boolean {
  return (from ?? NO_TERMS).symmetricDifference(to ?? NO_TERMS).size === 0;
}

function termsOf(terms: unknown): Terms {
  return Array.isArray(terms) ? new Set(terms.map(canonical)) : undefined;
}
