/** Decides what happens to metadata, and to fields of an EC2NodeClass that wrappers do not have. */
import type { Fields } from "../krm/values/fields.ts";
import { type Finding, findingAt, type Words } from "../krm/findings/finding.ts";
import type { FindingCode } from "../krm/findings/finding-codes.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { INSTANCE_PROFILE_ANNOTATION } from "../model/objects/hosted-control-plane.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { carriesMarks, MANAGED_BY } from "../model/objects/marks.ts";

interface FieldEffect extends Words {
  readonly code: FindingCode;
}

const lossy = (message: string, hint?: string): FieldEffect => ({ code: "adopt-lossy", message, hint });
const fromHyperShift = (message: string): FieldEffect => ({ code: "adopt-from-hypershift", message });

const OTHER_PROFILE =
  "is dropped: nodes get the hosted cluster's instance profile, and pods that use the node's permissions lose them";
const ASK_FOR_PROFILE = `give such pods their own role, or request the annotation ${INSTANCE_PROFILE_ANNOTATION} on the HostedCluster`;

/** Text after the field name; undefined if nothing is lost. */
const EFFECTS: Readonly<Record<string, (value: unknown) => FieldEffect | undefined>> = {
  amiFamily: (family) => {
    if (family === "Custom") return undefined;
    return isWindows(family)
      ? windows(`is ${String(family)}`)
      : lossy(`${String(family)} is dropped: nodes run RHCOS of the hosted cluster's release`, NOT_FOR_RHCOS);
  },
  amiSelectorTerms: (terms) => {
    const list = Array.isArray(terms) ? (terms as readonly unknown[]) : [];
    if (list.some((term) => isWindows((term as Fields | null)?.["alias"]))) return windows("selects Windows images");
    const words = "is dropped: nodes start from the image of the hosted cluster's release";
    // HyperShift's operator writes ids alone (docs/upstream/hypershift.md#ec2nodeclass).
    const byId = list.every((term) => Object.keys((term ?? {}) as Fields).join() === "id");
    return byId ? fromHyperShift(words) : lossy(words, NOT_FOR_RHCOS);
  },
  userData: (text) => {
    const ignition = typeof text === "string" && /^\s*\{\s*"ignition"/.test(text);
    if (ignition) return fromHyperShift("is dropped: HyperShift gives each node class its ignition");
    return lossy(
      "is dropped: HyperShift gives each node class its ignition, and the script does not run on new nodes",
      "write settings of the kubelet in spec.kubelet, and do the rest in a DaemonSet",
    );
  },
  role: () => lossy(OTHER_PROFILE, ASK_FOR_PROFILE),
  instanceProfile: () => lossy(OTHER_PROFILE, ASK_FOR_PROFILE),
  context: () => lossy("is dropped: requests to EC2 have no context"),
  networkInterfaces: () => lossy("is dropped: nodes get one standard network interface, and none for EFA"),
  placementGroupSelector: () => lossy("is dropped: nodes are not launched in the placement group"),
  connectionTracking: () => lossy("is dropped: idle connections end after EC2's default times"),
  ipPrefixCount: () => lossy("is dropped: network interfaces get no address prefixes"),
  cpuOptions: () => lossy("is dropped: nodes cannot run virtual machines"),
  enclaveOptions: (options) =>
    (options as Fields | null)?.["enabled"] === true ? lossy("is dropped: nodes cannot run Nitro enclaves") : undefined,
};

const NOT_FOR_RHCOS = "check that no pod expects another operating system";

/** No pod of such a pool could run on the nodes of HyperShift. */
function windows(what: string): FieldEffect {
  const message = `${what}, but nodes of a hosted cluster run only RHCOS: Windows pods would stay pending`;
  return { code: "adopt-refused", message, hint: "remove the class and the pools that refer to it from the input" };
}

function isWindows(family: unknown): boolean {
  return typeof family === "string" && /^windows/i.test(family);
}

export interface SplitSpec {
  /** The spec without the foreign fields. */
  readonly spec: Fields;
  readonly findings: readonly Finding[];
}

/** Findings never quote the user data. */
export function splitForeignFields(raw: Resource, given: Fields): SplitSpec {
  const findings: Finding[] = [];
  const spec: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const effectOf = Object.hasOwn(EFFECTS, field) ? EFFECTS[field] : undefined;
    if (effectOf === undefined) {
      spec[field] = value;
      continue;
    }
    const effect = value === null ? undefined : effectOf(value);
    if (effect === undefined) continue;
    const words = { message: `${describeResource(raw)}: spec.${field} ${effect.message}`, hint: effect.hint };
    findings.push(findingAt(effect.code, raw, ["spec", field], words, "key"));
  }
  return { spec, findings };
}

/**
 * Karpenter 1.0 used it instead of the node class's kubelet settings
 * (docs/upstream/karpenter.md#conversion-annotations).
 */
const KUBELET_OF_V1BETA1 = "compatibility.karpenter.sh/v1beta1-kubelet-conversion";

/** Written by Karpenter, kubectl, anp and hosts of functions for their own use. */
const BOOKKEEPING =
  /^((compatibility\.)?karpenter\.(sh|k8s\.aws)|(internal\.)?config\.kubernetes\.io|anp\.hypershift\.openshift\.io)\/|^kubectl\.kubernetes\.io\/last-applied-configuration$/;

/** Argo CD and kpt find the object of a wrapper by these. */
const OF_THE_WRAPPER = /^argocd\.argoproj\.io\/tracking-id$|^config\.k8s\.io\/owning-inventory$/;

/** The name, labels and annotations of the NodePool that comes in place of a wrapper. */
export function keptMetadata(wrapper: Resource): KubeObject["metadata"] {
  const kept = (field: "labels" | "annotations") => {
    const given = (valueAt(wrapper.value, ["metadata", field]) ?? {}) as Readonly<Record<string, string>>;
    const own = Object.entries(given).filter(([key]) => !BOOKKEEPING.test(key) && !OF_THE_WRAPPER.test(key));
    return own.length === 0 ? {} : { [field]: Object.fromEntries(own) };
  };
  return { name: wrapper.name, ...kept("labels"), ...kept("annotations") };
}

export function lostMetadata(raw: Resource): Finding[] {
  return (["labels", "annotations"] as const).flatMap((field) => {
    const path = ["metadata", field];
    const { [field]: given } = (raw.value["metadata"] ?? {}) as Readonly<Record<string, unknown>>;
    const keys = Object.keys(typeof given === "object" && given !== null ? given : {});
    const own = keys.filter((key) => !BOOKKEEPING.test(key) && !(key === MANAGED_BY && carriesMarks(raw.value)));
    const subject = describeResource(raw);
    const findings: Finding[] = [];
    if (own.length > 0) {
      const message = `${subject}: the ${field} of the object (${own.join(", ")}) are dropped: the rendered ${raw.kind} has anp's own`;
      const hint = "set them on the wrapper if their readers can use it; nodes are not affected";
      findings.push(findingAt("adopt-lossy", raw, path, { message, hint }));
    }
    if (keys.includes(KUBELET_OF_V1BETA1)) {
      const message = `${subject}: the annotation ${KUBELET_OF_V1BETA1} is dropped; Karpenter 1.0 read kubelet settings from it, later versions do not`;
      const hint = "write the settings in spec.kubelet of the node class";
      findings.push(findingAt("adopt-lossy", raw, [...path, KUBELET_OF_V1BETA1], { message, hint }));
    }
    return findings;
  });
}
