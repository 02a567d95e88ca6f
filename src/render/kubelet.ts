/** Renders the kubelet settings of a node class that Karpenter supports. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { describeResource } from "../krm/places/resource.ts";
import { KUBELET_SETTINGS } from "../model/ec2/kubelet.ts";
import { formatGoDuration, parseGoDuration } from "../model/values/go-duration.ts";
import type { NodeClassWrapper } from "../resolve/read-node-class.ts";

/** The wrapper has no field for the cluster's DNS servers. */
const TYPED = KUBELET_SETTINGS.filter((field) => field !== "clusterDNS");

/**
 * Undefined unless a typed field is set. Karpenter gets the typed fields, HyperShift's own KubeletConfig the others
 * (docs/upstream/hypershift.md#kubelet-settings).
 */
export function renderKubelet(nodeClass: NodeClassWrapper): Outcome<Record<string, unknown> | undefined> {
  const given = nodeClass.spec.kubelet;
  if (given === undefined) return { value: undefined, findings: [] };
  const findings: Finding[] = [];
  const value: Record<string, unknown> = {};
  for (const field of TYPED) {
    if (given[field] === undefined) continue;
    value[field] = field === "evictionSoftGracePeriod" ? gracePeriods(nodeClass, given[field], findings) : given[field];
  }
  const others = Object.keys(given).filter((field) => !(TYPED as readonly string[]).includes(field));
  for (const field of others) {
    const { resource, path } = nodeClass.placeOf(["kubelet", field]);
    const message = `${describeResource(resource)}: kubelet.${field} is not part of Karpenter's EC2NodeClass; HyperShift sets it with a KubeletConfig`;
    findings.push(findingAt("kubelet-field-not-rendered", resource, path, { message }));
  }
  return { value: Object.keys(value).length === 0 ? undefined : value, findings };
}

/** Formatted as in Go, as HyperShift's operator does. */
function gracePeriods(
  nodeClass: NodeClassWrapper,
  given: Readonly<Record<string, string>>,
  findings: Finding[],
): Record<string, string> {
  const value: Record<string, string> = {};
  for (const [signal, text] of Object.entries(given)) {
    const duration = parseGoDuration(text);
    if (duration !== undefined) {
      value[signal] = formatGoDuration(duration);
      continue;
    }
    const { resource, path } = nodeClass.placeOf(["kubelet", "evictionSoftGracePeriod", signal]);
    const message = `${describeResource(resource)}: the grace period "${text}" of ${signal} is not a duration; HyperShift drops it, and Karpenter then refuses the class`;
    findings.push(findingAt("kubelet-duration-invalid", resource, path, { message, hint: "write it as 90s or 1m30s" }));
  }
  return value;
}
